import DBus
import Foundation
import SettingsBus
import TestSupport
import Testing

/// Peers that call or subscribe and never read: what waits for them waits in the bus, whose own limit holds there, and never
/// in the daemon.
@Suite(.logsOnFailure, .timeLimit(.minutes(3))) struct DeafPeerTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session)
    }

    /// The most that the daemon may ever have had beyond what it had before, in bytes. The answers and signals below are
    /// more together.
    private static let bound = 16 << 20

    /// Bytes of the most memory that the daemon has had resident.
    private func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }

    /// A peer that does not read.
    private func deafPeer() throws -> RawPeer {
        let peer = try RawPeer(session)
        peer.reads = false
        return peer
    }

    private static func write(_ key: String, _ text: String) throws -> Message {
        try Caller.message("Write", [.variants([(key, .string(text))]), .variants([])])
    }

    /// Lets a peer make the same call many times and then write, and another client ask until that is carried out: all that
    /// the peer has called before is then answered.
    private func flood(_ member: MemberName, count: Int) throws {
        let peer = try deafPeer()
        for _ in 0..<count { peer.send(try peer.bytes(of: Caller.message(member))) }
        peer.send(try peer.bytes(of: Self.write("profile.name", "last")))
        var answers = 0
        try peer.wait("the peer's last call") {
            answers += 1
            return (try? caller.read("profile.name")) == .string("last")
        }
        #expect(answers > 1, "Others are answered in the middle of it.")
        #expect(peer.received == 0 && peer.isOpen)
    }

    @Test(.enabled(if: !RunningProcess.isSanitized)) func manyAnswersThatNobodyReadsDoNotStayInTheDaemon() throws {
        try caller.write([("support.help", .string("https://example.org/" + String(repeating: "x", count: 2000)))])
        let before = try peak()
        try flood("ReadAll", count: 20_000)
        #expect(try peak() - before < Self.bound)
    }

    @Test(.enabled(if: !RunningProcess.isSanitized)) func largeAnswersThatNobodyReadsDoNotStayInTheDaemon() throws {
        for link in ["help", "contact", "feedback", "community", "terms", "privacy", "imprint", "licenses"] {
            try caller.write([("support.\(link)", .string("https://example.org/" + String(repeating: "x", count: 62_000)))])
        }
        _ = try caller.ask("ReadAll")
        let before = try peak()
        try flood("ReadAll", count: 500)
        #expect(try peak() - before < Self.bound)
    }

    @Test(.enabled(if: !RunningProcess.isSanitized)) func subscribersThatNeverReadCostTheDaemonNothing() throws {
        let bus: InterfaceName = "org.freedesktop.DBus"
        let rule = Value.string("type='signal',path='\(SettingsNames.path)'")
        let subscribers = try (0..<100).map { _ in
            let peer = try deafPeer()
            let call = Message.methodCall(to: .bus, path: "/org/freedesktop/DBus", interface: bus, member: "AddMatch")
            try call.append([rule])
            peer.send(try peer.bytes(of: call))
            try peer.wait("everything written") { peer.isIdle }
            return peer
        }
        // The history has its own bound, which this reaches.
        func change(_ number: Int) throws {
            try caller.write([("support.help", .string("https://example.org/\(number)/" + String(repeating: "x", count: 30_000)))]
            )
        }
        for number in 0..<200 { try change(number) }
        let before = try peak()
        for number in 200..<500 { try change(number) }
        #expect(try peak() - before < Self.bound)
        #expect(subscribers.allSatisfy { $0.received == 0 && $0.isOpen })
    }
}
