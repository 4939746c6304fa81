public import DBus
public import SettingsModel

/// What `Describe` says about one setting.
///
/// `source` is a text and no enumeration, so that what a newer daemon says is passed on unchanged.
public struct SettingDescription: Hashable, Sendable {
    /// What values it takes.
    public var rule: RuleDescription
    public var defaultValue: SettingValue
    /// The effective value.
    public var value: SettingValue
    /// The user's own value, even where a lock keeps it from being in force; nil: there is none.
    public var userValue: SettingValue?
    /// Where the effective value comes from: `locked`, `user`, `admin`, `vendor`, `default`.
    public var source: String
    /// The layer file that gives the effective value.
    public var sourceFile: String?
    /// Whether an administrator keeps the user from changing it.
    public var isLocked: Bool
    /// What is wrong with what the user's document holds in its place, in a sentence; nil: nothing.
    public var problem: String?
    public var summary: String

    /// Describes a setting.
    ///
    /// - Parameters:
    ///   - resolved: its effective value and where that comes from.
    ///   - problem: what is wrong with what the user's document holds in its place.
    public init(_ setting: Setting, _ resolved: ResolvedValue, problem: String? = nil) {
        rule = RuleDescription(setting.rule)
        defaultValue = setting.defaultValue
        value = resolved.value
        userValue = resolved.user
        source = resolved.source.rawValue
        sourceFile = resolved.file
        isLocked = resolved.isLocked
        self.problem = problem
        summary = setting.summary
    }
}

extension SettingDescription {
    /// The names in a description on the bus.
    private enum Field {
        static let defaultValue = "default"
        static let value = "value"
        static let userValue = "user_value"
        static let source = "source"
        static let sourceFile = "source_file"
        static let locked = "locked"
        static let problem = "problem"
        static let summary = "summary"
    }

    /// The description as the inner dictionary (`a{sv}`) of the answer of `Describe`; what does not apply is absent.
    public var wire: Value {
        var fields: [(String, Value)] = [
            (Field.defaultValue, Value(defaultValue)), (Field.value, Value(value)),
            (Field.source, .string(source)), (Field.locked, .boolean(isLocked)), (Field.summary, .string(summary)),
        ]
        if let userValue { fields.append((Field.userValue, Value(userValue))) }
        if let sourceFile { fields.append((Field.sourceFile, .string(sourceFile))) }
        if let problem { fields.append((Field.problem, .string(problem))) }
        return .variants(rule.wire + fields)
    }

    /// A description from the inner dictionary of the answer of `Describe`; fields that are newer than this code are
    /// passed over.
    ///
    /// - Returns: nil where a field that each setting has is missing or has another type.
    public init?(_ wire: Value) {
        guard let variants = wire.variants, let rule = RuleDescription(wire) else { return nil }
        let fields = Dictionary(variants) { first, _ in first }
        guard let defaultValue = fields[Field.defaultValue]?.settingValue(),
            let value = fields[Field.value]?.settingValue(),
            let source = fields[Field.source]?.string, let isLocked = fields[Field.locked]?.boolean,
            let summary = fields[Field.summary]?.string
        else { return nil }
        self.rule = rule
        self.defaultValue = defaultValue
        self.value = value
        // An older daemon tells only what is in force.
        userValue = fields[Field.userValue]?.settingValue() ?? (source == Source.user.rawValue ? value : nil)
        self.source = source
        self.isLocked = isLocked
        self.summary = summary
        sourceFile = fields[Field.sourceFile]?.string
        problem = fields[Field.problem]?.string
    }
}

extension Value {
    /// Dictionaries by name (`a{sa{sv}}`).
    public static func named(_ entries: [(String, Value)]) -> Value {
        .dictionary(key: "s", value: "a{sv}", entries.map { Entry(key: .string($0.0), value: $0.1) })
    }

    /// The content of an `a{sa{sv}}`; nil for another type.
    public var named: [(String, Value)]? {
        guard case .dictionary("s", "a{sv}", let entries) = self else { return nil }
        return entries.compactMap { entry in entry.key.string.map { ($0, entry.value) } }
    }
}
