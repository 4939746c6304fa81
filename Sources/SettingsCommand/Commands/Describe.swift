internal import DBus
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let describe = Command(
        name: "describe", summary: "Explains settings: what they are for, what they take, where the value comes from",
        operands: Operands(repeated: .key),
        examples: [
            Example("describe provider.id", "explains one setting and lists its choices"),
            Example("describe --json", "explains all of them, for programs"),
        ],
        details: "With --json: an object by key, each with the fields of the D-Bus method Describe.",
        run: { invocation throws(Failure) in
            let settings = try invocation.session.answer(to: .describe(invocation.operands)).settings
            if invocation.options.json {
                let entries = settings.map { (key: $0.key, value: JSONValue($0.wire)) }
                return invocation.output.line(.object(JSONObject(entries)))
            }
            for (index, setting) in settings.enumerated() {
                if index > 0 { invocation.output.line("") }
                invocation.output.line(setting.key)
                invocation.output.line("    \(setting.description.summary).")
                let facts = TextTable(facts: setting.description.facts)
                for line in facts.aligned(escapesControls: invocation.output.isTerminal) {
                    invocation.output.line("    " + line)
                }
            }
        })
}

extension SettingDescription {
    /// The description for people.
    fileprivate var facts: [(String, String)] {
        let origin = sourceFile.map { "\(source), \($0)" } ?? source
        var facts: [(String, String)] = [
            ("value", "\(Optional(value).readable) (\(origin))"),
            ("default", Optional(defaultValue).readable),
            ("kind", kind),
        ]
        if let userValue, source != Source.user.rawValue {
            facts.append(("yours", "\(Optional(userValue).readable) (without effect, for it is locked)"))
        }
        if isLocked { facts.append(("locked", "by the administrator; only they can change it")) }
        if let maximumLength { facts.append(("length", "at most \(maximumLength) characters")) }
        if let minimum { facts.append(("minimum", minimum.text)) }
        if let maximum { facts.append(("maximum", maximum.text)) }
        if !schemes.isEmpty { facts.append(("schemes", schemes.joined(separator: ", "))) }
        let names = Dictionary(choiceDetails.map { ($0.id, $0.name) }) { first, _ in first }
        let table = TextTable(choices.map { TextTable.Row(cells: [$0, names[$0] ?? ""]) })
        for (index, choice) in table.aligned().enumerated() { facts.append((index == 0 ? "choices" : "", choice)) }
        if let pattern { facts.append((choices.isEmpty ? "choices" : "", "or what matches \(pattern)")) }
        return facts
    }
}
