public import DBus
public import SettingsModel

extension ValueType {
    /// The D-Bus type that values of this type have on the wire.
    public var signature: Signature {
        switch self {
        case .string: "s"
        case .boolean: "b"
        case .integer: "x"
        case .number: "d"
        case .list(let element): Signature(stringLiteral: "a" + element.signature.rawValue)
        case .record: "a{sv}"
        case .variant: "v"
        }
    }

    /// The type of a setting's value with this D-Bus type; nil where no setting has it.
    public init?(_ signature: Signature) {
        switch signature {
        case "s": self = .string
        case "b": self = .boolean
        case "x": self = .integer
        case "d": self = .number
        case "a{sv}": self = .record
        default:
            guard signature.rawValue.hasPrefix("a"), signature.isSingle,
                let element = signature.listElement, let type = ValueType(element)
            else { return nil }
            self = .list(type)
        }
    }
}

extension Signature {
    /// The type of an array's elements; nil for what is no array, dictionaries too.
    fileprivate var listElement: Signature? {
        let rest = rawValue.dropFirst()
        guard let first = rest.first, first != "{" else { return nil }
        return Signature(stringLiteral: String(rest))
    }
}

extension Value {
    /// A setting's value as it goes over the bus. Records come sorted by name.
    public init(_ value: SettingValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .int64(number)
        case .number(let number): self = .double(number)
        case .list(let element, let items): self = .array(element: element.signature, items.map(Value.init))
        case .record(let fields): self = .settings(fields)
        }
    }

    /// Values by key (`a{sv}`), those of `keys` first and in that order, then the others sorted.
    public static func settings(_ values: [String: SettingValue], order keys: [String] = []) -> Value {
        // Most changes are of one value.
        if values.count == 1 { return .variants(values.map { ($0.key, Value($0.value)) }) }
        // Records come by the thousand, and have no order of their own.
        if keys.isEmpty { return .variants(values.keys.sorted().compactMap { key in values[key].map { (key, Value($0)) } }) }
        let ordered = keys.filter { values[$0] != nil }
        let others = ordered.count == values.count ? [] : Set(values.keys).subtracting(ordered).sorted()
        return .variants((ordered + others).compactMap { key in values[key].map { (key, Value($0)) } })
    }

    /// The value as a setting's, by its own D-Bus type; nil for a type that no setting has, in a list or record too.
    ///
    /// A client meets nil only where a newer daemon has settings of a new type, and leaves that value out.
    public func settingValue() -> SettingValue? {
        switch self {
        case .string(let text): return .string(text)
        case .boolean(let flag): return .boolean(flag)
        case .int64(let number): return .integer(number)
        case .double(let number): return .number(number)
        case .array(let element, let items):
            guard let type = ValueType(element) else { return nil }
            let values = items.compactMap { $0.settingValue() }
            return values.count == items.count ? .list(element: type, values) : nil
        case .packed(let array):
            // What no setting is made of need not be taken apart for that.
            return ValueType(signature) == nil ? nil : array.unpacked.settingValue()
        case .dictionary:
            guard let fields = variants else { return nil }
            var record: [String: SettingValue] = [:]
            for (name, field) in fields {
                guard let value = field.settingValue() else { return nil }
                record[name] = value
            }
            return .record(record)
        default: return nil
        }
    }

    /// The content of an `a{sv}` of values by key, those left out whose type no setting has; nil for another type.
    public var settings: [String: SettingValue]? {
        guard let variants else { return nil }
        var result: [String: SettingValue] = [:]
        for (key, value) in variants { result[key] = value.settingValue() }
        return result
    }
}
