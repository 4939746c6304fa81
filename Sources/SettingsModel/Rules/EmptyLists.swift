extension ValueRule {
    /// The value with every empty list of the type that the rule says.
    ///
    /// D-Bus gives an empty list a type, too. Whoever sends one in a record or as an item has nothing to take that type from:
    /// there it says nothing.
    func typingEmptyLists(in value: SettingValue) -> SettingValue {
        switch (self, value) {
        case (.list(let rule), .list(_, let items)) where items.isEmpty: .list(element: rule.item.type, [])
        case (.list(let rule), .list(let element, let items)) where rule.item.hasListsInRecords:
            .list(element: element, items.map { rule.item.typingEmptyLists(in: $0) })
        case (.record(let rule), .record(let fields)) where hasListsInRecords: .record(rule.typingEmptyLists(in: fields))
        default: value
        }
    }

    private var hasListsInRecords: Bool {
        switch self {
        case .list(let rule): rule.item.hasListsInRecords
        case .record(let rule): rule.fields.contains { $0.rule.list != nil }
        default: false
        }
    }
}

extension RecordRule {
    fileprivate func typingEmptyLists(in record: [String: SettingValue]) -> [String: SettingValue] {
        var record = record
        for field in fields { record[field.name] = record[field.name].map(field.rule.typingEmptyLists) }
        return record
    }
}
