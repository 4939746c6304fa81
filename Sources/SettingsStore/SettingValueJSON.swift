package import JSON
package import SettingsModel

extension SettingValue {
    /// Reads a value of a type, or returns nil where the JSON is of another.
    package init?(_ json: JSONValue, as type: ValueType) {
        switch (type, json) {
        case (.string, .string(let text)): self = .string(text)
        case (.boolean, .boolean(let flag)): self = .boolean(flag)
        case (.integer, .number(let number)):
            guard let integer = number.int64 else { return nil }
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
