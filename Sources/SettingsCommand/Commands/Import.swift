internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let `import` = Command(
        .import, summary: "Changes settings to what a file says, all or none, in one transaction",
        operands: Operands(.file, usage: "FILE|- [--dry-run] [--skip-locked] [--merge|--replace]"),
        options: [.dryRun, .skipLocked, .merge, .replace],
        examples: [
            Example("import settings.json", "changes the settings that the file gives"),
            Example("import settings.json --dry-run", "says what that would change"),
            Example("import settings.json --replace", "resets all that the file does not give"),
            Example("import -", "reads standard input, as in ssh host settingsctl export | settingsctl import -"),
        ],
        details: """
            The file is one that export wrote, or a document. Everything that is wrong with it is reported at once, each with \
            its line and column, and then nothing is changed.
            Prints nothing; --dry-run prints KEY, a tab and OLD → NEW for each value that would change, of a list \
            which items. With --json: \
            {"revision","values"}, the values being those that have changed or would.
            """,
        run: { invocation throws(Failure) in
            if invocation.options.merges, invocation.options.replaces {
                throw invocation.usage("--merge and --replace exclude each other")
            }
            let path = invocation.operands[0]
            let bytes = try UserFile.read(path)
            try invocation.renewed().importSettings(bytes, name: UserFile.name(of: path))
        })
}

extension Invocation {
    fileprivate func importSettings(_ bytes: [UInt8], name: String) throws(Failure) {
        let known = try session.answer(to: .describe())
        let text = try SettingsText(bytes, name: name, known: known, schema: session.schema)
        let found = try session.faults(in: text.entries[...], of: text)
        let locked = options.skipsLocked ? Set(found.filter { $0.error.name == .locked }.map(\.key)) : []
        let faults = text.faults + found.filter { !locked.contains($0.key) }
        guard faults.isEmpty else {
            var failure = Failure(faults)
            if failure.status == .lockedOrReadOnly {
                failure.hint = "nothing was changed; --skip-locked leaves out what is locked"
            }
            throw failure
        }
        for key in locked.inOrder(of: session.schema) { messages.notice("\(key) is locked and is left out", of: command.name) }
        let values = text.entries.filter { !locked.contains($0.key) }
        let actions = (options.replaces ? [Action.resetAll] : []) + [values.action]
        if options.dryRun {
            try preview(actions, known)
        } else {
            try change(.dispatch(actions, expecting: options.expectedRevision))
        }
    }

    private func preview(_ actions: [Action], _ known: SettingsDescription) throws(Failure) {
        if let expected = options.expectedRevision { try known.check(expected) }
        let previous = Dictionary(known.settings.map { ($0.key, $0.description.value) }) { first, _ in first }
        let change = SettingsChange(
            revision: known.revision, values: try session.answer(to: .preview(actions)), previous: previous, actions: [],
            origin: .bus, application: "", time: 0)
        if options.replaces {
            for setting in known.settings {
                guard let problem = setting.description.problem else { continue }
                messages.notice("what stands for \(setting.key) would be taken out: \(problem)", of: command.name)
            }
        }
        show(change, revision: known.revision, otherwise: "no effective value would change")
    }
}
