/// The user's values in the middle of a transaction: edits, cascades, and what they come to in the end.
///
/// Its cost grows with what the transaction touches, not with the document.
struct Draft {
    private let schema: Schema
    private let layers: Layers
    let start: Document
    private let startLayers: Layers
    /// The settings in whose place the document holds what has no effect.
    private let refused: Set<String>
    /// Those whose text is taken out of the document though no value of the user's changes.
    private var discarded: Set<String> = []
    /// The user's values that were set so far; an inner nil: there is none any more.
    private var touched: [String: SettingValue?] = [:]
    /// The keys that the action under way has named.
    private var named: Set<String> = []
    /// The watched settings' effective values when the action under way began.
    private var watched: [String: SettingValue] = [:]

    /// - Parameters:
    ///   - before: the layers that were in force until now, where the transaction is their change.
    ///   - refused: the settings in whose place the document holds what has no effect.
    init(document: Document, schema: Schema, layers: Layers, before: Layers? = nil, refused: Set<String> = []) {
        self.refused = refused
        self.schema = schema
        self.layers = layers
        start = document
        startLayers = before ?? layers
        // Otherwise the first action's beginning is looked at.
        guard before != nil else { return }
        for cascade in schema.cascades { watched[cascade.watched] = effectiveAtStart(cascade.watched) }
    }

    /// The effective value of a key of the schema.
    func effective(_ key: String) -> SettingValue? {
        schema.setting(named: key).map { layers.resolve($0, user: user(key)).value }
    }

    private func effectiveAtStart(_ key: String) -> SettingValue? {
        schema.setting(named: key).map { startLayers.resolve($0, user: start.values[key]).value }
    }

    private func user(_ key: String) -> SettingValue? { touched[key] ?? start.values[key] }

    /// Compares, at the action's end, with other effective values of watched settings than those at the start.
    mutating func compare(with values: [String: SettingValue]) { watched.merge(values) { $1 } }

    mutating func beginAction() {
        named = []
        for cascade in schema.cascades { watched[cascade.watched] = effective(cascade.watched) }
    }

    mutating func set(_ key: String, to value: SettingValue?) {
        touched.updateValue(value, forKey: key)
        named.insert(key)
    }

    /// Takes the user's value away, and what the document holds in its place.
    mutating func reset(_ key: String) {
        set(key, to: nil)
        if refused.contains(key) { discarded.insert(key) }
    }

    /// Whether what the document holds in place of the setting's value is still there.
    func isRefused(_ key: String) -> Bool { refused.contains(key) && touched[key] == nil }

    /// Goes to the state before or after another transaction.
    ///
    /// - Throws: `NothingToUndo` with the reason where there is none.
    mutating func take(_ step: History.Step?, _ effort: inout Effort, otherwise reason: String) throws(SettingsError) {
        guard let step else { throw SettingsError(.nothingToUndo, reason) }
        for edit in step.edits {
            if let value = edit.after { try schema.setting(edit.key).check(value, current: effective(edit.key), &effort) }
            set(edit.key, to: edit.after)
        }
        // Where that state had the very value that is in force now, what the cascade would reset belonged to it.
        for cascade in schema.cascades where step.after[cascade.watched] == effective(cascade.watched) {
            named.insert(cascade.reset)
        }
    }

    /// Keeps the schema's invariants after one action.
    mutating func endAction() {
        for cascade in schema.cascades
        where watched[cascade.watched] != effective(cascade.watched) && !named.contains(cascade.reset)
            && layers.lock(on: cascade.reset) == nil
        {
            set(cascade.reset, to: nil)
        }
    }

    /// - Throws: `Locked`, naming the file, where one of the edits is of a locked key.
    func checkLocks(of edits: [Edit]) throws(SettingsError) {
        for edit in edits {
            guard let file = layers.lock(on: edit.key) else { continue }
            throw SettingsError(
                .locked, "\(edit.key) is locked by \(file.path); ask whoever administers this machine")
        }
    }

    private var edits: [Edit] {
        var edits: [Edit] = []
        for key in touchedKeys {
            let (before, after) = (start.values[key], user(key))
            if before != after || discarded.contains(key) { edits.append(Edit(key: key, before: before, after: after)) }
        }
        return edits
    }

    /// The keys that were set so far, in schema order.
    private var touchedKeys: [String] {
        // Most transactions touch one, and what a closure holds is copied for it.
        if touched.count == 1 { return Array(touched.keys) }
        let schema = schema
        return touched.keys.sorted { schema.position(of: $0) ?? 0 < schema.position(of: $1) ?? 0 }
    }

    var outcome: Reducer.Outcome {
        var outcome = Reducer.Outcome()
        outcome.edits = edits
        for key in startLayers == layers ? touchedKeys : schema.keys {
            let (before, after) = (effectiveAtStart(key), effective(key))
            if before != after {
                outcome.previous[key] = before
                outcome.values[key] = after
            }
        }
        return outcome
    }
}
