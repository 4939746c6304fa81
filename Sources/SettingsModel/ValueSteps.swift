/// What a step of an action makes of one setting's value.
struct ValueSteps {
    let action: Action
    let setting: Setting
    /// The setting's effective value before the step.
    let current: SettingValue
    var facts: Facts

    /// The new value; nil where the step changes nothing.
    ///
    /// - Throws: `InvalidValue` for a value that the setting does not take, `InvalidArgument` where the step is not possible now,
    ///   `TooLarge` where checking the value is too much effort.
    mutating func value(after step: Step, _ effort: inout Effort) throws(SettingsError) -> SettingValue? {
        guard let value = try proposal(of: step, &effort) else { return nil }
        if case .set = step {} else if value == current { return nil }
        try setting.check(value, current: current, &effort)
        return value
    }

    private mutating func proposal(of step: Step, _ effort: inout Effort) throws(SettingsError) -> SettingValue? {
        switch step {
        case .set(_, let operand): try resolve(operand, for: setting.rule)
        case .insert(_, let operand, let index): try inserting(operand, at: index, &effort)
        case .remove(_, let selection): try removing(selection, &effort)
        case .update(_, let selection, let fields): try updating(selection, fields)
        case .toggle: try toggled(current)
        case .toggleField(_, let selection, let field): try togglingField(field, selection)
        case .add(_, let operand): try adding(operand)
        case .setEach, .resetEach, .reset, .resetAll, .clear, .refuse, .answer, .undo, .redo: nil
        }
    }

    // MARK: Lists

    private mutating func inserting(
        _ operand: Operand, at index: Operand?, _ effort: inout Effort
    ) throws(SettingsError) -> SettingValue? {
        let (rule, items) = try list()
        guard let value = try resolve(operand, for: rule.item) else { return nil }
        try check(value, by: rule.item, &effort)
        if rule.isUnique, items.contains(value) { return nil }
        var changed = items
        switch try resolve(index, for: .integer(Bounds())) {
        case .integer(let place):
            guard let place = Int(exactly: place), (0...items.count).contains(place) else {
                throw impossible("\(setting.key) has \(items.count) items, so the index is 0 to \(items.count), not \(place)")
            }
            changed.insert(value, at: place)
        default: changed.append(value)
        }
        return .list(element: rule.item.type, changed)
    }

    private mutating func removing(_ selection: Selection, _ effort: inout Effort) throws(SettingsError) -> SettingValue? {
        let (rule, items) = try list()
        switch selection {
        case .value(let operand):
            guard let value = try resolve(operand, for: rule.item) else { return nil }
            if value.type != rule.item.type { try check(value, by: rule.item, &effort) }
            return .list(element: rule.item.type, items.filter { $0 != value })
        case .matching(let fields):
            let places = Set(try places(matching: fields))
            return .list(element: .record, items.enumerated().filter { !places.contains($0.offset) }.map(\.element))
        }
    }

    private mutating func updating(
        _ selection: [String: Operand], _ fields: [String: Operand]
    ) throws(SettingsError) -> SettingValue? {
        let rule = try records()
        var new: [String: SettingValue] = [:]
        for name in fields.keys.sorted() {
            if let operand = fields[name] { new[name] = try resolve(operand, for: rule.rule(of: name)) }
        }
        var items = try list().items
        for place in try places(matching: selection) { items[place] = .record((items[place].record ?? [:]).merging(new) { $1 }) }
        return .list(element: .record, items)
    }

    private mutating func togglingField(_ field: String, _ selection: [String: Operand]) throws(SettingsError) -> SettingValue? {
        var items = try list().items
        for place in try places(matching: selection) {
            var record = items[place].record ?? [:]
            record[field] = try toggled(record[field] ?? .boolean(false))
            items[place] = .record(record)
        }
        return .list(element: .record, items)
    }

