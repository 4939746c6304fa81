internal import DBus
internal import EventLoop
internal import Glibc
internal import JSON
internal import SettingsClient

extension Command {
    static let status = Command(
        .status, summary: "Shows the daemon, its revision and files, and what is wrong",
        operands: .none,
        examples: [Example("status", "shows problems with what to do about them")],
        details: """
            The exit status is 0 with problems too. With --json: \
            {"revision","version","instance","pid","document","journal","layers","problems"}.
            """,
        run: { invocation throws(Failure) in
            let reply = try invocation.session.reply(to: .status)
            let process = try invocation.session.process(of: reply.sender)
            if invocation.options.json {
                return invocation.output.line(json(reply.answer, process: process))
            }
            let facts = TextTable(facts: facts(reply.answer, process: process))
            for line in facts.aligned(escapesControls: invocation.output.isTerminal) { invocation.output.line(line) }
        })

    private static func json(_ status: ServiceStatus, process: Int32?) -> JSONValue {
        [
            "revision": JSONValue(status.revision), "version": .string(status.version),
            "instance": .string(status.instance), "pid": process.map { JSONValue(Int64($0)) } ?? .null,
            "document": .string(status.files["document"] ?? ""), "journal": .string(status.files["journal"] ?? ""),
            "layers": ["admin": JSONValue(status.layer("admin")), "vendor": JSONValue(status.layer("vendor"))],
            "problems": JSONValue(status.problems),
        ]
    }

    private static func facts(_ status: ServiceStatus, process: Int32?) -> [(String, String)] {
        var facts: [(String, String)] = [
            ("daemon", "settingsd \(status.version)" + (process.map { ", process \($0)" } ?? "")),
            ("revision", "\(status.revision)"),
            ("document", status.files["document"] ?? ""), ("journal", status.files["journal"] ?? ""),
        ]
        for layer in ["admin", "vendor"] {
            for (index, path) in status.layer(layer).enumerated() { facts.append((index == 0 ? layer : "", shown(path))) }
        }
        if status.problems.isEmpty { facts.append(("problems", "none")) }
        for (index, problem) in status.problems.enumerated() { facts.append((index == 0 ? "problems" : "", problem)) }
        return facts
    }

    /// The files of a layer are where one would be looked for.
    private static func shown(_ path: String) -> String {
        unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR ? path : "\(path) (not there)"
    }
}

extension ServiceStatus {
    /// The files of a layer, the most important first.
    func layer(_ name: String) -> [String] {
        (files[name] ?? "").split(separator: ":").map(String.init)
    }
}

extension Session {
    /// The process behind a name on the bus; nil where the bus cannot tell.
    fileprivate func process(of name: String) throws(Failure) -> Int32? {
        let bus = try connection().bus
        var answer: Result<Int32, BusError>?
        bus.processID(of: name) { answer = $0 }
        _ = bus.loop.run(until: { answer != nil }, timeout: remaining)
        if case .success(let process)? = answer { return process }
        return nil
    }
}
