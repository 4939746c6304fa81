/// What texts are allowed: every part that is given must hold.
public struct StringRule: Hashable, Sendable {
    /// Grapheme clusters, which is what people take for characters.
    public var minimumLength: Int
    /// Grapheme clusters.
    public var maximumLength: Int?
    /// Bytes of UTF-8.
    public var maximumBytes: Int
    /// Whether it is one line that people read: no control characters and no bidirectional formatting.
    public var isLabel: Bool
    /// What the text means; nil: nothing in particular.
    public var format: StringFormat?
    /// The texts that are allowed; nil: all.
    public var choices: Choices?
    /// What the text must match; nil: anything.
    public var pattern: Pattern?

    /// The size of the longest text that goes over the bus in a call.
    public static let largestSize = 65_536

    /// Makes a rule of the parts that are given; without any it takes every text.
    public init(
        minimumLength: Int = 0, maximumLength: Int? = nil, maximumBytes: Int = largestSize, isLabel: Bool = false,
        format: StringFormat? = nil, choices: Choices? = nil, pattern: Pattern? = nil
    ) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumBytes = maximumBytes
        self.isLabel = isLabel
        self.format = format
        self.choices = choices
        self.pattern = pattern
    }

    /// The word for the rule in `describe`.
    var kind: String { format?.name ?? (choices == nil ? "string" : "choice") }

    /// Says what is wrong with `text`, or nil when nothing is.
    func fault(in text: String, _ effort: inout Effort) -> String? {
        if isLabel, let fault = TextRule.labelFault(in: text) { return fault }
        return TextRule.sizeFault(in: text, minimumLength, maximumLength, maximumBytes: maximumBytes)
            ?? format?.fault(in: text) ?? choices?.fault(in: text) ?? TextRule.wireFault(in: text)
            ?? pattern?.fault(in: text, &effort)
    }
}

/// The texts that a choice takes.
public struct Choices: Hashable, Sendable {
    /// The texts that are known by name.
    public var known: [Choice]
    /// What a text begins with that is none of the known ones and followed by a name: 1 to 63 of a-z, 0-9 and -, the first no
    /// hyphen; nil: there are no others.
    public var customPrefix: String?

    /// Makes a choice of known texts and, with a prefix, of others that begin with it.
    public init(_ known: [Choice], customPrefix: String? = nil) {
        self.known = known
        self.customPrefix = customPrefix
    }

    func fault(in text: String) -> String? { ChoiceRule.fault(in: text, choices: known, customPrefix: customPrefix) }
}

/// One value that a choice setting takes, and the facts that clients need about it.
public struct Choice: Hashable, Sendable {
    /// The text that the setting takes.
    public let id: String
    /// The name that people read.
    public let name: String
    /// What a link to the choice's content begins with.
    public let links: [String]
    /// What follows `org.mpris.MediaPlayer2.` in the bus names of its players, without `.instanceN`.
    public let mpris: [String]

    /// Makes a choice of a text and the name that people read.
    public init(_ id: String, _ name: String, links: [String] = [], mpris: [String] = []) {
        self.id = id
        self.name = name
        self.links = links
        self.mpris = mpris
    }
}

/// What a text means, and so how it is written.
public enum StringFormat: Hashable, Sendable {
    /// Empty, or an address.
    case email
    /// Empty, or a link with one of these schemes; none: with any.
    case uri(schemes: [String])
    /// RFC 9562, section 4.
    case uuid
    /// RFC 3339's `full-date`.
    case date
    /// RFC 3339's `date-time`.
    case dateTime
    /// The name of a time zone in the IANA database, as far as its syntax goes: one that is not known here stays.
    case timeZone

    /// The word in `describe`, and in JSON Schema.
    public var name: String {
        switch self {
        case .email: "email"
        case .uri: "uri"
        case .uuid: "uuid"
        case .date: "date"
        case .dateTime: "date-time"
        case .timeZone: "time-zone"
        }
    }

    /// Every format by its name; a link of any scheme among them.
    public static let named: [StringFormat] = [.email, .uri(schemes: []), .uuid, .date, .dateTime, .timeZone]

    func fault(in text: String) -> String? {
        switch self {
        case .email: EmailRule.fault(in: text)
        case .uri(let schemes): URIRule.fault(in: text, schemes: schemes)
        case .uuid: NameRules.uuidFault(in: text)
        case .date: DateRule.dateFault(in: text)
        case .dateTime: DateRule.dateTimeFault(in: text)
        case .timeZone: NameRules.timeZoneFault(in: text)
        }
    }
}

extension ValueRule {
    /// One line of text of at most `maximumLength` grapheme clusters and `maximumBytes` bytes of UTF-8.
    public static func text(maximumLength: Int, maximumBytes: Int) -> ValueRule {
        .string(StringRule(maximumLength: maximumLength, maximumBytes: maximumBytes, isLabel: true))
    }

    /// Empty, or an e-mail address.
    public static let email = ValueRule.string(StringRule(format: .email))

    /// A link with one of these schemes.
    public static func uri(schemes: [String]) -> ValueRule { .string(StringRule(format: .uri(schemes: schemes))) }

    /// One of the choices, or a custom one: `prefix` and then 1 to 63 of a-z, 0-9 and -, the first no hyphen.
    public static func choice(_ known: [Choice], customPrefix: String? = nil) -> ValueRule {
        .string(StringRule(choices: Choices(known, customPrefix: customPrefix)))
    }
}
