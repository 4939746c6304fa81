internal import Spelling

/// What values a setting, an item of a list, a field of a record or an argument of an action takes.
public indirect enum ValueRule: Hashable, Sendable {
    /// True or false.
    case boolean
    /// A whole number within bounds.
    case integer(Bounds<Int64>)
    /// A number that JSON can hold: neither NaN nor an infinity.
    case number(Bounds<Double>)
    /// A text.
    case string(StringRule)
    /// A list of items.
    case list(ListRule)
    /// A record of named values.
    case record(RecordRule)
    /// Any value of the type: what it is for decides about it, as about the values that `SetValues` takes.
    case unchecked(ValueType)

    /// The word for the rule in `describe`.
    public var kind: String {
        switch self {
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string(let rule): rule.kind
        case .list: "array"
        case .record: "object"
        case .unchecked: "any"
        }
    }

    /// The type of the values.
    public var type: ValueType {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .string: .string
        case .list(let rule): .list(rule.item.type)
        case .record: .record
        case .unchecked(let type): type
        }
    }

    /// Says what is wrong with a value and what is allowed instead, or nil when nothing is wrong.
    ///
    /// - Parameter known: a value of which nothing is wrong; what a list shares with it is not looked at again.
    public func fault(in value: SettingValue, known: SettingValue? = nil) -> String? {
        var effort = Effort.request
        return fault(in: value, known: known, &effort)
    }

    /// The same for one of many values.
    ///
    /// - Parameter effort: what may still be done for all of them.
    package func fault(in value: SettingValue, known: SettingValue? = nil, _ effort: inout Effort) -> String? {
        placedFault(in: value, known: known, &effort)?.message
    }

    private func placedFault(in value: SettingValue, known: SettingValue?, _ effort: inout Effort) -> RuleFault? {
        switch (self, value) {
        case (.unchecked(.variant), _), (.boolean, .boolean): return nil
        case (.integer(let bounds), .integer(let number)): return RuleFault(bounds.fault(in: number) { String($0) })
        case (.number(let bounds), .number(let number)):
            return RuleFault(number.isFinite ? bounds.fault(in: number, { String(written: $0) }) : "a number is finite")
        case (.string(let rule), .string(let text)): return RuleFault(rule.fault(in: text, &effort))
        case (.list(let rule), .list(let element, let items)) where element == rule.item.type:
            return rule.fault(in: items, known: known?.items ?? [], &effort)
        case (.record(let rule), .record(let fields)): return rule.fault(in: fields, &effort)
        case (.unchecked(let type), _) where value.type == type: return nil
        default: return RuleFault("it takes \(type.words), not \(value.type.words)")
        }
    }

    /// Says which value is refused and why, or nil when nothing is wrong with it.
    package func refusal(of value: SettingValue, known: SettingValue? = nil, _ effort: inout Effort) -> RuleFault? {
        placedFault(in: value, known: known, &effort).map { fault in
            value.type == type ? RuleFault(value.shown + fault.message, path: fault.path) : fault
        }
    }

    /// The rule for texts, else nil.
    public var string: StringRule? {
        if case .string(let rule) = self { rule } else { nil }
    }

    /// The rule for lists, else nil.
    public var list: ListRule? {
        if case .list(let rule) = self { rule } else { nil }
    }

    /// The rule for records, else nil.
    public var record: RecordRule? {
        if case .record(let rule) = self { rule } else { nil }
    }
}

/// What is wrong with a value, and with which part of it.
package struct RuleFault: Hashable, Sendable {
    /// Says what is wrong and what is allowed instead.
    package let message: String
    /// The way from the value to the part at fault: indexes of lists, names of fields.
    package let path: [String]

    fileprivate init(_ message: String, path: [String] = []) {
        self.message = message
        self.path = path
    }

    fileprivate init?(_ message: String?) {
        guard let message else { return nil }
        self.init(message)
    }
}

/// How small and how large a number may be, or which numbers there are.
public struct Bounds<Number: Comparable & Hashable & Sendable>: Hashable, Sendable {
    /// The smallest number that is allowed; nil: there is none.
    public var minimum: Number?
    /// The largest number that is allowed; nil: there is none.
    public var maximum: Number?
    /// The numbers that are allowed; empty: all within the bounds.
    public var choices: [Number]

    /// Makes bounds, both included; without any every number is allowed.
    public init(minimum: Number? = nil, maximum: Number? = nil, choices: [Number] = []) {
        self.minimum = minimum
        self.maximum = maximum
        self.choices = choices
    }

    /// - Parameter words: a number's text for people.
    fileprivate func fault(in number: Number, _ words: (Number) -> String) -> String? {
        if let minimum, number < minimum { return "it is at least \(words(minimum))" }
        if let maximum, number > maximum { return "it is at most \(words(maximum))" }
        if choices.isEmpty || choices.contains(number) { return nil }
        return "it takes one of: \(Suggestion.list(choices.map(words)))"
    }
}

