internal import SettingsModel

/// The keys that a command was asked about.
struct KeyFilter: Sendable {
    /// Nil: every key.
    private let keys: Set<String>?

    /// - Parameters:
    ///   - names: keys, aliases or sections; none: every key.
    ///   - schema: the settings that are known beforehand.
    ///   - known: the keys that there are beyond those.
    /// - Throws: `UnknownKey` with the nearest one.
    init(_ names: [String], of schema: Schema, known: some Sequence<String> = []) throws(Failure) {
        guard !names.isEmpty else {
            keys = nil
            return
        }
        let known = Set(known)
        var keys: Set<String> = []
        for name in names {
            if known.contains(name) {
                keys.insert(name)
                continue
            }
            let found = schema.keys(named: name)
            do throws(SettingsError) {
                // Where there is none, this says what was meant.
                if found.isEmpty { _ = try schema.setting(name) }
            } catch {
                throw Failure(error)
            }
            keys.formUnion(found)
        }
        self.keys = keys
    }

    func contains(_ key: String) -> Bool { keys?.contains(key) ?? true }

    /// The values of the keys.
    func values(of values: [String: SettingValue]) -> [String: SettingValue] {
        keys == nil ? values : values.filter { contains($0.key) }
    }

    /// What a change did to the keys; nil where it did nothing to them.
    func change(of change: SettingsChange) -> SettingsChange? {
        guard keys != nil else { return change }
        var found = change
        found.values = values(of: change.values)
        found.previous = values(of: change.previous)
        return found.values.isEmpty ? nil : found
    }
}

extension SettingsChange {
    /// A row for each changed value: the key, and `OLD → NEW`, or which items of a list have changed.
    func rows(in schema: Schema) -> [TextTable.Row] {
        values.keys.inOrder(of: schema).map { key in
            let rule = schema.setting(named: key)?.rule
            return TextTable.Row(cells: [key, ValueChange.text(from: previous[key], to: values[key], rule: rule)])
        }
    }
}

extension SettingValue? {
    /// The value as text, with quotes where something could not be seen.
    var readable: String {
        let text = self?.text ?? ""
        return text.isEmpty ? "\"\"" : text.withBlanksQuoted
    }
}

extension Sequence<String> {
    /// Keys in the order of a schema, unknown ones sorted behind.
    func inOrder(of schema: Schema) -> [String] {
        map { (schema.position(of: $0) ?? Int.max, $0) }.sorted { $0 < $1 }.map(\.1)
    }
}
