internal import JSON
internal import SettingsModel

/// Values that show how one is typed.
extension ValueRule {
    /// A value that the rule takes and that shows its form; nil where none is found.
    var example: SettingValue? {
        let candidates: [SettingValue?] =
            switch self {
            case .boolean: [.boolean(true)]
            case .integer(let bounds):
                ([bounds.choices.first, 1, bounds.minimum, bounds.maximum]).map { $0.map(SettingValue.integer) }
            case .number(let bounds):
                ([bounds.choices.first, 1.5, bounds.minimum, bounds.maximum]).map { $0.map(SettingValue.number) }
            case .string(let rule): rule.examples.map(SettingValue.string)
            case .list(let rule): [rule.example]
            case .record(let rule): [rule.example]
            case .unchecked(let type): [type.example]
            }
        return candidates.lazy.compactMap { $0 }.first { fault(in: $0) == nil }
    }
}

extension StringRule {
    fileprivate var examples: [String] {
        if let choice = choices?.known.first { return [choice.id] }
        let length = max(minimumLength, 1)
        let filled = "Ada" + String(repeating: "a", count: max(0, length - 3))
        return (format.map { [$0.example] } ?? []) + [filled, String(repeating: "a", count: length), ""]
    }
}

extension StringFormat {
    fileprivate var example: String {
        switch self {
        case .email: "ada@example.org"
        case .uri(let schemes): (schemes.first ?? "https") + (schemes.first == "mailto" ? ":ada@example.org" : "://example.org")
        case .uuid: "123e4567-e89b-42d3-a456-426614174000"
        case .date: "2026-02-28"
        case .dateTime: "2026-02-28T17:30:00Z"
        case .timeZone: "Europe/Berlin"
        }
    }
}

extension ListRule {
    /// One item, or as many as there have to be.
    fileprivate var example: SettingValue? {
        guard let one = item.example else { return nil }
        return .list(element: item.type, Array(repeating: one, count: max(1, minimumCount)))
    }
}

extension RecordRule {
    /// The fields that have to be there; where none has to, the first one.
    fileprivate var example: SettingValue? {
        let required = fields.filter(\.isRequired)
        var record: [String: SettingValue] = [:]
        for field in required.isEmpty ? Array(fields.prefix(1)) : required { record[field.name] = field.rule.example }
        return .record(record)
    }
}

extension ValueType {
    /// A value of the type, of which no rule is known.
    fileprivate var example: SettingValue {
        switch self {
        case .string, .variant: "Ada"
        case .boolean: .boolean(true)
        case .integer: .integer(1)
        case .number: .number(1.5)
        case .list(let element): .list(element: element, [element.example])
        case .record: .record(["name": "Ada"])
        }
    }
}

extension Schema {
    /// Settings with values, as `SetValues` takes them.
    var exampleValues: SettingValue? {
        settings.first.flatMap { setting in setting.rule.example.map { .record([setting.key: $0]) } }
    }

    /// Settings with values, as a file has them.
    var exampleObject: JSONValue? {
        settings.first.flatMap { setting in
            setting.rule.example.map { value in
                var object = JSONObject()
                object.setValue(JSONValue(value), at: setting.path[...])
                return .object(object)
            }
        }
    }

    /// What somebody has meant who has typed the items of a list as they are, with commas or spaces between them.
    ///
    /// - Returns: the JSON text of the list; nil where it is none that the setting takes.
    func list(ofItems text: String, of name: String) -> String? {
        guard let setting = setting(named: name), let rule = setting.rule.list else { return nil }
        // Who begins so has meant JSON text.
        if let first = text.first(where: { $0 != " " }), "[{\"".contains(first) { return nil }
        var items: [SettingValue] = []
        for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            do throws(TypedTextFault) {
                items.append(try SettingValue(typed: String(word), for: rule.item))
            } catch {
                return nil
            }
        }
        let list = SettingValue.list(element: rule.item.type, items)
        return setting.rule.fault(in: list) == nil ? list.text : nil
    }
}