/// What a list holds.
public struct ListRule: Hashable, Sendable {
    /// What each item is.
    public var item: ValueRule
    /// How many items there are at least.
    public var minimumCount: Int
    /// How many items there are at most; nil: any number.
    public var maximumCount: Int?
    /// Whether no two items may be equal.
    public var isUnique: Bool

    /// Makes a rule for lists of items.
    public init(of item: ValueRule, minimumCount: Int = 0, maximumCount: Int? = nil, isUnique: Bool = false) {
        self.item = item
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.isUnique = isUnique
    }

    /// - Parameter known: a list that has no fault; what it shares with `items` is not looked at again.
    fileprivate func fault(in items: [SettingValue], known: [SettingValue], _ effort: inout Effort) -> RuleFault? {
        if let fault = items.count.fault(as: "item", least: minimumCount, most: maximumCount) { return RuleFault(fault) }
        let new = Self.differences(of: items, from: known)
        for index in new {
            effort.spend(items[index].weight)
            if let refusal = item.refusal(of: items[index], &effort) {
                return RuleFault("item \(index + 1): \(refusal.message)", path: [String(index)] + refusal.path)
            }
        }
        guard isUnique, !new.isEmpty else { return nil }
        // To make a table of the items takes as long as to compare each of them with several.
        if new.count <= 8 {
            // One look at each item is what every step costs.
            effort.spend(items.count * (new.count - 1))
            for index in new {
                effort.spend(items.count * (items[index].weight / 16))
                guard let other = items.indices.first(where: { $0 != index && items[$0] == items[index] }) else { continue }
                return Self.repetition(of: min(index, other), at: max(index, other))
            }
            return nil
        }
        var places: [SettingValue: Int] = [:]
        for (index, value) in items.enumerated() {
            effort.spend(2 * value.weight)
            if let first = places.updateValue(index, forKey: value) { return Self.repetition(of: first, at: index) }
        }
        return nil
    }

    private static func repetition(of first: Int, at second: Int) -> RuleFault {
        RuleFault("item \(second + 1) is the same as item \(first + 1); each may be there once", path: [String(second)])
    }

    /// The places of a list where another one does not hold the same values: where one is longer, all between the start and
    /// the end that they share.
    private static func differences(of items: [SettingValue], from known: [SettingValue]) -> [Int] {
        if items.count == known.count { return items.indices.filter { !SettingValue.isSame(items[$0], known[$0]) } }
        let shorter = min(items.count, known.count)
        var start = 0
        while start < shorter, SettingValue.isSame(items[start], known[start]) { start += 1 }
        var end = 0
        while end < shorter - start, SettingValue.isSame(items[items.count - 1 - end], known[known.count - 1 - end]) { end += 1 }
        return Array(start..<items.count - end)
    }
}

/// The named values that an item of a list consists of.
public struct RecordRule: Hashable, Sendable {
    /// One named value of a record.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: String
        /// What values the field takes.
        public var rule: ValueRule
        /// Whether no record may lack the field.
        public var isRequired: Bool
        /// What the field is for, in one line without a full stop.
        public var summary: String

        /// Declares a field with the rule for its values.
        public init(_ name: String, _ rule: ValueRule, required: Bool = false, _ summary: String = "") {
            self.name = name
            self.rule = rule
            isRequired = required
            self.summary = summary
        }
    }

    /// In declared order; there are no others.
    public var fields: [Field]

    /// Makes a rule for records with these fields and no others.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The rule of a field, or nil where there is no such field.
    public func rule(of name: String) -> ValueRule? { fields.first { $0.name == name }?.rule }

    fileprivate func fault(in record: [String: SettingValue], _ effort: inout Effort) -> RuleFault? {
        for field in fields {
            guard let value = record[field.name] else {
                if field.isRequired { return RuleFault("it lacks the field \(field.name)") }
                continue
            }
            if let refusal = field.rule.refusal(of: value, &effort) {
                return RuleFault("\(field.name): \(refusal.message)", path: [field.name] + refusal.path)
            }
        }
        guard let stranger = record.keys.sorted().first(where: { rule(of: $0) == nil }) else { return nil }
        let known = fields.map(\.name)
        let hint = Suggestion.hint(for: stranger, among: known, otherwise: "; it has \(Suggestion.list(known))")
        return RuleFault("it has no field \(stranger.quoted())\(hint)", path: [stranger])
    }
}

extension SettingValue {
    /// The value at the head of a message about its fault; nothing where it would not fit a line.
    fileprivate var shown: String {
        switch self {
        case .string(let text): "\(text.quoted()) is refused: "
        case .boolean(let flag): "\(flag) is refused: "
        case .integer(let number): "\(number) is refused: "
        case .number(let number): "\(String(written: number)) is refused: "
        case .list, .record: ""
        }
    }
}
