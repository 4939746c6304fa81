public import DBus
public import SettingsModel

/// What `Describe` says about one setting.
///
/// `kind` and `source` are texts and not enumerations, so that what a newer daemon says is passed on unchanged.
public struct SettingDescription: Hashable, Sendable {
    /// The D-Bus type of the value.
    public var type: String
    /// What kind of value it is: the name of a type of JSON Schema or of a string format, or `choice`.
    public var kind: String
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
    public var summary: String
    /// The values that are allowed, as texts; empty where the rule lists none.
    public var choices: [String]
    /// A regular expression that values match; of a choice: further values than its choices.
    public var pattern: String?
    /// The schemes that a link may have; empty for other kinds.
    public var schemes: [String]
    public var minimum: SettingValue?
    public var maximum: SettingValue?
    /// Grapheme clusters.
    public var maximumLength: UInt64?
    /// What is known about each choice, in the order of `choices`.
    public var choiceDetails: [Choice]

    /// Describes a setting.
    ///
    /// - Parameter resolved: its effective value and where that comes from.
    public init(_ setting: Setting, _ resolved: ResolvedValue) {
        type = setting.type.signature.rawValue
        kind = setting.rule.kind
        defaultValue = setting.defaultValue
        value = resolved.value
        userValue = resolved.user
        source = resolved.source.rawValue
        sourceFile = resolved.file
        isLocked = resolved.isLocked
        summary = setting.summary
        choices = []
        schemes = []
        choiceDetails = []
        describe(setting.rule)
    }

    private mutating func describe(_ rule: ValueRule) {
        switch rule {
        case .string(let rule):
            pattern = rule.patternSource
            maximumLength = rule.maximumLength.map(UInt64.init)
            if case .uri(let allowed) = rule.format { schemes = allowed }
            choices = rule.choices?.known.map(\.id) ?? []
            choiceDetails = rule.choices?.known ?? []
        case .integer(let bounds):
            (minimum, maximum) = (bounds.minimum.map(SettingValue.integer), bounds.maximum.map(SettingValue.integer))
            choices = bounds.choices.map { String($0) }
        case .number(let bounds):
            (minimum, maximum) = (bounds.minimum.map(SettingValue.number), bounds.maximum.map(SettingValue.number))
            choices = bounds.choices.map { String($0) }
        case .boolean, .list, .record, .unchecked: break
        }
    }
}

extension SettingDescription {
    /// The names in a description on the bus.
    private enum Field {
        static let type = "type"
        static let kind = "kind"
        static let defaultValue = "default"
        static let value = "value"
        static let userValue = "user_value"
        static let source = "source"
        static let sourceFile = "source_file"
        static let locked = "locked"
        static let summary = "summary"
        static let choices = "choices"
        static let pattern = "pattern"
        static let schemes = "schemes"
        static let minimum = "minimum"
        static let maximum = "maximum"
        static let maximumLength = "maximum_length"
        static let choiceDetails = "choice_details"
    }

    /// The description as the inner dictionary (`a{sv}`) of the answer of `Describe`; what does not apply is absent.
    public var wire: Value {
        var fields: [(String, Value)] = [
            (Field.type, .string(type)), (Field.kind, .string(kind)),
            (Field.defaultValue, Value(defaultValue)), (Field.value, Value(value)),
            (Field.source, .string(source)), (Field.locked, .boolean(isLocked)), (Field.summary, .string(summary)),
        ]
        if let userValue { fields.append((Field.userValue, Value(userValue))) }
        if let sourceFile { fields.append((Field.sourceFile, .string(sourceFile))) }
        if !choices.isEmpty { fields.append((Field.choices, .strings(choices))) }
        if let pattern { fields.append((Field.pattern, .string(pattern))) }
        if !schemes.isEmpty { fields.append((Field.schemes, .strings(schemes))) }
        if let minimum { fields.append((Field.minimum, Value(minimum))) }
        if let maximum { fields.append((Field.maximum, Value(maximum))) }
        if let maximumLength { fields.append((Field.maximumLength, .uint64(maximumLength))) }
        if !choiceDetails.isEmpty {
            fields.append((Field.choiceDetails, .named(choiceDetails.map { ($0.id, $0.wire) })))
        }
        return .variants(fields)
    }

    /// A description from the inner dictionary of the answer of `Describe`; fields that are newer than this code are
    /// passed over.
    ///
    /// - Returns: nil where a field that each setting has is missing or has another type.
    public init?(_ wire: Value) {
        guard let variants = wire.variants else { return nil }
        let fields = Dictionary(variants) { first, _ in first }
        guard let type = fields[Field.type]?.string, let kind = fields[Field.kind]?.string,
            let defaultValue = fields[Field.defaultValue]?.settingValue(),
            let value = fields[Field.value]?.settingValue(),
            let source = fields[Field.source]?.string, let isLocked = fields[Field.locked]?.boolean,
            let summary = fields[Field.summary]?.string
        else { return nil }
        self.type = type
        self.kind = kind
        self.defaultValue = defaultValue
        self.value = value
        // An older daemon tells only what is in force.
        userValue = fields[Field.userValue]?.settingValue() ?? (source == Source.user.rawValue ? value : nil)
        self.source = source
        self.isLocked = isLocked
        self.summary = summary
        sourceFile = fields[Field.sourceFile]?.string
        choices = fields[Field.choices]?.strings ?? []
        pattern = fields[Field.pattern]?.string
        schemes = fields[Field.schemes]?.strings ?? []
        minimum = fields[Field.minimum]?.settingValue()
        maximum = fields[Field.maximum]?.settingValue()
        maximumLength = fields[Field.maximumLength]?.uint64
        choiceDetails = fields[Field.choiceDetails]?.named?.map { Choice(id: $0.0, wire: $0.1) } ?? []
    }
}

extension Choice {
    private enum Field {
        static let name = "name"
        static let links = "links"
        static let mpris = "mpris"
    }

    fileprivate var wire: Value {
        .variants([(Field.name, .string(name)), (Field.links, .strings(links)), (Field.mpris, .strings(mpris))])
    }

    fileprivate init(id: String, wire: Value) {
        let fields = Dictionary(wire.variants ?? []) { first, _ in first }
        self.init(
            id, fields[Field.name]?.string ?? id, links: fields[Field.links]?.strings ?? [],
            mpris: fields[Field.mpris]?.strings ?? [])
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
