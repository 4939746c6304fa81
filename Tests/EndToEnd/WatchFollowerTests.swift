import DBus
import EventLoop
import Foundation
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// The client library's follower, in this process.
@Suite(.logsOnFailure) struct WatchFollowerTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    /// A follower and what it has told.
    private final class Listener {
        let loop: EventLoop
        private(set) var events: [SettingsFollower.Event] = []
        private(set) var follower: SettingsFollower?

        init(_ session: TestSession, startsDaemon: Bool = true) throws {
            loop = try EventLoop()
            let follower = SettingsFollower(
                loop: loop, address: session.bus.address, startsDaemon: startsDaemon
            ) { [unowned self] in events.append($0) }
            self.follower = follower
            try follower.start()
        }

        func wait(_ what: String, _ condition: (Listener) -> Bool) throws {
            guard loop.run(until: { condition(self) }, timeout: .seconds(20)) else {
                throw TestFailure("Not within 20 s: \(what). Events: \(names)")
            }
        }

        /// Drops the follower.
        func letGo() { follower = nil }

        var names: [String] {
            events.map { event in
                switch event {
                case .snapshot(let snapshot): "snapshot \(snapshot.revision)"
                case .changed(let change): "changed \(change.revision)"
                case .action(let action, let revision): "\(action.name) \(revision)"
                case .problems(let problems): "\(problems.count) problems"
                case .lost(let error): error.name
                }
            }
        }
    }

    @Test func everyChangeComesOnceBehindTheSnapshot() throws {
        let daemon = try session.startDaemon()
        let writer = try session.startShell("for i in {1..30}; do settingsctl set profile.name=$i; done")
        let listener = try Listener(session)
        try listener.wait("the last change") { !$0.names.filter { ["changed 30", "snapshot 30"].contains($0) }.isEmpty }
        let first = try #require(listener.names.first)
        let start = try #require(Int(first.dropFirst("snapshot ".count)))
        #expect(listener.names.filter { !$0.hasPrefix("SetValues") }.dropFirst() == (start..<30).map { "changed \($0 + 1)" }[...])
        try writer.waitForExit()
        _ = daemon
    }

    @Test func actionsComeBehindTheirChange() throws {
        let daemon = try session.startDaemon()
        let listener = try Listener(session)
        try listener.wait("the snapshot") { $0.names == ["snapshot 0"] }
        try session.control("dispatch", "SetSupportLink", "link=help", "url=https://e.org/")
        try session.control("open", "help", "--print")
        try listener.wait("the actions") { $0.events.count == 4 }
        #expect(listener.names == ["snapshot 0", "changed 1", "SetSupportLink 1", "OpenSupportLink 1"])
        #expect(listener.events[3] == .action(Action("OpenSupportLink", ["link": "help"]), revision: 1))
        _ = daemon
    }

    @Test func callsGoOverTheFollowersConnectionAndAreNeverSentAgain() throws {
        let daemon = try session.startDaemon()
        let listener = try Listener(session)
        try listener.wait("the snapshot") { $0.names == ["snapshot 0"] }
        daemon.signal(SIGSTOP)
        var answer: Result<SettingsConnection.Reply<UInt64>, ClientError>?
        listener.follower?.connection?.send(.write(["profile.name": "Ada"])) { answer = $0 }
        // The call is in the daemon's queue when the daemon ends.
        try listener.wait("the call to be sent") { $0.follower?.connection?.bus.outgoingBytes == 0 }
        try daemon.end(SIGKILL)
        try listener.wait("the call to fail") { _ in answer != nil }
        guard case .failure(let error) = answer else { throw TestFailure("\(String(describing: answer))") }
        #expect(error.name == "org.freedesktop.DBus.Error.NoReply")
        let again = try session.startDaemon()
        try listener.wait("a snapshot") { $0.names.count == 3 }
        #expect(listener.names == ["snapshot 0", "NoDaemon", "snapshot 0"])
        _ = again
    }

    @Test func withoutABusThereIsAnErrorAtOnce() throws {
        try session.bus.stop()
        let error = try #require(throws: ClientError.self) { try Listener(session) }
        #expect(error.kind == .noBus)
    }

    @Test func aBusThatIsAwayForAWhileIsFoundAgain() throws {
        var daemon = try session.startDaemon()
        let listener = try Listener(session)
        try listener.wait("the snapshot") { $0.names == ["snapshot 0"] }
        try session.bus.stop()
        try daemon.waitForExit()
        try listener.wait("the loss") { $0.follower?.connection == nil }
        // Several attempts fail before the bus is back.
        #expect(!listener.loop.run(until: { false }, timeout: .milliseconds(500)))
        try session.bus.start()
        daemon = try session.startDaemon()
        try listener.wait("a snapshot") { $0.names.last == "snapshot 0" }
        // The bus may have told that the daemon has gone before it went itself; that is one loss.
        #expect(listener.names.count == 3)
        #expect(["NoBus", "NoDaemon"].contains(listener.names[1]))
    }

    @Test func aStoppedFollowerSaysNothingMore() throws {
        let daemon = try session.startDaemon()
        let listener = try Listener(session)
        try listener.wait("the snapshot") { $0.names == ["snapshot 0"] }
        listener.follower?.stop()
        try session.control("set", "profile.name", "Ada")
        try daemon.end()
        #expect(!listener.loop.run(until: { listener.events.count > 1 }, timeout: .milliseconds(300)))
    }

    @Test func aFollowerThatIsLetGoLeavesTheBus() throws {
        let daemon = try session.startDaemon()
        let listener = try Listener(session)
        try listener.wait("the snapshot") { $0.names == ["snapshot 0"] }
        let name = try #require(listener.follower?.connection?.bus.uniqueName.flatMap { BusName($0) })
        listener.letGo()
        try session.bus.waitForOwner(of: name, isOwned: false)
        _ = daemon
    }
}
