import DBus
import EventLoop
import Foundation
import SettingsClient
import TestSupport
import Testing

/// What is wrong with the files, as the client library follows it: the user's own settings and those of an application.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientProblemTests {
    enum Kind: CaseIterable {
        case user, application

        var document: String { self == .user ? TestSession.document : WorldClock.document }
        var layer: String { self == .user ? TestSession.adminLayer : "etc/settingsd/apps/\(WorldClock.id).json" }
    }

    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.install()
        daemon = try session.startDaemon()
    }

    private func client(_ kind: Kind) throws -> LiveSettings {
        kind == .user
            ? try session.client()
            : try ApplicationClient.connectAndWait(to: WorldClock.id, address: session.bus.address, timeout: .seconds(20))
    }

    @Test(arguments: Kind.allCases) func aProblemIsFollowedThoughNoValueChanges(_ kind: Kind) throws {
        let client = try client(kind)
        let reader = ClientReader(client)
        try reader.wait("the snapshot") { $0 == ["snapshot 0"] }
        try session.folder.write("{ \"format\": 1,", to: kind.document)
        try reader.wait("the mistake") { $0 == ["snapshot 0", "1 problems"] }
        #expect(client.problems.first?.hasPrefix(session.folder.path(kind.document)) == true)
        try session.folder.write("nothing", to: kind.layer)
        try reader.wait("the layer") { $0.last == "2 problems" }
        #expect(try client.problems == client.statusAndWait().problems)
        // Who begins to read, or connects, while something is wrong learns of it at once.
        let late = ClientReader(client)
        try late.wait("what is wrong") { $0 == ["snapshot 0", "2 problems"] }
        #expect(try self.client(kind).problems == client.problems)
        try session.folder.write("{}", to: kind.document)
        try session.folder.write("{}", to: kind.layer)
        try reader.wait("the end") { $0.last == "0 problems" }
        #expect(client.problems == [] && client.revision == 0)
    }

    @Test func whatIsWrongBehindARestartIsKnownOnReturn() throws {
        let client = try client(.user)
        try session.folder.write("{", to: TestSession.document)
        try eventually("the mistake") { client.problems.count == 1 }
        try daemon.end()
        try eventually("the loss") { client.loss != nil }
        #expect(client.problems.count == 1)
        try session.folder.write("{}", to: TestSession.document)
        let again = try session.startDaemon()
        try eventually("the return") { client.loss == nil && client.problems == [] }
        _ = again
    }

    @Test func aUserInterfaceObservesWhatIsWrong() throws {
        let loop = try EventLoop()
        let client = try session.client()
        let settings = ObservableSettings(client) { work in loop.post(work) }
        final class Shown { var counts: [Int] = [] }
        let shown = Shown()
        settings.observe { settings in shown.counts.append(settings.problems.count) }
        for (text, counts) in [("{", [0, 1]), ("{}", [0, 1, 0])] {
            try session.folder.write(text, to: TestSession.document)
            #expect(loop.run(until: { shown.counts == counts }, timeout: .seconds(20)), "\(shown.counts)")
        }
    }

    @Test func onlyTheServiceSaysWhatIsWrong() throws {
        let client = try client(.user)
        let loop = try EventLoop()
        let forger = try Connection.open(address: session.bus.address, loop: loop)
        let signal = Message.signal(
            path: "/org/settingsd/Settings1", interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        try signal.append([
            .string("org.settingsd.Settings1"), .variants([("Problems", .strings(["all is lost"]))]), .strings([]),
        ])
        try forger.send(signal)
        _ = try forger.callAndWait(
            .methodCall(to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Peer", member: "Ping"))
        // The bus hands what comes behind the forgery to the client later.
        try session.control("set", "profile.name", "Ada")
        try eventually("the change") { client.revision == 1 }
        #expect(client.problems == [])
    }
}