    /// - Throws: `InvalidArgument` where there are none.
    private mutating func places(matching selection: [String: Operand]) throws(SettingsError) -> [Int] {
        let rule = try records()
        var wanted: [(name: String, value: SettingValue)] = []
        for name in selection.keys.sorted() {
            guard let operand = selection[name], let value = try resolve(operand, for: rule.rule(of: name)) else {
                throw impossible("which items of \(setting.key) are meant is not told by their \(name)")
            }
            wanted.append((name, value))
        }
        let items = current.items ?? []
        let places = items.indices.filter { place in
            wanted.allSatisfy { items[place].record?[$0.name] == $0.value }
        }
        if places.isEmpty {
            let words = wanted.map { "the \($0.name) \($0.value.words)" }.joined(separator: " and ")
            throw impossible("no item of \(setting.key) has \(words)")
        }
        return places
    }

    private func list() throws(SettingsError) -> (rule: ListRule, items: [SettingValue]) {
        guard let rule = setting.rule.list, let items = current.items else {
            throw impossible("\(setting.key) takes \(setting.type.words) and is no list")
        }
        return (rule, items)
    }

    private func records() throws(SettingsError) -> RecordRule {
        guard let rule = try list().rule.item.record else { throw impossible("the items of \(setting.key) have no fields") }
        return rule
    }

    // MARK: Single values

    private func toggled(_ value: SettingValue) throws(SettingsError) -> SettingValue {
        guard case .boolean(let flag) = value else { throw impossible("\(setting.key) is no boolean") }
        return .boolean(!flag)
    }

    private mutating func adding(_ operand: Operand) throws(SettingsError) -> SettingValue? {
        guard let summand = try resolve(operand, for: setting.rule) else { return nil }
        switch (current, summand) {
        case (.integer(let number), .integer(let summand)):
            let (sum, overflows) = number.addingReportingOverflow(summand)
            if overflows {
                throw SettingsError(.invalidValue, "\(setting.key): \(number) and \(summand) make more than an integer holds")
            }
            return .integer(sum)
        case (.number(let number), .number(let summand)): return .number(number + summand)
        default: throw impossible("\(summand.type.words) cannot be added to \(setting.key), which takes \(setting.type.words)")
        }
    }

    // MARK: Operands

    /// The value of an operand; nil where there is none or it is an absent argument.
    ///
    /// - Parameter rule: that of the place which the value goes to.
    private mutating func resolve(_ operand: Operand?, for rule: ValueRule?) throws(SettingsError) -> SettingValue? {
        switch operand {
        case nil: return nil
        case .literal(let value): return value
        case .argument(let name): return action.arguments[name].map { rule?.typingEmptyLists(in: $0) ?? $0 }
        case .uuid: return .string(facts.nextUUID())
        case .now:
            if let now = rule.flatMap(facts.now) { return now }
            throw impossible("\(setting.key) cannot hold a time")
        case .list(let operands):
            var items: [SettingValue] = []
            for operand in operands { if let item = try resolve(operand, for: rule?.list?.item) { items.append(item) } }
            return .list(element: rule?.list?.item.type ?? items.first?.type ?? .string, items)
        case .record(let operands):
            var fields: [String: SettingValue] = [:]
            for name in operands.keys.sorted() {
                if let operand = operands[name] { fields[name] = try resolve(operand, for: rule?.record?.rule(of: name)) }
            }
            return .record(fields)
        }
    }

    private func check(_ value: SettingValue, by rule: ValueRule, _ effort: inout Effort) throws(SettingsError) {
        if let refusal = rule.refusal(of: value, &effort) { throw effort.refusal("\(setting.key): \(refusal.message)") }
    }

    private func impossible(_ reason: String) -> SettingsError { SettingsError(.invalidArgument, "\(action.name): \(reason)") }
}

extension SettingValue {
    /// The value in a sentence.
    fileprivate var words: String {
        switch self {
        case .string(let text): text.quoted()
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): String(written: number)
        case .list, .record: "that was given"
        }
    }
}
