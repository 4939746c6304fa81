import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// What the speed comes from, counted, since counts are the same on every machine.
@Suite(.timeLimit(.minutes(2)))
struct CountTests {
    /// What passes on the bus: registration (a call, its answer, two signals of names and one at the end of each), the call and
    /// its answer. A change has three announcements, and the daemon asks the bus once who its caller is. An application's
    /// settings cost the same.
    @Test(arguments: [
        (["get", "profile.name"], 8), (["set", "profile.name", "Ada"], 13), (["-a", WorldClock.id, "get", "meeting.start"], 8),
        (["-a", WorldClock.id, "set", "meeting.start", "9"], 13), (["-a", WorldClock.id, "insert", "zones", "Asia/Tokyo"], 13),
    ])
    func aCommandSendsNoMessageMoreThanItNeeds(_ arguments: [String], _ expected: Int) throws {
        let session = try TestSession()
        try session.install()
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Grace")
        try session.control("-a", WorldClock.id, "set", "meeting.start", "10")
        let monitor = try RunningProcess("dbus-monitor", ["--session", "--profile"], environment: session.environment)
        try monitor.waitForOutput("NameLost")
        let before = Self.messages(of: monitor).count
        let result = try session.startControl(arguments).result()
        #expect(result.status == .exited(0), "\(result)\n\(daemon.log)")
        // A caller that comes later says Hello after everything else.
        let late = try Caller(session)
        try late.ask("ReadAll")
        try monitor.waitForOutput("ReadAll")
        let seen = Self.messages(of: monitor).dropFirst(before)
        let hellos = seen.indices.filter { seen[$0].hasSuffix("\tHello") }
        let own = seen[..<(try #require(hellos.dropFirst().first))]
        #expect(own.count == expected, "\(own.joined(separator: "\n"))")
    }

    /// From the loop to the end: the loop itself, connecting, saying who we are, one call; nothing is taken apart. A sanitizer asks for memory in between.
    @Test(.enabled(if: !RunningProcess.isSanitized), arguments: [["get", "profile.name"], ["set", "profile.name", "Ada"]])
    func aCommandMakesFewSystemCalls(_ arguments: [String]) throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Grace")
        let trace = session.folder.path("trace")
        let command = try RunningProcess(
            "strace", ["-o", trace, Products.path("settingsctl")] + arguments, environment: session.environment)
        #expect(try command.waitForExit() == .exited(0), "\(command.log)\n\(daemon.log)")
        let lines = (session.folder.read("trace") ?? "").split(separator: "\n")
        let calls = lines.drop { !$0.hasPrefix("epoll_create1(") }.filter { $0.contains("(") }
        #expect(calls.last?.hasPrefix("exit_group(") == true && calls.count <= 58, "\(calls.joined(separator: "\n"))")
        #expect(!calls.contains { $0.hasPrefix("close(") }, "\(calls.joined(separator: "\n"))")
    }

    private static func messages(of monitor: RunningProcess) -> [String] {
        monitor.stdout.split(separator: "\n").filter { line in ["mc\t", "mr\t", "sig\t", "err\t"].contains { line.hasPrefix($0) }
        }
        .map(String.init)
    }

    /// Waiting, reading until the socket is empty, a look whether more has come, and writing the answer.
    @Test func aReadCostsTheDaemonFewSystemCalls() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        try caller.ask("Read", [.string("profile.name")])
        let count = 20
        let calls = try Self.systemCalls(of: daemon, in: session) {
            for _ in 0..<count { try caller.ask("Read", [.string("profile.name")]) }
        }
        #expect(calls.count < 6 * count, "\(calls.joined(separator: "\n"))")
    }

    /// Whether the document may be replaced is found out once and then known, as long as it and its folder stay as they are;
    /// random bits are asked for at the start.
    @Test func aChangeCostsTheDaemonNoSystemCallForWhatItKnows() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        _ = try caller.write([("profile.name", .string("Ada"))])
        let count = 100
        let calls = try Self.systemCalls(of: daemon, in: session) {
            for number in 0..<count { _ = try caller.write([("profile.name", .string("Ada \(number)"))]) }
        }
        let looks = calls.filter { $0.contains("readlink(") || $0.contains("statx(") || $0.contains("getrandom(") }
        #expect(looks.count < count, "\(looks.joined(separator: "\n"))")
    }

    @Test func changesThatArriveTogetherShareAFlush() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        try caller.ask("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        let count = 400
        let calls = try Self.systemCalls(of: daemon, in: session) {
            var answered = 0
            for number in 0..<count {
                let values = Value.variants([("profile.name", .string("Ada \(number)"))])
                caller.connection.call(try Caller.message("Write", [values, .variants([])])) { _ in answered += 1 }
            }
            caller.loop.run(until: { answered == count })
        }
        let flushes = calls.filter { $0.contains("fdatasync(") && $0.contains("journal.jsonl") }
        #expect(!flushes.isEmpty && flushes.count <= count / 10, "\(flushes.count) flushes")
    }

    /// Each schema would cost an open and more, were it looked at.
    @Test func aHundredSchemasCostTheStartNoSystemCallEach() throws {
        func calls(schemas count: Int) throws -> Int {
            let session = try TestSession()
            try session.folder.folder(TestSession.userSchemas)
            for number in 0..<count { try session.install(as: "org.example.App\(number)") }
            let trace = session.folder.path("trace")
            let daemon = try RunningProcess(
                "strace", ["-f", "-o", trace, Products.path("settingsd")], environment: session.environment)
            try session.bus.waitForOwner(of: TestSession.daemonName)
            let bus = try Caller(session)
            var process: pid_t?
            bus.connection.processID(of: TestSession.daemonName.rawValue) { process = try? $0.get() }
            try bus.wait("the daemon's number") { process != nil }
            kill(try #require(process), SIGTERM)
            #expect(try daemon.waitForExit() == .exited(0))
            return (session.folder.read("trace") ?? "").split(separator: "\n").count { $0.contains("(") }
        }
        let (none, hundred) = (try calls(schemas: 0), try calls(schemas: 100))
        #expect(none > 100 && abs(hundred - none) < 50, "\(none) without, \(hundred) with a hundred")
    }

    /// The system calls of a process during some work.
    private static func systemCalls(
        of process: RunningProcess, in session: TestSession, during work: () throws -> Void
    ) throws -> [String] {
        let trace = session.folder.path("trace")
        let strace = try RunningProcess(
            "strace", ["-f", "-y", "-s", "0", "-o", trace, "-p", "\(process.pid)"], environment: session.environment)
        try strace.waitForLog("attached")
        try work()
        try strace.end(SIGINT)
        return (session.folder.read("trace") ?? "").split(separator: "\n").map(String.init).filter { $0.contains("(") }
    }
}
