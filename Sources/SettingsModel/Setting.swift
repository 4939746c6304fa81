/// One declared setting: everything that validation, the bus, the command line and the documentation say about a key.
public struct Setting: Hashable, Sendable {
    /// The dotted, lower-case name: `profile.name`.
    public let key: String
    /// A further name by which clients may call the setting.
    public let alias: String?
    /// What values the setting takes.
    public let rule: ValueRule
    /// The value where no layer gives one.
    public let defaultValue: SettingValue
    /// What the setting is for, in one line without a full stop.
    public let summary: String

    /// The keys that the setting had in older schemas, the newest first.
    public let renamedFrom: [String]

    /// Declares a setting: its key, rule, default and summary.
    public init(
        _ key: String, alias: String? = nil, _ rule: ValueRule, default defaultValue: SettingValue, _ summary: String,
        renamedFrom: [String] = []
    ) {
        self.key = key
        self.renamedFrom = renamedFrom
        self.alias = alias
        self.rule = rule
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The key's first part: `profile`.
    public var section: String { String(key.prefix { $0 != "." }) }

    /// The key without its section: `name`; all of a key that is in no section.
    public var name: String { key.contains(".") ? String(key.dropFirst(section.count + 1)) : key }

    /// The names by which documents nest the setting, from the outside in: `meeting.start` → `meeting`, `start`.
    package var path: [String] { Self.path(of: key) }

    /// The names by which documents nest what has a key.
    package static func path(of key: String) -> [String] {
        key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The type of the setting's values.
    public var type: ValueType { rule.type }

    /// Checks a value that somebody wants the setting to have.
    ///
    /// - Parameter current: the effective value, of which a list may share most.
    /// - Throws: `InvalidValue` with the key, the value and what is allowed.
    public func check(_ value: SettingValue, current: SettingValue? = nil) throws(SettingsError) {
        var effort = Effort.request
        try check(value, current: current, &effort)
    }

    /// Checks one of many values.
    ///
    /// - Parameters:
    ///   - current: the effective value, of which a list may share most.
    ///   - effort: what may still be done for all of them.
    /// - Throws: `InvalidValue`; `TooLarge` where the effort is spent.
    package func check(_ value: SettingValue, current: SettingValue? = nil, _ effort: inout Effort) throws(SettingsError) {
        guard let refusal = rule.refusal(of: value, known: current, &effort) else { return }
        throw effort.refusal("\(key): \(refusal.message)")
    }
}
