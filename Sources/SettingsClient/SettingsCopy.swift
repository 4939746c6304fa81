internal import SettingsModel
internal import Spelling

/// The settings as the client knows them, never changed after it was made: a reader keeps it as long as it likes while
/// newer ones take its place.
final class SettingsCopy: Sendable {
    let snapshot: SettingsSnapshot
    /// What is wrong with the settings' files, as far as the service has told.
    let problems: [String]
    /// Why the copy is not kept up to date; nil while it is.
    let loss: ClientError?
    /// The schema where the library knows it, which is the built-in one; the service alone knows that of an application.
    let schema: Schema?
    /// Made here, once a change, rather than at each read.
    let face: BuiltInFace

    init(
        _ snapshot: SettingsSnapshot, schema: Schema?, problems: [String] = [], loss: ClientError? = nil
    ) {
        self.snapshot = snapshot
        self.problems = problems
        self.schema = schema
        self.loss = loss
        face = schema == nil ? .empty : BuiltInFace(snapshot.values)
    }

    /// A value by key or alias; nil where there is no such setting.
    subscript(name: String) -> SettingValue? {
        snapshot.values[name] ?? schema?.setting(named: name).flatMap { snapshot.values[$0.key] }
    }

    /// The key that a key or alias stands for.
    func key(_ name: String) -> String { schema?.setting(named: name)?.key ?? name }

    /// A value by key or alias.
    ///
    /// - Throws: `UnknownKey` with the nearest known key.
    func value(_ name: String) throws(ClientError) -> SettingValue {
        if let value = self[name] { return value }
        do throws(SettingsError) { _ = try schema?.setting(name) } catch { throw ClientError(error) }
        throw ClientError(.unknownKey(name, among: snapshot.values.keys))
    }

    /// A value by key or alias, as a type of the program's.
    ///
    /// - Throws: as `value`; `mismatch` where the value does not have the type's form.
    func decoded<Value: Decodable>(_ name: String, as type: Value.Type) throws(ClientError) -> Value {
        try value(name).decoded(as: type, for: key(name))
    }

    /// The copy after an event; itself where the event tells of no state.
    func after(_ event: SettingsEvent) -> SettingsCopy {
        switch event {
        case .snapshot(let snapshot): return SettingsCopy(snapshot, schema: schema, problems: problems)
        case .changed(let change):
            let values = snapshot.values.merging(change.values) { $1 }
            let snapshot = SettingsSnapshot(revision: change.revision, values: values)
            return SettingsCopy(snapshot, schema: schema, problems: problems, loss: loss)
        case .action: return self
        case .problems(let problems): return SettingsCopy(snapshot, schema: schema, problems: problems, loss: loss)
        case .lost(let error): return SettingsCopy(snapshot, schema: schema, problems: problems, loss: error)
        }
    }
}

extension SettingsError {
    /// A key that none of these is.
    static func unknownKey(_ name: String, among keys: some Sequence<String>) -> SettingsError {
        SettingsError(.unknownKey, "there is no setting \(name.quoted())\(Suggestion.hint(for: name, among: keys.sorted()))")
    }
}
