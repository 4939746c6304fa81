import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite(.logsOnFailure) struct LifecycleTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    /// Runs the daemon to its end.
    private func run(_ arguments: [String] = [], _ changes: [String: String] = [:]) throws -> RunningProcess {
        let process = try RunningProcess(
            Products.path("settingsd"), arguments, environment: session.environment.merging(changes) { $1 })
        try process.waitForExit()
        return process
    }

    @Test func theBusStartsItForTheFirstCall() throws {
        try session.bus.addService("org.settingsd.Settings1", exec: Products.path("settingsd"))
        let caller = try Caller(session)
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
    }

    @Test func aSecondDaemonEndsNamingTheFirstWhichIsUnharmed() throws {
        let first = try session.startDaemon()
        let second = try run()
        #expect(try second.waitForExit() == .exited(3))
        #expect(second.stderr.contains("\(first.pid)"))
        let caller = try Caller(session)
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
        #expect(first.isRunning)
    }

    /// As somebody starts it who wants to hear nothing of it: then the bus's connection must not get a stream's number.
    @Test func withoutStandardStreamsItServes() throws {
        let daemon = try RunningProcess(
            "/bin/sh", ["-c", "exec '\(Products.path("settingsd"))' <&- >&- 2>&-"], environment: session.environment)
        try session.bus.waitForOwner(of: SettingsNames.busName, isOwned: true)
        let caller = try Caller(session)
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
        #expect(try daemon.end() == .exited(0))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalToEndFinishesWhatWaitsAndBringsTheDocumentUpToDate(signal: Int32) throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        var acknowledged: UInt64 = 0
        var answers = 0
        for number in 1...200 {
            let values = Value.variants([("profile.name", .string("\(number)"))])
            caller.connection.call(try Caller.message("Write", [values, .variants([])])) { answer in
                answers += 1
                guard let revision = try? answer.get().body().first?.uint64 else { return }
                acknowledged = max(acknowledged, revision)
            }
        }
        try caller.wait("an answer") { acknowledged > 0 }
        let known = acknowledged
        daemon.signal(signal)
        try session.bus.waitForOwner(of: SettingsNames.busName, isOwned: false)
        let atRelease = try #require(session.folder.read(TestSession.document).flatMap(Self.revision))
        #expect(atRelease >= known)
        #expect(try daemon.waitForExit() == .exited(0))
        try caller.wait("all answers") { answers == 200 }
        let document = try #require(session.folder.read(TestSession.document))
        #expect(Self.revision(document) == acknowledged)
        #expect(document.contains("\"name\": \"\(acknowledged)\""))
    }

    @Test func everyCallThatComesBeforeTheEndIsAnswered() throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        var answers = 0
        var failures: [BusError] = []
        for number in 1...300 {
            let values = Value.variants([("profile.name", .string("\(number)"))])
            caller.connection.call(try Caller.message("Write", [values, .variants([])])) { answer in
                answers += 1
                if case .failure(let error) = answer { failures.append(error) }
            }
            if number == 150 {
                try caller.wait("an answer") { answers > 0 }
                daemon.signal(SIGTERM)
            }
        }
        try caller.wait("all answers") { answers == 300 }
        // What comes after the name is gone is the bus's to refuse.
        #expect(Set(failures.map(\.shortName)).isSubset(of: ["ServiceUnknown", "NoReply"]))
        #expect(try daemon.waitForExit() == .exited(0))
    }

    @Test func aBusThatTakesNothingDoesNotKeepItFromEnding() throws {
        let daemon = try session.startDaemon()
        try Caller(session).write([("profile.name", .string("Ada"))])
        session.bus.process.signal(SIGSTOP)
        defer { session.bus.process.signal(SIGCONT) }
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit(within: .seconds(5)) == .exited(0))
        #expect(session.folder.read(TestSession.document)?.contains("Ada") == true)
    }

    @Test func thousandsOfCallsThatWaitDoNotKeepItFromEnding() throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        var answers = 0
        for _ in 0..<3000 {
            caller.connection.call(try Caller.message("Describe", [.strings([])])) { _ in answers += 1 }
        }
        try caller.wait("an answer") { answers > 0 }
        daemon.signal(SIGTERM)
        try caller.wait("all answers") { answers == 3000 }
        #expect(try daemon.waitForExit(within: .seconds(5)) == .exited(0))
    }

    @Test func aFileThatMayNotGrowIsAFailedWriteThatNamesTheLimit() throws {
        let script = "ulimit -f 16; exec \"$0\""
        let daemon = try RunningProcess("bash", ["-c", script, Products.path("settingsd")], environment: session.environment)
        try session.bus.waitForOwner(of: SettingsNames.busName)
        let caller = try Caller(session, keeping: daemon)
        let refusal = try caller.refusal(
            "Write",
            [.variants([("support.help", .string("https://a.b/" + String(repeating: "x", count: 60_000)))]), .variants([])])
        #expect(refusal.shortName == "StorageFailed")
        #expect(refusal.message.contains("ulimit -f"), "\(refusal)")
        // Its log reaches the limit as well.
        for _ in 0..<200 { _ = try caller.refusal("Write", [.variants([("profile.email", .string("x"))]), .variants([])]) }
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
    }

    @Test(arguments: [SIGHUP, SIGPIPE, SIGXFSZ, SIGTTOU])
    func aSignalThatIsNoOrderToEndDoesNotEndIt(signal: Int32) throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        daemon.signal(signal)
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
        #expect(daemon.isRunning)
    }

    @Test func anInheritedIgnoreDoesNotKeepSignalsFromIt() throws {
        let script = "trap '' TERM INT HUP; exec \"$0\""
        let daemon = try RunningProcess("bash", ["-c", script, Products.path("settingsd")], environment: session.environment)
        try session.bus.waitForOwner(of: SettingsNames.busName)
        #expect(try daemon.end(SIGTERM) == .exited(0))
    }

    @Test func whenTheBusGoesItFinishesAndEndsWell() throws {
        let daemon = try session.startDaemon()
        try Caller(session).write([("profile.name", .string("Ada"))])
        try session.bus.stop()
        #expect(try daemon.waitForExit() == .exited(0))
        #expect(session.folder.read(TestSession.document)?.contains("Ada") == true)
    }

    @Test func withoutABusItEndsSayingWhatToSet() throws {
        for changes in [
            ["DBUS_SESSION_BUS_ADDRESS": ""], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"],
        ] {
            let daemon = try run([], changes)
            #expect(try daemon.waitForExit() == .exited(1))
            #expect(daemon.stderr.split(separator: "\n").count == 1)
            #expect(daemon.stderr.hasPrefix("settingsd: "))
        }
        #expect(session.folder.read(TestSession.journal) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to make a folder of another account"))
    func aForeignHomeIsLeftAlone() throws {
        chown(session.folder.path("home"), 12345, 12345)
        let daemon = try run([], ["XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""])
        #expect(try daemon.waitForExit() == .exited(1))
        #expect(daemon.stderr.contains("12345"))
        #expect(session.folder.read("home/.config/settingsd/settings.json") == nil)
    }

    @Test(arguments: [
        ["--nonsense"], ["--config-dir"], ["--config-dir="], ["--version=1"], ["file"], ["-x"], ["--state-dir", "a", "b"],
    ])
    func aBadCommandLineEndsWithTheUsage(arguments: [String]) throws {
        let daemon = try run(arguments)
        #expect(try daemon.waitForExit() == .exited(2))
        #expect(daemon.stderr.contains("Usage: settingsd"))
        #expect(daemon.stdout.isEmpty)
    }

    @Test func helpAndVersionNeedNoBus() throws {
        let none = ["DBUS_SESSION_BUS_ADDRESS": ""]
        #expect(try run(["--version"], none).stdout == "settingsd \(SettingsVersion.current)\n")
        let help = try run(["--help"], none)
        #expect(try help.waitForExit() == .exited(0))
        for option in ["--config-dir DIR", "--state-dir DIR", "--print-interface", "--version", "--help"] {
            #expect(help.stdout.contains("\n  \(option) "))
        }
    }

    @Test func foldersCanBeGiven() throws {
        let arguments = ["--config-dir", session.folder.path("a"), "--state-dir=\(session.folder.path("b"))"]
        let daemon = try session.startDaemon(arguments)
        try Caller(session).write([("profile.name", .string("Ada"))])
        try daemon.end()
        #expect(session.folder.read("a/settings.json")?.contains("Ada") == true)
        #expect(session.folder.read("b/journal.jsonl")?.contains("Ada") == true)
    }

    @Test(arguments: [false, true])
    func theServiceManagerIsToldHowItIs(isAbstract: Bool) throws {
        let path = isAbstract ? "@\(session.folder.path)/notify" : session.folder.path("notify")
        let manager = try NotifySocket(path)
        let daemon = try session.startDaemon(environment: ["NOTIFY_SOCKET": path])
        let ready = try manager.next()
        #expect(ready["READY"] == "1")
        #expect(ready["STATUS"] == "Revision 0, no problems; serving \(session.folder.path(TestSession.document))")
        try session.folder.write("{\"locked\": [\"nonsense\"]}", to: TestSession.adminLayer)
        daemon.signal(SIGHUP)
        // The folder is watched too: the problem may be told before the reload.
        var messages: [[String: String]] = []
        while messages.last?["READY"] != "1" { messages.append(try manager.next()) }
        let reloading = try #require(messages.first { $0["RELOADING"] == "1" })
        let now = try #require(Self.monotonicMicroseconds)
        let told = try #require(reloading["MONOTONIC_USEC"].flatMap(Int64.init))
        #expect(told <= now && told > now - 60_000_000)
        #expect(messages.last?["STATUS"]?.contains("nonsense") == true)
        daemon.signal(SIGTERM)
        var last = try manager.next()
        while last["STOPPING"] == nil { last = try manager.next() }
        #expect(last["STOPPING"] == "1")
        #expect(try daemon.waitForExit() == .exited(0))
    }

    @Test func theWatchdogIsFedWhileTheLoopTurns() throws {
        let path = session.folder.path("notify")
        let manager = try NotifySocket(path)
        let daemon = try session.startDaemon(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"])
        _ = try manager.next()
        let start = ContinuousClock.now
        for _ in 0..<4 { #expect(try manager.next() == ["WATCHDOG": "1"]) }
        // Half the interval each, with room for a busy machine.
        #expect(ContinuousClock.now - start > .milliseconds(350))
        #expect(daemon.isRunning)
    }

    @Test func logLinesHaveAPriorityWhereTheJournalReadsThem() throws {
        let script = "JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec \"$0\""
        let daemon = try RunningProcess("sh", ["-c", script, Products.path("settingsd")], environment: session.environment)
        try session.bus.waitForOwner(of: SettingsNames.busName)
        let caller = try Caller(session)
        _ = try caller.refusal("Write", [.variants([("profile.email", .string("x"))]), .variants([])])
        try daemon.waitForLog("refused")
        let lines = daemon.stderr.split(separator: "\n")
        #expect(lines.first?.hasPrefix("<6>serving ") == true)
        #expect(lines.last?.hasPrefix("<5>refused ") == true)
    }

    @Test func aReloadReadsTheFilesAnew() throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        try caller.listen()
        try session.folder.write("{\"profile\": {\"name\": \"Vendor\"}}", to: TestSession.vendorLayer)
        daemon.signal(SIGHUP)
        try caller.wait("the change") { caller.events.contains { $0.change?.values == ["profile.name": "Vendor"] } }
    }

    @Test func anIdleDaemonDoesNotWakeUp() throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        try caller.listen()
        try caller.record("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        try within(.seconds(20), "the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        // What is under way ends within a second; the look is at what goes on for ever.
        try within(.seconds(20), "two equal looks") {
            let before = Self.contextSwitches(of: daemon.pid)
            usleep(1_000_000)
            return Self.contextSwitches(of: daemon.pid) == before
        }
        let before = Self.contextSwitches(of: daemon.pid)
        usleep(4_000_000)
        #expect(Self.contextSwitches(of: daemon.pid) == before)
        #expect(before.count <= 2, "one thread besides the flusher's: \(before)")
    }

    private static func revision(_ document: String) -> UInt64? {
        document.split(separator: "\n").first { $0.contains("\"revision\":") }
            .flatMap { UInt64($0.filter(\.isNumber)) }
    }

    private static var monotonicMicroseconds: Int64? {
        var now = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return nil }
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    /// The lines of `/proc/PID/task/*/status` that count context switches, by thread.
    private static func contextSwitches(of pid: pid_t) -> [String: [Substring]] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return Dictionary(
            uniqueKeysWithValues: tasks.map { task in
                let status = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/status", encoding: .utf8)) ?? ""
                return (task, status.split(separator: "\n").filter { $0.contains("ctxt_switches") })
            })
    }
}
