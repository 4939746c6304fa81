public import DBus
public import SettingsModel

/// What `Describe` says about the values that a setting takes, the items of a list and the fields of a record, too.
///
/// `kind` is a text and no enumeration, so that what a newer daemon says is passed on unchanged.
public struct RuleDescription: Hashable, Sendable {
    /// The D-Bus type of the value.
    public var type: String
    /// What kind of value it is: the name of a type of JSON Schema or of a string format, or `choice`.
    public var kind: String
    /// The values that are allowed, as texts; empty where the rule lists none.
    public var choices: [String] = []
    /// A regular expression that values match; of a choice: further values than its choices.
    public var pattern: String?
    /// The schemes that a link may have; empty for other kinds.
    public var schemes: [String] = []
    public var minimum: SettingValue?
    public var maximum: SettingValue?
    /// Grapheme clusters.
    public var minimumLength: UInt64?
    /// Grapheme clusters.
    public var maximumLength: UInt64?
    public var minimumItems: UInt64?
    public var maximumItems: UInt64?
    /// Whether no two items of a list may be equal.
    public var isUnique = false
    /// What is known about each choice, in the order of `choices`.
    public var choiceDetails: [Choice] = []
    /// What each field of a record takes, in declared order.
    public var fields: [Field] = []
    /// One or none; a structure cannot hold another one of its kind otherwise.
    private var items: [RuleDescription] = []

    /// A field of a record.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var summary: String
        /// Whether no record may lack it.
        public var isRequired: Bool
        public var rule: RuleDescription
    }

    /// What each item of a list takes; nil for what is no list.
    public var item: RuleDescription? { items.first }

    /// Describes a rule.
    public init(_ rule: ValueRule) {
        type = rule.type.signature.rawValue
        kind = rule.kind
        switch rule {
        case .string(let rule):
            pattern = rule.patternSource
            minimumLength = rule.minimumLength > 0 ? UInt64(rule.minimumLength) : nil
            maximumLength = rule.maximumLength.map(UInt64.init)
            if case .uri(let allowed) = rule.format { schemes = allowed }
            choices = rule.choices?.known.map(\.id) ?? []
            choiceDetails = rule.choices?.known ?? []
        case .integer(let bounds):
            (minimum, maximum) = (bounds.minimum.map(SettingValue.integer), bounds.maximum.map(SettingValue.integer))
            choices = bounds.choices.map { String($0) }
        case .number(let bounds):
            (minimum, maximum) = (bounds.minimum.map(SettingValue.number), bounds.maximum.map(SettingValue.number))
            choices = bounds.choices.map { String(written: $0) }
        case .list(let rule):
            minimumItems = rule.minimumCount > 0 ? UInt64(rule.minimumCount) : nil
            maximumItems = rule.maximumCount.map(UInt64.init)
            isUnique = rule.isUnique
            items = [RuleDescription(rule.item)]
        case .record(let rule):
            fields = rule.fields.map {
                Field(name: $0.name, summary: $0.summary, isRequired: $0.isRequired, rule: RuleDescription($0.rule))
            }
        case .boolean, .unchecked: break
        }
    }
}

extension RuleDescription {
    /// The names in a description on the bus.
    fileprivate enum Name {
        static let type = "type"
        static let kind = "kind"
        static let choices = "choices"
        static let pattern = "pattern"
        static let schemes = "schemes"
        static let minimum = "minimum"
        static let maximum = "maximum"
        static let minimumLength = "minimum_length"
        static let maximumLength = "maximum_length"
        static let minimumItems = "minimum_items"
        static let maximumItems = "maximum_items"
        static let unique = "unique"
        static let choiceDetails = "choice_details"
        static let item = "item"
        static let fields = "fields"
        static let required = "required"
        static let summary = "summary"
    }

    /// The entries of the inner dictionary of the answer of `Describe`; what does not apply is absent.
    public var wire: [(String, Value)] {
        var wire: [(String, Value)] = [(Name.type, .string(type)), (Name.kind, .string(kind))]
        if !choices.isEmpty { wire.append((Name.choices, .strings(choices))) }
        if let pattern { wire.append((Name.pattern, .string(pattern))) }
        if !schemes.isEmpty { wire.append((Name.schemes, .strings(schemes))) }
        if let minimum { wire.append((Name.minimum, Value(minimum))) }
        if let maximum { wire.append((Name.maximum, Value(maximum))) }
        if let minimumLength { wire.append((Name.minimumLength, .uint64(minimumLength))) }
        if let maximumLength { wire.append((Name.maximumLength, .uint64(maximumLength))) }
        if let minimumItems { wire.append((Name.minimumItems, .uint64(minimumItems))) }
        if let maximumItems { wire.append((Name.maximumItems, .uint64(maximumItems))) }
        if isUnique { wire.append((Name.unique, .boolean(true))) }
        if !choiceDetails.isEmpty { wire.append((Name.choiceDetails, .named(choiceDetails.map { ($0.id, $0.wire) }))) }
        if let item { wire.append((Name.item, .variants(item.wire))) }
        if !fields.isEmpty { wire.append((Name.fields, .named(fields.map { ($0.name, $0.wire) }))) }
        return wire
    }

    /// A description from the inner dictionary of the answer of `Describe`; entries that are newer than this code are passed
    /// over.
    ///
    /// - Returns: nil where the type or the kind is missing or has another type.
    public init?(_ wire: Value) {
        let entries = Dictionary(wire.variants ?? []) { first, _ in first }
        guard let type = entries[Name.type]?.string, let kind = entries[Name.kind]?.string else { return nil }
        self.type = type
        self.kind = kind
        choices = entries[Name.choices]?.strings ?? []
        pattern = entries[Name.pattern]?.string
        schemes = entries[Name.schemes]?.strings ?? []
        minimum = entries[Name.minimum]?.settingValue()
        maximum = entries[Name.maximum]?.settingValue()
        minimumLength = entries[Name.minimumLength]?.uint64
        maximumLength = entries[Name.maximumLength]?.uint64
        minimumItems = entries[Name.minimumItems]?.uint64
        maximumItems = entries[Name.maximumItems]?.uint64
        isUnique = entries[Name.unique]?.boolean ?? false
        choiceDetails = entries[Name.choiceDetails]?.named?.map { Choice(id: $0.0, wire: $0.1) } ?? []
        items = entries[Name.item].flatMap { RuleDescription($0) }.map { [$0] } ?? []
        fields = entries[Name.fields]?.named?.compactMap { Field(name: $0.0, wire: $0.1) } ?? []
    }
}

extension RuleDescription.Field {
    fileprivate var wire: Value {
        .variants(
            rule.wire + [
                (RuleDescription.Name.required, .boolean(isRequired)), (RuleDescription.Name.summary, .string(summary)),
            ])
    }

    fileprivate init?(name: String, wire: Value) {
        guard let rule = RuleDescription(wire) else { return nil }
        let entries = Dictionary(wire.variants ?? []) { first, _ in first }
        self.init(
            name: name, summary: entries[RuleDescription.Name.summary]?.string ?? "",
            isRequired: entries[RuleDescription.Name.required]?.boolean ?? false, rule: rule)
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
