/// One declared setting: everything that validation, the bus, the command line and the documentation say about a key.
public struct Setting: Hashable, Sendable {
    /// The dotted, lower-case name: `profile.name`.
    public let key: String
    /// A further name by which clients may call the setting.
    public let alias: String?
    public let rule: ValueRule
    public let defaultValue: SettingValue
    /// What the setting is for, in one line without a full stop.
    public let summary: String

    public init(_ key: String, alias: String? = nil, _ rule: ValueRule, default defaultValue: SettingValue, _ summary: String) {
        self.key = key
        self.alias = alias
        self.rule = rule
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// The key's first part: `profile`.
    public var section: String { String(key.prefix { $0 != "." }) }

    /// The key without its section: `name`.
    public var name: String { String(key.dropFirst(section.count + 1)) }

    public var type: ValueType { rule.type }

    /// Checks a value that somebody wants the setting to have.
    ///
    /// - Throws: `InvalidValue` with the key, the value and what is allowed.
    public func check(_ value: SettingValue) throws(SettingsError) {
        guard let fault = rule.fault(in: value) else { return }
        let shown = value.string.map { "\($0.quoted()) is refused: " } ?? ""
        throw SettingsError(.invalidValue, "\(key): \(shown)\(fault)")
    }
}

/// What values a setting takes.
public enum ValueRule: Hashable, Sendable {
    /// One line of text of at most `maximumLength` grapheme clusters and `maximumBytes` bytes of UTF-8.
    case text(maximumLength: Int, maximumBytes: Int)
    case email
    /// A link with one of these schemes.
    case uri(schemes: [String])
    /// One of the choices, or a custom one: `prefix` and then 1 to 63 of a-z, 0-9 and -, the first no hyphen.
    case choice([Choice], customPrefix: String)

    /// The word for the rule in `describe`.
    public var kind: String {
        switch self {
        case .text: "string"
        case .email: "email"
        case .uri: "uri"
        case .choice: "choice"
        }
    }

    public var type: ValueType { .string }

    /// Says what is wrong with a value and what is allowed instead, or nil when nothing is wrong.
    public func fault(in value: SettingValue) -> String? {
        guard case .string(let text) = value else { return "it takes \(type.words), not \(value.type.words)" }
        switch self {
        case .text(let maximumLength, let maximumBytes):
            return TextRule.fault(in: text, maximumLength: maximumLength, maximumBytes: maximumBytes)
        case .email: return EmailRule.fault(in: text)
        case .uri(let schemes): return URIRule.fault(in: text, schemes: schemes)
        case .choice(let choices, let prefix): return ChoiceRule.fault(in: text, choices: choices, customPrefix: prefix)
        }
    }
}

/// One value that a choice setting takes, and the facts that clients need about it.
public struct Choice: Hashable, Sendable {
    public let id: String
    /// The name that people read.
    public let name: String
    /// What a link to the choice's content begins with.
    public let links: [String]
    /// What follows `org.mpris.MediaPlayer2.` in the bus names of its players, without `.instanceN`.
    public let mpris: [String]

    public init(_ id: String, _ name: String, links: [String] = [], mpris: [String] = []) {
        self.id = id
        self.name = name
        self.links = links
        self.mpris = mpris
    }
}
