internal import DBus
internal import Glibc
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel
internal import SettingsStore

extension Command {
    static let doctor = Command(
        .doctor, summary: "Looks for what is wrong with daemon and files, and repairs damaged files",
        operands: .none, options: [.repair],
        examples: [
            Example("doctor", "says what is wrong, where, and what to do"),
            Example("doctor --repair", "puts a damaged document aside and writes a good one from the journal"),
        ],
        details: """
            Works without a daemon too, and names what in the document looks like a misspelt setting. Prints AREA, a tab and a sentence for each thing that is wrong; the exit status is 0 when \
            all is well, 1 when something stays wrong. With --json: {"problems","repaired"}, where each problem has "area" and \
            "message".

            --repair moves a damaged document to settings.json.damaged-N, and a damaged journal likewise, of which the good \
            lines are kept. Nothing is removed. It is not needed for anything that the daemon mends itself.
            """,
        run: { invocation throws(Failure) in
            var checkup = Checkup(invocation)
            try checkup.run()
        })
}

/// One run of `doctor`.
private struct Checkup {
    private let invocation: Invocation
    private var findings: [Finding] = []
    private var repaired: [String] = []
    /// How many names look like settings and are none.
    private var misspellings = 0

    private struct Finding {
        let area: String
        /// What is wrong, where, and what to do.
        let sentence: String
    }

    init(_ invocation: Invocation) { self.invocation = invocation }

    mutating func run() throws(Failure) {
        let standard = try standardPaths()
        let schema = try schema()
        var service = serviceStatus(schema)
        if let paths = service?.paths ?? standard {
            if invocation.options.repairs {
                try repair(paths, schema)
                if service != nil, !repaired.isEmpty { service = serviceStatus(schema) }
            }
            if let schema {
                let found = Doctor.examine(paths: paths, schema: schema, isServed: service != nil)
                for finding in found { add(finding.area.rawValue, finding.sentence) }
                for path in [paths.document] + paths.admin + paths.vendor { noteMisspellings(in: path, schema) }
            }
        }
        for problem in service?.problems ?? [] { add("daemon", problem) }
        if service != nil { lookAtInstallation() }
        try report()
    }

    /// Adds what has not been found already: files look the same to the daemon.
    private mutating func add(_ area: String, _ sentence: String) {
        guard !findings.contains(where: { $0.sentence == sentence }) else { return }
        findings.append(Finding(area: area, sentence: sentence))
    }

    private func note(_ text: String) { invocation.messages.notice(text, of: invocation.command.name) }

    // MARK: The daemon

    /// What the daemon says about itself once it has looked at the files; nil where there is none, which is a finding unless
    /// nobody asked for one.
    ///
    /// - Parameter schema: nil where its file does not tell it; then the daemon need not have it either.
    private mutating func serviceStatus(_ schema: Schema?) -> ServiceStatus? {
        do throws(Failure) {
            _ = try invocation.session.answer(to: .reload)
            return try invocation.session.answer(to: .status)
        } catch {
            if schema == nil, error.status == .unknownName { return nil }
            let sentence = [error.message, error.hint].compactMap { $0 }.joined(separator: "; ")
            let isAbsent = error.name == "NoDaemon" || error.name == "NoBus"
            if isAbsent, invocation.options.repairs || !invocation.options.startsDaemon {
                note("\(error.message); the files are looked at without the daemon")
            } else {
                add(error.name == "NoBus" ? "bus" : "daemon", sentence)
            }
            return nil
        }
    }

    /// Says what keeps a daemon that runs from being started the next time.
    private func lookAtInstallation() {
        do throws(Failure) {
            guard let names = try invocation.session.activatableNames(), !names.contains(SettingsNames.busName.rawValue) else {
                return
            }
            note("D-Bus does not start the daemon by itself; \(ServiceFiles.remedy)")
        } catch {
            note("\(error.message), ignoring")
        }
    }

    // MARK: The files

    /// The files that a daemon uses by default; nil where they are another account's.
    ///
    /// - Throws: `ReadOnly` where they are and a repair is wanted.
    private mutating func standardPaths() throws(Failure) -> StorePaths? {
        do throws(Failure) {
            return try OwnFiles.check().paths(of: invocation.options.application)
        } catch {
            if invocation.options.repairs { throw error }
            add("folders", error.message)
            return nil
        }
    }

    /// The settings that the files hold; nil where a schema file does not tell, which is a finding.
    ///
    /// - Throws: where no such application is installed.
    private mutating func schema() throws(Failure) -> Schema? {
        do throws(Failure) {
            return try InstalledSchemas.schema(of: invocation.options.application)
        } catch {
            if error.status == .unknownName { throw error }
            for sentence in [error.message] + error.further { add("schema", sentence) }
            return nil
        }
    }

    /// Says which names in a file look like settings and are none.
    private mutating func noteMisspellings(in path: String, _ schema: Schema) {
        for sentence in Misspellings.sentences(in: path, schema) {
            note(sentence)
            misspellings += 1
        }
    }

    private mutating func repair(_ paths: StorePaths, _ schema: Schema?) throws(Failure) {
        do throws(StoreError) {
            try paths.checkOwner()
        } catch {
            throw Failure(SettingsError(.readOnly, error.message))
        }
        guard let schema else { return }
        do throws(SettingsError) {
            repaired = try Doctor.repair(paths: paths, schema: schema)
        } catch {
            throw Failure(error)
        }
    }

    // MARK: The report

    private func report() throws(Failure) {
        let output = invocation.output
        if invocation.options.json {
            let problems = findings.map { ["area": .string($0.area), "message": .string($0.sentence)] as JSONValue }
            output.line(["problems": .array(problems), "repaired": JSONValue(repaired)])
        } else {
            let rows = repaired.map { ["repaired", $0] } + findings.map { [$0.area, $0.sentence] }
            TextTable(rows.map { TextTable.Row(cells: $0) }).print(on: output)
        }
        guard !findings.isEmpty else {
            if misspellings > 0 { return note("no problems, but \(misspellings.counted("misspelt name"))") }
            return note(repaired.isEmpty ? "all is well" : "all is well now")
        }
        throw .failed(findings.count == 1 ? "1 problem remains" : "\(findings.count) problems remain")
    }
}

extension StorePaths {
    fileprivate func paths(of application: String) -> StorePaths {
        application.isEmpty ? self : .application(application, beside: self)
    }
}

extension ServiceStatus {
    /// The files that the daemon uses.
    fileprivate var paths: StorePaths? {
        guard let document = files["document"], let journal = files["journal"], let lock = files["lock"] else { return nil }
        return StorePaths(
            document: document, journal: journal, lock: lock, admin: layer("admin"), vendor: layer("vendor"))
    }
}

extension Session {
    /// The names that the bus starts somebody for; nil where it does not say.
    fileprivate func activatableNames() throws(Failure) -> [String]? {
        let call = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "ListActivatableNames")
        let bus = try connection().bus
        do throws(BusError) {
            return try bus.callAndWait(call, timeout: remaining).body().first?.strings
        } catch {
            return nil
        }
    }
}
