import DBus
import EventLoop
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// Peers that send more than anybody needs, do not read, or leave without a word; what others get meanwhile, and what the
/// daemon keeps of it.
@Suite(.logsOnFailure, .timeLimit(.minutes(3))) struct FloodTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session)
        try caller.write([("profile.name", .string("Ada"))])
    }

    /// Bytes of resident memory.
    private func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(separator: " ")[1])) * 1024
    }

    /// How often the daemon was given a page of memory by the system.
    private func pageFaults() throws -> Int {
        let statistics = try String(contentsOfFile: "/proc/\(daemon.pid)/stat", encoding: .utf8)
        return try #require(Int(statistics.split(separator: " ")[9]))
    }

    private func flood(_ peer: RawPeer, _ count: Int, expectsReply: Bool = true, _ call: () throws -> Message) throws {
        for _ in 0..<count {
            let message = try call()
            message.expectsNoReply = !expectsReply
            peer.send(try peer.bytes(of: message))
        }
    }

    /// Makes a call while a peer goes on with what it does.
    private func ask(beside peer: RawPeer) throws -> [Value] {
        var answer: Result<Message, BusError>?
        caller.connection.call(try Caller.message("Read", [.string("profile.name")])) { answer = $0 }
        try peer.wait("an answer beside the flood") {
            _ = caller.loop.run(until: { answer != nil }, timeout: .zero)
            return answer != nil
        }
        return try #require(answer).get().body()
    }

    @Test func anothersCallIsAnsweredInTheMiddleOfAFlood() throws {
        let peer = try RawPeer(session)
        let count = 20_000
        try flood(peer, count) { try Caller.message("Read", [.string("profile.name")]) }
        try peer.wait("the first answers") { peer.received > 100 }
        for _ in 0..<3 { #expect(try ask(beside: peer) == [.variant(.string("Ada"))]) }
        #expect(peer.received < count)
        try peer.wait("the last answer") { peer.received == count }
        #expect(peer.received == count)
        #expect(daemon.isRunning)
    }

    @Test func callsThatWantNoAnswerKeepNobodyOutAndNothingInMemory() throws {
        let peer = try RawPeer(session)
        let before = try memory()
        try flood(peer, 20_000, expectsReply: false) {
            try Caller.message("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        }
        #expect(try ask(beside: peer) == [.variant(.string("Ada"))])
        try peer.wait("the flood") { peer.isIdle }
        #expect(try ask(beside: peer) == [.variant(.string("Ada"))])
        #expect(try memory() - before < 64 << 20)
        #expect(peer.received == 0 && daemon.isRunning)
    }

    @Test func clientsThatLeaveInTheMiddleOfACallAreForgotten() throws {
        let before = try memory()
        for number in 0..<150 {
            let peer = try RawPeer(session)
            let write = try Caller.message("Write", [.variants([("profile.name", .string("\(number)"))]), .variants([])])
            peer.send(try peer.bytes(of: write))
            let half = try peer.bytes(of: Caller.message("ReadAll"))
            peer.send(Array(half.prefix(half.count / 2)))
            try peer.wait("everything written") { peer.isIdle }
            peer.close()
        }
        // What they have sent may still be on its way.
        try eventually("all of the changes") { try caller.revision() == 151 }
        #expect(try memory() - before < 64 << 20)
    }

    @Test func whatIsNoMessageThrowsItsSenderOutAlone() throws {
        let call = try Caller.message("Read", [.string("profile.name")])
        for (offset, byte) in [(0, 0x42), (1, 0), (3, 9), (4, 0xFF), (7, 0xFF), (15, 0xFF), (20, 0xFF)] as [(Int, UInt8)] {
            let peer = try RawPeer(session)
            var bytes = try peer.bytes(of: try Caller.message("Read", [.string("profile.name")]))
            bytes[offset] = byte
            // More than any length that the byte can have made.
            peer.send(bytes + [UInt8](repeating: 0xFF, count: 1 << 16))
            try peer.wait("the end of the peer") { !peer.isOpen }
            #expect(!peer.isOpen, "byte \(offset)")
        }
        #expect(try caller.connection.callAndWait(call, timeout: .seconds(20)).body() == [.variant(.string("Ada"))])
        #expect(daemon.isRunning)
    }

    @Test func whatIsTooLargeIsRefusedOrDroppedAndLeavesNothing() throws {
        let before = try memory()
        let bodies: [[Value]] = [
            [.string(String(repeating: "x", count: 8 << 20))],
            [.array(element: "y", Array(repeating: .byte(1), count: 2 << 20))],
            [.variant(.array(element: "s", Array(repeating: .string("profile.name"), count: 100_000)))],
            [.array(element: "a{sv}", Array(repeating: .variants([]), count: 200_000))],
        ]
        for body in bodies {
            for member in ["Read", "Describe", "NoSuchMember"] as [MemberName] {
                #expect(try caller.refusal(member, body).shortName == "TooLarge")
            }
        }
        // The most keys that fit.
        let keys = Value.strings(Array(repeating: "profile.name", count: 50_000))
        #expect(try caller.ask("Describe", [keys]).count == 2)
        #expect(try memory() - before < 128 << 20)
    }

    /// Were it new for each of them, reading would be slower than the bus sends, and everybody else's calls behind that.
    @Test(.enabled(if: !RunningProcess.isSanitized), arguments: ["y", "i", "b", "s", "v", "(s)", "as", "a{sv}"] as [Signature])
    func largeMessagesAreReadIntoTheSameMemoryAgain(element: Signature) throws {
        let items: [Signature: (item: Value, count: Int)] = [
            "y": (.byte(1), 1_000_000), "i": (.int32(1), 250_000), "b": (.boolean(true), 250_000), "s": (.string("text"), 80_000),
            "v": (.variant(.int64(1)), 60_000), "(s)": (.structure([.string("text")]), 60_000),
            "as": (.strings(["text"]), 50_000), "a{sv}": (.variants([("key", .boolean(true))]), 30_000),
        ]
        let (item, count) = try #require(items[element])
        let value = Value.array(element: element, Array(repeating: item, count: count))
        let call: [Value] = [.variants([("profile.name", value)]), .variants([])]
        for _ in 0..<10 { #expect(try caller.refusal("Write", call).shortName == "InvalidValue") }
        let before = try pageFaults()
        for _ in 0..<30 { #expect(try caller.refusal("Write", call).shortName == "InvalidValue") }
        // The message alone fills 256 pages.
        let faults = try pageFaults() - before
        #expect(faults < 30 * 64)
    }
}
