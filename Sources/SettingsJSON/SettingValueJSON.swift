package import JSON
package import SettingsModel

/// JSON that is no value of the kind that a rule is for.
package struct JSONMisfit: Error {
    /// The way from the value to the part at fault: indexes of lists, names of fields.
    package let path: [String]
    package let found: JSONValue
    /// What follows the name of the value in a sentence: `, item 3, takes a string, found the number 5`.
    package let message: String

    fileprivate init(_ found: JSONValue, _ type: ValueType, path: [String]) {
        self.path = path
        self.found = found
        let place = path.map { name in Int(name).map { "item \($0 + 1)" } ?? name }.joined(separator: ", ")
        message = (place.isEmpty ? "" : ", \(place),") + " takes \(type.name), found \(found.words)"
    }
}

extension SettingValue {
    /// Reads a value of the kind that a rule is for: the rule decides about types, in lists and records, too. It has yet to be
    /// checked.
    ///
    /// An integer may be written as any number that is one: `5`, `5.0`, `5e0`.
    ///
    /// - Throws: where the JSON is of another kind.
    package init(_ json: JSONValue, for rule: ValueRule) throws(JSONMisfit) {
        try self.init(json, for: rule, path: [])
    }

    private init(_ json: JSONValue, for rule: ValueRule, path: [String]) throws(JSONMisfit) {
        switch (rule, json) {
        case (.list(let rule), .array(let items)):
            var values: [SettingValue] = []
            values.reserveCapacity(items.count)
            for (index, item) in items.enumerated() {
                values.append(try SettingValue(item, for: rule.item, path: path + [String(index)]))
            }
            self = .list(element: rule.item.type, values)
        case (.record(let rule), .object(let object)):
            var fields: [String: SettingValue] = [:]
            for (name, field) in object.members {
                // What is no field is left for the rule to refuse.
                fields[name] = try SettingValue(field, for: rule.rule(of: name) ?? .unchecked(.variant), path: path + [name])
            }
            self = .record(fields)
        case (.unchecked(.variant), _):
            guard let value = SettingValue(inferring: json) else { throw JSONMisfit(json, rule.type, path: path) }
            self = value
        default:
            guard let value = SettingValue(json, as: rule.type) else { throw JSONMisfit(json, rule.type, path: path) }
            self = value
        }
    }

    /// Reads a value of the kind that a rule is for, or returns nil where the JSON is of another.
    package init?(_ json: JSONValue, maybe rule: ValueRule) {
        do throws(JSONMisfit) {
            try self.init(json, for: rule)
        } catch {
            return nil
        }
    }

    /// Reads a value of a type, or returns nil where the JSON is of another.
    package init?(_ json: JSONValue, as type: ValueType) {
        switch (type, json) {
        case (.string, .string(let text)): self = .string(text)
        case (.boolean, .boolean(let flag)): self = .boolean(flag)
        case (.integer, .number(let number)):
            guard let integer = number.integer else { return nil }
            self = .integer(integer)
        case (.number, .number(let number)):
            guard number.double.isFinite else { return nil }
            self = .number(number.double)
        case (.list(let element), .array(let items)):
            let values = items.compactMap { SettingValue($0, as: element) }
            guard values.count == items.count else { return nil }
            self = .list(element: element, values)
        case (.record, .object(let fields)):
            var values: [String: SettingValue] = [:]
            for (name, field) in fields.members {
                guard let value = SettingValue(inferring: field) else { return nil }
                values[name] = value
            }
            self = .record(values)
        case (.variant, _): self.init(inferring: json)
        default: return nil
        }
    }

    /// Reads a value whose type only its text shows.
    package init?(inferring json: JSONValue) {
        switch json {
        case .null: return nil
        case .string(let text): self = .string(text)
        case .boolean(let flag): self = .boolean(flag)
        case .number(let number): self = number.int64.map { .integer($0) } ?? .number(number.double)
        case .array(let items):
            let values = items.compactMap { SettingValue(inferring: $0) }
            let element = values.first?.type ?? .string
            guard values.count == items.count, values.allSatisfy({ $0.type == element }) else { return nil }
            self = .list(element: element, values)
        case .object: self.init(json, as: .record)
        }
    }

    /// The value as documents and the journal have it.
    package var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .number(JSONNumber(number))
        case .number(let number): .number(JSONNumber(number))
        case .list(_, let items): .array(items.map(\.json))
        case .record(let fields): .object(JSONObject(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }
}

extension JSONLine {
    /// Writes a setting's value, as `SettingValue.json` has it.
    package mutating func value(_ value: SettingValue) {
        switch value {
        case .string(let text): string(text)
        case .record(let fields): record(fields)
        case .list(_, let items):
            array { line in
                for item in items { line.value(item) }
            }
        case .boolean, .integer, .number: self.value(value.json)
        }
    }

    /// Writes values by name, as a record has them.
    package mutating func record(_ fields: [String: SettingValue]) {
        object { line in
            // Most have one, and a copy of it all costs more than it.
            for (name, field) in fields.count > 1 ? fields.sorted(by: { $0.key < $1.key }) : Array(fields) {
                line.key(name)
                line.value(field)
            }
        }
    }
}

// MARK: Words

extension JSONValue {
    /// The kind of value in words, for messages.
    package var words: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): "the number \(number.text.quoted(limit: 30).dropFirst().dropLast())"
        case .string(let text): "the string \(text.quoted(limit: 30))"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension ValueType {
    /// The type in words, for messages about documents.
    package var name: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .list: "an array"
        case .record: "an object"
        case .variant: "a value"
        }
    }
}
