internal import JSON
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let undo = Command(
        .undo, summary: "Takes the last change back, whoever made it, and prints what that changed",
        operands: .none,
        examples: [Example("undo", "prints KEY and OLD → NEW for each value that changed")],
        details: """
            May be repeated, and itself be taken back by redo. Of a list it prints which items were added, removed or changed. \
            Into a pipe there is a tab between KEY and OLD → NEW. With --json: {"revision","values"}.
            """,
        run: { invocation throws(Failure) in try invocation.step(.undo) })

    static let redo = Command(
        .redo, summary: "Makes the last undone change again and prints what that changed",
        operands: .none,
        examples: [Example("redo", "prints KEY and OLD → NEW for each value that changed")],
        details: """
            Of a list it prints which items were added, removed or changed. Into a pipe there is a tab between KEY and \
            OLD → NEW. With --json: {"revision","values"}.
            """,
        run: { invocation throws(Failure) in try invocation.step(.redo) })
}

extension Invocation {
    fileprivate func step(_ action: Action) throws(Failure) {
        let (revision, change) = try session.report(
            of: .dispatch([action], expecting: options.expectedRevision))
        show(change, revision: revision, otherwise: "no effective value has changed")
    }

    /// Prints what a change has changed, or would.
    ///
    /// - Parameters:
    ///   - change: nil where nothing changed.
    ///   - notice: what to say where it changes no effective value.
    func show(_ change: SettingsChange?, revision: UInt64, otherwise notice: String) {
        if options.json { return output.line(JSONValue(revision: revision, change: change)) }
        let rows = change?.rows(in: session.schema) ?? []
        TextTable(rows).print(on: output)
        if rows.isEmpty { messages.notice(notice, of: command.name) }
    }
}
