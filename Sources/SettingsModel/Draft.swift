/// The user's values in the middle of a transaction: edits, cascades, and what they come to in the end.
struct Draft {
    private let schema: Schema
    private let layers: Layers
    private let start: Document
    private let startLayers: Layers
    private(set) var values: [String: SettingValue]
    /// The keys that the action under way has named.
    private var named: Set<String> = []
    /// The watched settings' effective values when the action under way began.
    private var watched: [String: SettingValue] = [:]

    init(document: Document, schema: Schema, layers: Layers, before: Layers? = nil) {
        self.schema = schema
        self.layers = layers
        start = document
        startLayers = before ?? layers
        values = document.values
        for cascade in schema.cascades { watched[cascade.watched] = effectiveAtStart(cascade.watched) }
    }

    func effective(_ key: String) -> SettingValue { resolve(key, values, layers) }

    private func effectiveAtStart(_ key: String) -> SettingValue { resolve(key, start.values, startLayers) }

    private func resolve(_ key: String, _ values: [String: SettingValue], _ layers: Layers) -> SettingValue {
        guard let setting = schema.setting(named: key) else { preconditionFailure("\(key) is not in the schema") }
        return layers.resolve(setting, user: values[key]).value
    }

    mutating func beginAction() {
        named = []
        for cascade in schema.cascades { watched[cascade.watched] = effective(cascade.watched) }
    }

    mutating func set(_ key: String, to value: SettingValue?) {
        values[key] = value
        named.insert(key)
    }

    mutating func apply(_ edits: [Edit]?, otherwise nothing: String) throws(SettingsError) {
        guard let edits else { throw SettingsError(.nothingToUndo, nothing) }
        for edit in edits {
            if let value = edit.after { try schema.setting(edit.key).check(value) }
            set(edit.key, to: edit.after)
        }
    }

    /// Keeps the schema's invariants after one action.
    mutating func endAction() {
        for cascade in schema.cascades
        where watched[cascade.watched] != effective(cascade.watched) && !named.contains(cascade.reset)
            && layers.lock(on: cascade.reset) == nil
        {
            values[cascade.reset] = nil
        }
    }

    /// - Throws: `Locked`, naming the file, where a locked key's user value would change.
    func checkLocks() throws(SettingsError) {
        for key in schema.keys where values[key] != start.values[key] {
            guard let file = layers.lock(on: key) else { continue }
            throw SettingsError(
                .locked, "\(key) is locked by \(file.path); nothing was changed, ask whoever administers this machine")
        }
    }

    var outcome: Reducer.Outcome {
        var outcome = Reducer.Outcome()
        for key in schema.keys {
            if values[key] != start.values[key] {
                outcome.edits.append(Edit(key: key, before: start.values[key], after: values[key]))
            }
            let before = effectiveAtStart(key)
            let after = effective(key)
            if before != after {
                outcome.previous[key] = before
                outcome.values[key] = after
            }
        }
        return outcome
    }
}
