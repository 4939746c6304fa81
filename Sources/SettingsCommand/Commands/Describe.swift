internal import DBus
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let describe = Command(
        .describe, summary: "Explains settings: what they are for, what they take, where the value comes from",
        operands: Operands(repeated: .sectionOrKey),
        examples: [
            Example("describe provider.id", "explains one setting and lists its choices"),
            Example("describe profile", "explains the settings of one section"),
            Example("describe --json", "explains all of them, for programs"),
        ],
        details: "With --json: an object by key, each with the fields of the D-Bus method Describe.",
        run: { invocation throws(Failure) in
            let settings = try settings(invocation)
            if invocation.options.json {
                let entries = settings.map { (key: $0.key, value: JSONValue($0.wire)) }
                return invocation.output.line(.object(JSONObject(entries)))
            }
            for (index, setting) in settings.enumerated() {
                if index > 0 { invocation.output.line("") }
                invocation.output.line(setting.key)
                if !setting.description.summary.isEmpty { invocation.output.line("    \(setting.description.summary).") }
                let facts = TextTable(facts: setting.description.facts)
                for line in facts.aligned(escapesControls: invocation.output.isTerminal) {
                    invocation.output.line("    " + line)
                }
            }
        })

    private static func settings(_ invocation: Invocation) throws(Failure) -> [SettingsDescription.Entry] {
        do throws(Failure) {
            return try invocation.session.answer(to: .describe(invocation.operands.flatMap(invocation.session.keys))).settings
        } catch {
            guard error.status == .unknownName, error.hint == nil else { throw error }
            let actions = Set(invocation.session.schema.actions.map(\.name))
            var failure = error
            failure.hint = invocation.operands.first(where: actions.contains).map {
                "\($0) is an action: settingsctl actions \($0) explains it"
            }
            throw failure
        }
    }
}

extension SettingDescription {
    /// The description for people.
    fileprivate var facts: [(String, String)] {
        let origin = sourceFile.map { "\(source), \($0)" } ?? source
        var facts: [(String, String)] = [
            ("value", "\(Optional(value).readable) (\(origin))"),
            ("default", Optional(defaultValue).readable),
            ("kind", rule.kind),
        ]
        if let problem { facts.append(("problem", problem)) }
        if let userValue, source != Source.user.rawValue {
            facts.append(("yours", "\(Optional(userValue).readable) (without effect, for it is locked)"))
        }
        if isLocked { facts.append(("locked", "by the administrator; only they can change it")) }
        if let length = rule.length { facts.append(("length", length)) }
        if let minimum = rule.minimum { facts.append(("minimum", minimum.text)) }
        if let maximum = rule.maximum { facts.append(("maximum", maximum.text)) }
        if !rule.schemes.isEmpty { facts.append(("schemes", rule.schemes.joined(separator: ", "))) }
        let names = Dictionary(rule.choiceDetails.map { ($0.id, $0.name) }) { first, _ in first }
        facts += Self.rows(of: "choices", rule.choices.map { [$0, names[$0] == $0 ? "" : names[$0] ?? ""] })
        if let pattern = rule.pattern {
            facts.append(rule.choices.isEmpty ? ("pattern", pattern) : ("", "or what matches \(pattern)"))
        }
        if let item = rule.item { facts.append(("items", item.fields.isEmpty ? item.words : item.kind)) }
        let fields = (rule.item ?? rule).fields
        return facts + Self.rows(of: "fields", fields.map { [$0.name, $0.words, $0.summary] })
    }

    private static func rows(of name: String, _ cells: [[String]]) -> [(String, String)] {
        let lines = TextTable(cells.map { TextTable.Row(cells: $0) }).aligned()
        return lines.enumerated().map { ($0 == 0 ? name : "", $1) }
    }
}

extension RuleDescription {
    /// How long a text or a list may be; nil where that is not said.
    fileprivate var length: String? {
        let unit = minimumItems ?? maximumItems == nil ? "character" : "item"
        let bounds = UInt64.range(minimumLength ?? minimumItems, maximumLength ?? maximumItems, of: unit)
        let parts = [bounds, isUnique ? "each item once" : nil].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The rule in a few words, for an item, a field or an argument.
    var words: String {
        let fields = fields.map { "\($0.name): \($0.words)" }.joined(separator: "; ")
        let content = item.map { " of \($0.words)" } ?? (fields.isEmpty ? "" : " (\(fields))")
        let parts = [
            kind + content, length, minimum.map { "at least \($0.text)" },
            maximum.map { "at most \($0.text)" }, choices.isEmpty ? nil : "one of \(choices.joined(separator: ", "))",
            pattern.map { "matching \($0)" }, schemes.isEmpty ? nil : "with \(schemes.joined(separator: ", "))",
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension RuleDescription.Field {
    fileprivate var words: String { isRequired ? "\(rule.words), required" : rule.words }
}
