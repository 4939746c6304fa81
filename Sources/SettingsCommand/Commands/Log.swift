internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let log = Command(
        .log, summary: "Shows who changed what and when, oldest first",
        operands: Operands(repeated: .sectionOrKey), options: [.number],
        examples: [
            Example("log -n 10", "shows the newest ten changes"),
            Example("log profile.name", "shows every change of one setting"),
            Example("log provider", "shows every change of one section"),
        ],
        details: """
            A line for each changed value: revision, time, the application (- where none is known), the actions, key, and \
            OLD → NEW, of a list which items were added, removed or changed. In place of actions stands file for an edit of the document by hand, layer for the administrator's and \
            vendor's files. Into a pipe there are tabs between them. \
            With --json: one object a line, as watch --json prints changes.
            """,
        run: { invocation throws(Failure) in
            let history = try invocation.session.history()
            let schema = invocation.session.schema
            let filter = try KeyFilter(
                invocation.operands, of: schema, known: history.changes.flatMap(\.values.keys))
            let found = history.changes.compactMap(filter.change)
            let shown = found.suffix(invocation.options.number ?? found.count)
            if invocation.options.json {
                for change in shown { invocation.output.line(JSONValue(change)) }
                return
            }
            let isTerminal = invocation.output.isTerminal
            TextTable(shown.flatMap { rows($0, schema, isTerminal: isTerminal) }).print(on: invocation.output)
            if history.start > 0, shown.count == found.count { try invocation.tellBeginning(history.start) }
        })

    private static func rows(_ change: SettingsChange, _ schema: Schema, isTerminal: Bool) -> [TextTable.Row] {
        let what = change.actions.isEmpty ? change.origin.rawValue : change.actions.joined(separator: ",")
        let head = [
            "\(change.revision)", localTime(change.time, "%Y-%m-%d %H:%M:%S" + (isTerminal ? "" : "%z")),
            change.application.isEmpty ? "-" : change.application, what,
        ]
        if change.values.isEmpty { return [TextTable.Row(cells: head + ["-", "no effective value has changed"])] }
        return change.rows(in: schema).map { TextTable.Row(cells: head + $0.cells) }
    }
}

extension Invocation {
    /// Says why the history begins with the changes after a revision.
    fileprivate func tellBeginning(_ revision: UInt64) throws(Failure) {
        let damage = try session.answer(to: .status).damagedLines
        for sentence in damage { messages.notice(sentence, of: command.name) }
        messages.notice(
            damage.isEmpty
                ? "older changes are no longer in the history, or too long to be told"
                : "the changes up to revision \(revision) are not shown, for one of them is missing",
            of: command.name)
    }
}

extension ServiceStatus {
    /// A sentence for each line of the journal that the daemon has passed over.
    fileprivate var damagedLines: [String] {
        guard let journal = files["journal"] else { return [] }
        return problems.filter { $0.utf8.starts(with: "\(journal), line ".utf8) }
    }
}

extension Session {
    /// Every change that the daemon still knows, up to the newest without a gap, and the revision that they begin after.
    fileprivate func history() throws(Failure) -> (changes: [SettingsChange], start: UInt64) {
        var answer = try self.answer(to: .changes(since: 0))
        if answer.isComplete { return (answer.changes, 0) }
        // The daemon answers all or nothing, so the oldest revision that it knows the changes after is searched for.
        var (tooOld, known) = (UInt64(0), answer.revision)
        while known - tooOld > 1 {
            let middle = tooOld + (known - tooOld) / 2
            let attempt = try self.answer(to: .changes(since: middle))
            if attempt.isComplete { (known, answer) = (middle, attempt) } else { tooOld = middle }
        }
        return (answer.changes, known)
    }
}
