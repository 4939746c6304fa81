internal import EventLoop
internal import Glibc
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let watch = Command(
        .watch, summary: "Prints every value and then every change as it happens",
        operands: Operands(repeated: .sectionOrKey), options: [.exec],
        examples: [
            Example("watch", "prints everything, then each change"),
            Example("watch provider.id --json", "follows one setting, for programs"),
            Example("watch profile.name --exec 'jq -r .values[]'", "runs a command for each change"),
        ],
        details: """
            First KEY, a tab and VALUE for each setting; then, for each changed value, KEY, a tab and OLD → NEW (of a list which items), where "" \
            stands for the empty text. On a terminal each change has its time before it. A support link that is to be opened is \
            told as OpenSupportLink, a tab and link=NAME. It goes on when the daemon or the bus is restarted, with the changes that were missed \
            and all values once more. What is wrong with the files \
            is told on standard error as it comes and goes. With --no-start it waits for a daemon to come. --timeout is for the first values.

            With --json one object a line: {"event":"snapshot","revision","values"} first and after each restart, then \
            {"event":"changed","revision","values","previous","actions","origin","application","time"}, and \
            {"event":"action","action","arguments","revision"} when a support link is to be opened.

            --exec runs one command after the other, in order; one that fails is reported and the watch goes on.
            """,
        run: { invocation throws(Failure) in try Watcher(invocation).run() })
}

/// One run of `watch`. Loop-confined.
private final class Watcher {
    private let invocation: Invocation
    private let loop: EventLoop
    private let schema: Schema
    private var filter: KeyFilter?
    /// How many cells the widest of the keys takes.
    private var keyWidth = 0
    private var runner: EventRunner?
    /// What is wrong, as far as it was told.
    private var problems: [String] = []
    private var ending: Result<Void, Failure>?
    private var firstValues: Timer?

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        loop = try invocation.session.loop()
        schema = invocation.session.schema
    }

    func run() throws(Failure) {
        if let command = invocation.options.exec {
            runner = try EventRunner(command, loop: loop) { [invocation] in
                invocation.messages.report($0, of: invocation.command.name)
            }
        }
        endWithReader()
        let follower = SettingsFollower(
            loop: loop, address: try Environment.busAddress(),
            path: SettingsNames.path(ofApplication: invocation.options.application),
            startsDaemon: invocation.options.startsDaemon, timeout: invocation.options.timeout
        ) { [weak self] in self?.receive($0) }
        try invocation.session.connect { () throws(ClientError) in try follower.start() }
        firstValues = loop.schedule(after: invocation.session.remaining) { [weak self] in
            guard let self else { return }
            self.ending = .failure(self.invocation.session.failure(ClientError(.timeout, "")))
        }
        loop.run(until: { ending != nil })
        follower.stop()
        try ending?.get()
    }

    /// Ends quietly when whoever reads our output has gone, which writing would tell only at the next change.
    private func endWithReader() {
        do throws(EventLoopError) {
            try loop.watch(STDOUT_FILENO, for: []) { [weak self] _ in self?.ending = .success(()) }
        } catch {
            // A file has no reader that could go.
        }
    }

    private func receive(_ event: SettingsFollower.Event) {
        do throws(Failure) {
            switch event {
            case .snapshot(let snapshot): try show(snapshot)
            case .changed(let change):
                guard let change = filter?.change(of: change) else { return }
                try show(JSONValue(change), lines(of: change.rows(in: schema), at: change.time))
            case .action(let action, let revision):
                guard let filter, action.onlyAnnounces(in: filter, schema) else { return }
                let arguments = action.arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }
                let row = TextTable.Row(cells: [action.name, arguments.joined(separator: " ")])
                try show(JSONValue(action, revision: revision), lines(of: [row], at: currentTime()))
            case .problems(let now): tell(now)
            case .lost(let error): try lost(error)
            }
        } catch {
            ending = .failure(error)
        }
    }

    private func show(_ snapshot: SettingsSnapshot) throws(Failure) {
        let isFirst = filter == nil
        let filter: KeyFilter
        if let known = self.filter {
            filter = known
        } else {
            filter = try KeyFilter(invocation.operands, of: schema, known: snapshot.values.keys)
        }
        self.filter = filter
        firstValues?.cancel()
        let shown = SettingsSnapshot(revision: snapshot.revision, values: filter.values(of: snapshot.values))
        keyWidth = shown.values.keys.map(\.displayWidth).max() ?? 0
        let rows = shown.values.keys.inOrder(of: schema).map { TextTable.Row(cells: [$0, shown.values[$0]?.text ?? ""]) }
        try show(JSONValue(shown), lines(of: rows), isEvent: !isFirst)
    }

    /// Rows of two cells as lines: with a tab, or for a terminal with the first cell as wide as the widest key.
    ///
    /// - Parameter time: when it happened, for a terminal to show; nil: it is how things are.
    private func lines(of rows: [TextTable.Row], at time: UInt64? = nil) -> [String] {
        guard invocation.output.isTerminal else { return rows.map { $0.cells.joined(separator: "\t") } }
        let padded = rows.map { row in
            TextTable.Row(
                cells: (time.map { [localTime($0, "%H:%M:%S")] } ?? []) + [row.cells[0].padded(to: keyWidth), row.cells[1]])
        }
        return TextTable(padded).aligned()
    }

    /// - Parameter isEvent: whether the command of `--exec` is run for it.
    private func show(_ event: JSONValue, _ lines: [String], isEvent: Bool = true) throws(Failure) {
        let output = invocation.output
        if invocation.options.json {
            output.line(event)
        } else {
            for line in lines { output.line(line) }
        }
        try output.flush()
        if isEvent { runner?.run(event) }
    }

    /// Tells people what is wrong with the files as it comes, and when all of it has gone; programs ask `status`.
    private func tell(_ now: [String]) {
        defer { problems = now }
        if invocation.options.json { return }
        for sentence in now where !problems.contains(sentence) {
            invocation.messages.report(.failed(sentence), of: invocation.command.name)
        }
        if now.isEmpty { invocation.messages.notice("nothing is wrong any more", of: invocation.command.name) }
    }

    private func lost(_ error: ClientError) throws(Failure) {
        let isAwaited = error.kind == .noDaemon && !invocation.options.startsDaemon
        // Before the first values a loss is a failure, unless the daemon was not to be started.
        guard filter != nil || isAwaited else { throw invocation.session.failure(error) }
        firstValues?.cancel()
        let failure = Failure(ClientError(error.kind, "\(error.message); waiting for it to come back"))
        invocation.messages.warn(of: failure, in: invocation.command.name)
    }
}

extension Action {
    /// Whether the action changes nothing and only asks others to do something, about a key that is watched.
    fileprivate func onlyAnnounces(in filter: KeyFilter, _ schema: Schema) -> Bool {
        guard let declaration = schema.actions.first(where: { $0.name == name }), declaration.onlyAnnounces
        else { return false }
        let keys = declaration.steps.compactMap { step -> String? in
            switch step {
            case .answer(_, .key(let key), _): key
            case .answer(_, .member(let section, let argument), _): "\(section).\(arguments[argument]?.string ?? "")"
            default: nil
            }
        }
        return keys.isEmpty || keys.contains(where: filter.contains)
    }
}
