internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel
internal import Spelling

extension Command {
    static let list = Command(
        .list, summary: "Shows every value, marked with * where it is not the default",
        operands: Operands(repeated: .sectionOrKey),
        examples: [
            Example("", "shows every setting, marked with * where it is not the default"),
            Example("list support", "shows the settings of one section"),
            Example("list --json", "is for programs"),
        ],
        details: """
            Into a pipe it writes KEY, SOURCE and VALUE with tabs between them. The source is where the value comes from: \
            locked (an administrator has fixed it), user, admin, vendor or default. On a terminal (locked) behind another \
            source says that an administrator keeps the value from being changed.
            With --json: {"revision","values"}.
            """,
        run: { invocation throws(Failure) in
            if invocation.options.json {
                let snapshot = try invocation.session.answer(to: .readAll)
                let keys = Set(
                    try selected(invocation.operands, from: snapshot.values.keys.inOrder(of: invocation.session.schema)))
                let values = snapshot.values.filter { keys.contains($0.key) }
                return invocation.output.line(["revision": JSONValue(snapshot.revision), "values": JSONValue(values)])
            }
            let settings = try invocation.session.answer(to: .describe()).settings
            let keys = Set(try selected(invocation.operands, from: settings.map(\.key)))
            let isTerminal = invocation.output.isTerminal
            var rows = settings.filter { keys.contains($0.key) }.map { setting in
                let source = setting.description.source
                let text = setting.description.value.text
                guard isTerminal else { return TextTable.Row(cells: [setting.key, source, text]) }
                let shown = text.withBlanksQuoted
                let isDefault = source == Source.default.rawValue
                let lock = setting.description.isLocked && source != Source.locked.rawValue ? " (locked)" : ""
                return TextTable.Row(
                    cells: [isDefault ? " " : "*", setting.key, source + lock, shown], style: isDefault ? .plain : .bold)
            }
            if isTerminal { rows.insert(TextTable.Row(cells: [" ", "KEY", "SOURCE", "VALUE"], style: .dim), at: 0) }
            TextTable(rows).print(on: invocation.output)
            if isTerminal { try tellProblems(invocation) }
        })

    /// Says behind the values that the daemon has something to say about them.
    private static func tellProblems(_ invocation: Invocation) throws(Failure) {
        if invocation.options.isQuiet { return }
        try invocation.output.flush()
        let count = try invocation.session.answer(to: .status).problems.count
        if count > 0 {
            invocation.messages.notice("\(count.counted("problem")); see settingsctl status", of: "list")
        }
    }

    /// The keys that names of sections and keys stand for; none: all of them.
    private static func selected(_ names: [String], from keys: [String]) throws(Failure) -> [String] {
        if names.isEmpty { return keys }
        var found: [String] = []
        for name in names {
            let matching = keys.filter { $0 == name || $0.hasPrefix(name + ".") }
            if matching.isEmpty {
                var sections: [String] = []
                for section in keys.map({ String($0.prefix { $0 != "." }) }) where section != sections.last {
                    sections.append(section)
                }
                let hint = Suggestion.hint(
                    for: name, among: keys + sections, otherwise: "; the sections are \(sections.joined(separator: ", "))")
                throw Failure(SettingsError(.unknownKey, "there is no section or setting \(name.quoted())\(hint)"))
            }
            found += matching
        }
        return found
    }
}
