internal import SettingsModel

/// All settings as one value, a section being a record: `meeting.start` is the field `start` of the field `meeting`.
struct Sections {
    private let root: SettingValue

    /// - Parameter values: by key.
    init(_ values: [String: SettingValue]) {
        root = Self.nest(values.map { (Setting.path(of: $0.key)[...], $0.value) })
    }

    private static func nest(_ values: [(path: ArraySlice<String>, value: SettingValue)]) -> SettingValue {
        let parts = Dictionary(grouping: values) { $0.path.first ?? "" }
        return .record(
            parts.mapValues { part in
                if part.count == 1, part[0].path.count <= 1 { return part[0].value }
                return nest(part.map { ($0.path.dropFirst(), $0.value) })
            })
    }

    /// - Throws: `mismatch` with the key and the field at fault.
    func decoded<Root: Decodable>(as type: Root.Type) throws(ClientError) -> Root { try root.decoded(as: type, for: "") }
}

/// What a structure that stands for all settings says about each.
struct Parts {
    /// The value of each setting that the structure has a part for.
    private(set) var values: [String: SettingValue] = [:]
    private let types: [String: ValueType]

    /// - Parameter types: that the settings have, by key.
    /// - Throws: `mismatch` with the key and the field at fault, `UnknownKey` for a part that no setting has.
    init<Root: Encodable>(of root: Root, types: [String: ValueType]) throws(ClientError) {
        self.types = types
        do {
            let slot = EncodingSlot([])
            try slot.encode(root)
            try collect(slot, "")
        } catch {
            throw ClientError(coding: error, "")
        }
    }

    private mutating func collect(_ slot: EncodingSlot, _ key: String) throws {
        if let type = types[key] {
            values[key] = try slot.value(as: type)
        } else if case .fields(let fields) = slot.content {
            for (name, field) in fields { try collect(field, key.isEmpty ? name : "\(key).\(name)") }
        } else if try slot.value(as: nil) != nil {
            throw ClientError(.unknownKey(key, among: types.keys))
        }
    }
}
