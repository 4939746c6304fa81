import DBus
import Foundation
import TestSupport
import Testing

/// `settingsctl watch` across restarts of the daemon and the bus, and among senders who are not the daemon.
@Suite(.logsOnFailure) struct WatchRestartTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    private func watch(_ arguments: String...) throws -> RunningProcess {
        let watch = try session.startControl(["watch", "--json"] + arguments)
        try watch.waitForOutput("snapshot")
        return watch
    }

    /// The events as `snapshot 3` or `changed 4`.
    private func events(_ watch: RunningProcess) throws -> [String] {
        try watch.stdout.objects().map { "\($0["event"] ?? "?") \($0["revision"] ?? "?")" }
    }

    @Test func aKilledDaemonThatComesBackIsFollowedWithOneFreshSnapshot() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        let watch = try watch()
        try daemon.end(SIGKILL)
        try watch.waitForLog("NoDaemon")
        let again = try session.startDaemon()
        try eventually("a snapshot") { try events(watch) == ["snapshot 1", "snapshot 1"] }
        try session.control("set", "profile.name", "Bob")
        try watch.waitForOutput("Bob")
        #expect(try events(watch) == ["snapshot 1", "snapshot 1", "changed 2"])
        _ = again
    }

    @Test func whatWasChangedMeanwhileIsToldOnceAndInOrder() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        let watch = try watch()
        // The watch sleeps through the end of the daemon and two changes with the next one.
        watch.signal(SIGSTOP)
        try daemon.end(SIGKILL)
        let again = try session.startDaemon()
        try session.control("set", "profile.name", "Bob")
        try session.control("set", "profile.name", "Eve")
        watch.signal(SIGCONT)
        try eventually("a snapshot") { try events(watch).last == "snapshot 3" }
        try session.control("set", "profile.name", "Zoë")
        try watch.waitForOutput("Zoë")
        #expect(try events(watch) == ["snapshot 1", "changed 2", "changed 3", "snapshot 3", "changed 4"])
        let objects = try watch.stdout.objects()
        #expect(objects[1]["previous"] as? [String: String] == ["profile.name": "Ada"])
        #expect(objects[2]["values"] as? [String: String] == ["profile.name": "Eve"])
        _ = again
    }

    @Test func anEditWhileNoDaemonRanIsToldWhenOneComes() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        let watch = try watch()
        try daemon.end()
        try session.folder.write(#"{"format": 1, "revision": 1, "profile": {"name": "Eve"}}"#, to: TestSession.document)
        let again = try session.startDaemon()
        try eventually("a snapshot") { try events(watch).count == 3 }
        #expect(try events(watch) == ["snapshot 1", "changed 2", "snapshot 2"])
        #expect(try watch.stdout.objects()[1]["origin"] as? String == "file")
        _ = again
    }

    @Test func aHistoryThatDoesNotReachBackLeavesASnapshotAlone() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        let watch = try watch()
        try daemon.end()
        try session.folder.write(#"{"format": 1, "revision": 50, "profile": {"name": "Eve"}}"#, to: TestSession.document)
        try FileManager.default.removeItem(atPath: session.folder.path(TestSession.journal))
        let again = try session.startDaemon()
        try eventually("a snapshot") { try events(watch) == ["snapshot 1", "snapshot 50"] }
        _ = again
    }

    @Test func execRunsForTheSnapshotAfterAGap() throws {
        let daemon = try session.startDaemon()
        let file = session.folder.path("events")
        let watch = try watch("--exec", "cat >>'\(file)'")
        try daemon.end(SIGKILL)
        let again = try session.startDaemon()
        try eventually("the command") { session.folder.read("events")?.hasSuffix("\n") == true }
        #expect(try session.folder.read("events")?.objects().map { $0["event"] as? String } == ["snapshot"])
        _ = (watch, again)
    }

    @Test func aRestartedBusIsConnectedToAgain() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        try session.control("set", "profile.name", "Ada")
        let watch = try watch()
        for (round, name) in ["Bob", "Eve"].enumerated() {
            try session.bus.restart()
            try eventually("a snapshot") { try events(watch).count == 2 * round + 2 }
            try session.control("set", "profile.name", name)
            try watch.waitForOutput(name)
        }
        #expect(try events(watch) == ["snapshot 1", "snapshot 1", "changed 2", "snapshot 2", "changed 3"])
        let log = try session.control("log", "--json").stdout.objects()
        #expect(log.count == 3)
    }

    @Test func aBusWhoseAddressHadAnIdentityIsConnectedToAgain() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let address = session.bus.process.stdout.split(separator: "\n").first.map(String.init) ?? ""
        #expect(address.contains(",guid="))
        let watch = try session.startControl(["watch", "--json"], environment: ["DBUS_SESSION_BUS_ADDRESS": address])
        try watch.waitForOutput("snapshot")
        try session.bus.restart()
        try eventually("a snapshot") { try events(watch) == ["snapshot 0", "snapshot 0"] }
    }

    @Test func noStartWaitsForADaemonToCome() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let watch = try session.startControl(["watch", "--json", "--no-start", "--timeout", "0.1"])
        try watch.waitForLog("NoDaemon")
        #expect(watch.isRunning)
        #expect(watch.stdout == "")
        try session.control("set", "profile.name", "Ada")
        try watch.waitForOutput("Ada")
        #expect(try ["snapshot 1", "snapshot 0"].contains(events(watch)[0]))
    }

    @Test func withoutNoStartTheDaemonIsStarted() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let watch = try watch()
        #expect(try events(watch) == ["snapshot 0"])
        try session.bus.waitForOwner(of: TestSession.daemonName)
    }

    @Test func aSignalFromAnotherSenderIsIgnored() throws {
        let daemon = try session.startDaemon()
        let watch = try watch()
        let lines = try session.shell("busctl --user list --no-legend --no-pager").stdout.split(separator: "\n")
        let line = lines.first { $0.split(separator: " ").dropFirst().first == "\(watch.pid)" }
        let name = try #require(line?.split(separator: " ").first)
        for destination in ["", "--destination=\(name)"] {
            let arguments = "ta{sv}a{sv} 1 1 profile.name s Evil 0"
            let result = try session.shell(
                "busctl --user \(destination) emit /org/settingsd/Settings1 org.settingsd.Settings1 Changed \(arguments)")
            #expect(result.status == .exited(0), "\(result)")
        }
        try session.control("set", "profile.name", "Ada")
        try watch.waitForOutput("Ada")
        #expect(!watch.stdout.contains("Evil"))
        #expect(try events(watch) == ["snapshot 0", "changed 1"])
        _ = daemon
    }
}
