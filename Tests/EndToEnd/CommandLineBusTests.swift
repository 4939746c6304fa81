import DBus
import Foundation
import TestSupport
import Testing

/// The command line and the bus: finding it, waiting for it, and how much it says there.
@Suite(.logsOnFailure) struct CommandLineBusTests {
    let session: TestSession

    init() throws {
        session = try TestSession(activatable: true)
    }

    /// Runs settingsctl with nothing but these variables about the bus.
    private func control(_ arguments: [String], _ variables: [String: String]) throws -> CommandResult {
        var environment = session.environment.merging(variables) { $1 }
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] where variables[name] == nil { environment[name] = nil }
        let process = try RunningProcess(Products.path("settingsctl"), arguments, environment: environment)
        return try process.result()
    }

    @Test(arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": ""]])
    func withoutABusVariableTheRuntimeFoldersSocketIsUsed(variables: [String: String]) throws {
        let socket = String(session.bus.address.dropFirst("unix:path=".count))
        let folder = session.folder.path("run")
        try FileManager.default.createSymbolicLink(atPath: folder + "/bus", withDestinationPath: socket)
        let result = try control(["set", "profile.name", "Ada"], variables.merging(["XDG_RUNTIME_DIR": folder]) { $1 })
        #expect(result.status == .exited(0), "\(result)")
        #expect(try session.control("get", "profile.name").stdout == "Ada\n")
    }

    @Test func withoutAnyBusItSaysWhatToSet() throws {
        let empty = session.folder.path("run")
        for variables in [
            [:], ["XDG_RUNTIME_DIR": empty], ["XDG_RUNTIME_DIR": "relative"], ["DBUS_SESSION_BUS_ADDRESS": ""],
            ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"],
            ["DBUS_SESSION_BUS_ADDRESS": "nonsense"],
        ] {
            for arguments in [["get", "profile.name"], ["set", "profile.name", "x"], ["watch"], ["list"], ["undo"]] {
                let result = try control(arguments, variables)
                #expect(result.status == .exited(5), "\(variables)")
                #expect(result.stdout == "")
                #expect(result.stderr.contains("DBUS_SESSION_BUS_ADDRESS"), "\(result)")
            }
            let error = try control(["get", "profile.name", "--json"], variables).stderr.object()["error"]
            #expect((error as? [String: String])?["name"] == "NoBus")
        }
    }

    @Test func anAddressThatLeadsToNoBusIsNamedWithItsVariable() throws {
        for address in ["nonsense", "unix:path=/nowhere"] {
            for command in ["list", "watch"] {
                let result = try control([command, "-q"], ["DBUS_SESSION_BUS_ADDRESS": address])
                #expect(result.stderr.hasPrefix("settingsctl: \(command): cannot connect to the bus at \(address): "))
                #expect(result.stderr.hasSuffix(" (DBUS_SESSION_BUS_ADDRESS)\n"))
            }
        }
        for variables in [[:], ["XDG_RUNTIME_DIR": session.folder.path("run")]] {
            #expect(try control(["list", "-q"], variables).stderr.contains("dbus-run-session"))
        }
    }

    @Test func noStartLeavesTheDaemonAlone() throws {
        for arguments in [["get", "profile.name"], ["set", "profile.name", "x", "--json"], ["status"]] {
            let process = try session.startControl(arguments + ["--no-start"])
            #expect(try process.waitForExit() == .exited(5))
        }
        let error = try session.control("list", "--no-start", "--json").stderr.object()["error"] as? [String: String]
        #expect(error?["name"] == "NoDaemon")
        #expect(
            try session.control("list", "--no-start").stderr
                == "settingsctl: list: the daemon is not running\nhint: leave out --no-start, and it is started\n")
        try session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
        #expect(try session.control("get", "provider").stdout == "none\n")
        #expect(try session.control("get", "provider", "--no-start").stdout == "none\n")
    }

    @Test func aDaemonThatCannotBeStartedIsStatusFive() throws {
        for program in ["/nowhere/settingsd", "/bin/false"] {
            try session.bus.addService(TestSession.daemonName.rawValue, exec: program)
            let result = try session.control("get", "profile.name")
            #expect(result.status == .exited(5), "\(result)")
            #expect(result.stderr.contains("settingsctl: get: the daemon could not be started: "))
            #expect(
                result.stderr.hasSuffix(
                    "hint: journalctl --user -u settingsd says why; "
                        + "systemctl --user restart settingsd, or settingsd in a terminal, tries again\n"))
        }
    }

    @Test func aDaemonThatIsNotInstalledIsStatusFive() throws {
        let session = try TestSession()
        for arguments in [["get", "profile.name"], ["set", "profile.name", "x"], ["list"]] {
            let result = try session.startControl(arguments).result()
            #expect(result.status == .exited(5), "\(result)")
            #expect(result.stderr.contains("the daemon is not running, and the bus does not know how to start it\n"))
            #expect(result.stderr.contains("hint: install org.settingsd.Settings1.service where the bus looks: "))
        }
    }

    /// Whether the machine has an activation file in a folder that every bus looks in.
    private static let isInstalled = ["/usr/share", "/usr/local/share"].contains {
        FileManager.default.fileExists(atPath: "\($0)/dbus-1/services/\(TestSession.daemonName).service")
    }

    /// The hint is about the folders that this session's bus looks at, and finds the file that an install has left elsewhere.
    @Test(.enabled(if: !Self.isInstalled)) func theHintKnowsWhereTheBusLooksForTheService() throws {
        let session = try TestSession()
        let home = session.folder.path("home/.local/share/dbus-1/services")
        let share = session.folder.path("share")
        let places = "\(home), \(share)/dbus-1/services, /usr/share/dbus-1/services (by HOME, XDG_DATA_HOME and XDG_DATA_DIRS)"
        let program = session.folder.path("prefix/bin/settingsctl")
        try session.folder.program(copying: Products.path("settingsctl"), to: "prefix/bin/settingsctl")
        func hint() throws -> String {
            let result = try RunningProcess(program, ["get", "profile.name"], environment: session.environment).result()
            #expect(result.status == .exited(5), "\(result)")
            return String(result.stderr.split(separator: "\n").last ?? "")
        }
        #expect(try hint() == "hint: install org.settingsd.Settings1.service where the bus looks: \(places); or run settingsd")
        let prefix = session.folder.path("prefix/share")
        try session.folder.write("", to: "prefix/share/dbus-1/services/org.settingsd.Settings1.service")
        #expect(
            try hint()
                == "hint: org.settingsd.Settings1.service is in \(prefix)/dbus-1/services, and this session's bus looks in "
                + "\(places); start the session with XDG_DATA_DIRS=\(prefix):\(share), or run settingsd")
        try session.folder.write("", to: "share/dbus-1/services/org.settingsd.Settings1.service")
        #expect(
            try hint().hasPrefix(
                "hint: \(share)/dbus-1/services/org.settingsd.Settings1.service is there; a bus that was running"))
    }

    /// Ends the daemon while it has a call of this command and has not answered it.
    private func loseDaemon(under arguments: [String], member: String) throws -> CommandResult {
        let daemon = try session.startDaemon()
        let monitor = try RunningProcess(
            "dbus-monitor", ["--address", session.bus.address, "type=method_call"], environment: session.environment)
        try monitor.waitForOutput("member=NameLost")
        daemon.signal(SIGSTOP)
        let process = try session.startControl(arguments)
        try monitor.waitForOutput("member=\(member)")
        try daemon.end(SIGKILL)
        return try process.result()
    }

    @Test(arguments: [
        (["get", "profile.name"], "Read"), (["list"], "Describe"), (["describe", "provider"], "Describe"),
        (["log"], "ChangesSince"),
        (["export"], "Describe"), (["list", "--json"], "ReadAll"),
    ])
    func aReadWhoseDaemonIsLostIsMadeAgain(arguments: [String], member: String) throws {
        let result = try loseDaemon(under: arguments, member: member)
        #expect(result.status == .exited(0), "\(result)")
        #expect(result.stderr == "")
    }

    @Test(arguments: [
        (["set", "profile.name", "Ada"], "Write"), (["reset", "profile.name"], "Reset"), (["undo"], "Dispatch"),
        (["set", "profile.name", "Ada", "--json"], "Write"),
    ])
    func aChangeWhoseDaemonIsLostIsNotMadeAgain(arguments: [String], member: String) throws {
        let result = try loseDaemon(under: arguments, member: member)
        #expect(result.status == .exited(5), "\(result)")
        #expect(
            result.stderr.contains("the daemon left the bus before it answered \(member); the change may have been made or not"))
        #expect(try session.control("get", "profile.name").stdout == "\n")
    }

    @Test func aDaemonThatHangsIsATimeout() throws {
        let daemon = try session.startDaemon()
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        for arguments in [["get", "profile.name"], ["watch"], ["log"], ["open", "help"]] { try timesOut(arguments) }
        for arguments in [["set", "profile.name", "x"], ["reset", "--all"], ["dispatch", "SignOut"], ["undo"]] {
            try timesOut(arguments, saying: "; the change may still be made or not")
        }
    }

    @Test func aBusThatHangsIsATimeout() throws {
        session.bus.process.signal(SIGSTOP)
        defer { session.bus.process.signal(SIGCONT) }
        for arguments in [["get", "profile.name"], ["watch"]] { try timesOut(arguments) }
    }

    /// A socket whose queue of newcomers is full blocks connect(2).
    @Test func aBusThatTakesNobodyInIsATimeout() throws {
        let path = session.folder.path("full")
        let listener = try LocalSocket(path, listening: true)
        var waiting: [LocalSocket] = []
        while let socket = try? LocalSocket(path, listening: false), waiting.count < 100 { waiting.append(socket) }
        #expect(waiting.count < 100)
        for arguments in [["get", "profile.name"], ["watch"]] {
            try timesOut(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"])
        }
        _ = listener
    }

    private func timesOut(
        _ arguments: [String], saying more: String = "", environment: [String: String] = [:]
    ) throws {
        let start = ContinuousClock.now
        let process = try session.startControl(arguments + ["--timeout", "0.3", "--json"], environment: environment)
        #expect(try process.waitForExit() == .exited(5), "\(arguments)")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(ContinuousClock.now - start < .seconds(8))
        let error = try #require(process.stderr.object()["error"] as? [String: String])
        #expect(error["name"] == "Timeout", "\(arguments) \(error)")
        #expect(error["message"] == "no answer within 0.3 s" + more)
    }

    @Test(arguments: [
        (["get", "profile.name"], ["Hello", "Read"]), (["set", "profile.name", "Ada"], ["Hello", "Write"]),
        (["reset", "profile.name"], ["Hello", "Reset"]), (["reset", "--all"], ["Hello", "Dispatch"]),
        (["dispatch", "SignOut"], ["Hello", "Dispatch"]), (["get", "profile.name", "--json"], ["Hello", "Describe"]),
        (["list"], ["Hello", "Describe"]), (["list", "--json"], ["Hello", "ReadAll"]),
    ])
    func aPlainCommandIsOneCall(arguments: [String], calls: [String]) throws {
        let daemon = try session.startDaemon()
        let monitor = try RunningProcess(
            "dbus-monitor", ["--address", session.bus.address, "type=method_call"], environment: session.environment)
        try monitor.waitForOutput("member=NameLost")
        let process = try session.startControl(arguments)
        #expect(try process.waitForExit() == .exited(0))
        // The monitor has seen everything before what it sees last.
        _ = try session.control("describe", "support.imprint")
        try monitor.waitForOutput("support.imprint")
        let lines = monitor.stdout.split(separator: "\n").filter { $0.hasPrefix("method call") }
        let senders = lines.map { $0.split(separator: " ").first { $0.hasPrefix("sender=") } }
        let first = zip(lines, senders).filter { $0.1 == senders.first }
        #expect(first.map { $0.0.split(separator: "=").last.map(String.init) } == calls)
        _ = daemon
    }
}

/// A socket in the file system.
private final class LocalSocket {
    private let fd: Int32

    /// - Throws: when it cannot listen, or connect without waiting.
    init(_ path: String, listening: Bool) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        fd = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                listening ? bind(fd, $0, length) + listen(fd, 0) : connect(fd, $0, length)
            }
        }
        guard result == 0 else { throw TestFailure("\(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(fd)
    }
}
