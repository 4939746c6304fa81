public import SettingsModel

/// What an update changes: values as they are, and the ones that are to be.
public struct ApplicationDraft: Sendable {
    /// The values that the draft was made from.
    public let snapshot: SettingsSnapshot
    /// The value that each changed setting gets; nil: what the layers below the user's say.
    private var edits: [String: SettingValue?] = [:]

    init(_ snapshot: SettingsSnapshot) {
        self.snapshot = snapshot
    }

    /// A setting's value, the new one where it was written. Writing nil takes the user's value away; it then reads as
    /// before, since the layers below are the service's to know.
    ///
    /// - Parameter key: one that no setting has makes the update fail with `UnknownKey`.
    public subscript(key: String) -> SettingValue? {
        get { (edits[key] ?? nil) ?? snapshot.values[key] }
        set { edits.updateValue(newValue, forKey: key) }
    }

    /// A setting's value as a type of the program's, the new one where it was written.
    ///
    /// - Throws: `UnknownKey`; `mismatch` where the value does not have the type's form.
    public func value<Value: Decodable>(of key: String, as type: Value.Type = Value.self) throws(ClientError) -> Value {
        guard let value = self[key] else { throw ClientError(.unknownKey(key, among: snapshot.values.keys)) }
        return try value.decoded(as: type, for: key)
    }

    /// Writes a value of a type of the program's.
    ///
    /// - Throws: `mismatch` where it has no form that a setting's value can have.
    public mutating func set<Value: Encodable>(_ key: String, to value: Value) throws(ClientError) {
        self[key] = try SettingValue(encoding: value, as: snapshot.values[key]?.type, for: key)
    }

    /// All settings as one structure of the program's, as `LiveSettings.settings(as:)` reads it.
    ///
    /// - Throws: `mismatch` where a property has no setting, or a setting's value not the property's form.
    public func settings<Root: Decodable>(as type: Root.Type = Root.self) throws(ClientError) -> Root {
        try Sections(values).decoded(as: type)
    }

    /// Lets a closure change a structure of the program's that stands for all settings. Settings whose part of it stays the
    /// same are not written; those whose part becomes nil are reset.
    ///
    /// - Throws: as `settings(as:)`; `mismatch` where a value has no form that a setting's can have.
    public mutating func change<Root: Codable>(_ type: Root.Type, _ change: (inout Root) -> Void) throws(ClientError) {
        var root = try settings(as: type)
        let before = try parts(of: root)
        change(&root)
        let after = try parts(of: root)
        for (key, value) in after where value != before[key] { self[key] = value }
        for key in before.keys where after[key] == nil { self[key] = nil }
    }

    /// What a structure says about each setting that it has a part for.
    private func parts<Root: Encodable>(of root: Root) throws(ClientError) -> [String: SettingValue] {
        try Parts(of: root, types: snapshot.values.mapValues(\.type)).values
    }

    /// The new values alone.
    var written: [String: SettingValue] { edits.compactMapValues { $0 } }

    /// The values with the new ones in their places.
    var values: [String: SettingValue] { snapshot.values.merging(written) { $1 } }

    /// The transaction that makes the draft true.
    var actions: [Action] {
        let values = written
        let resets = edits.keys.filter { values[$0] == nil }.sorted()
        return (values.isEmpty ? [] : [.setValues(values)]) + (resets.isEmpty ? [] : [.resetValues(resets)])
    }
}
