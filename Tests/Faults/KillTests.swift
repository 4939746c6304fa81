import EventLoop
import Foundation
import TestSupport
import Testing

/// The daemon is killed again and again while many write.
@Suite(.logsOnFailure) struct KillTests {
    /// Sets two keys again and again, with one call under way at a time.
    private final class Writer {
        let key: String
        private let number: Int
        private let client: Client
        private var count = 0
        /// The last value that was sent.
        private(set) var sent = ""
        /// What was acknowledged, by revision.
        var acknowledged: [UInt64: [String: String]] = [:]
        var isWriting = false

        init(_ number: Int, key: String, client: Client) {
            self.number = number
            self.key = key
            self.client = client
        }

        func write() throws {
            count += 1
            sent = "https://example.org/\(number)/\(count)"
            let values = [key: sent, "profile.name": "writer \(number), \(count)"]
            isWriting = true
            try client.send(values) { [unowned self] answer in
                isWriting = false
                guard case .success(let revision) = answer else { return }
                acknowledged[revision] = values
                try? write()
            }
        }
    }

    private static let keys = [
        "profile.avatar", "support.help", "support.contact", "support.feedback", "support.community", "support.terms",
        "support.privacy", "support.imprint", "support.licenses",
    ]

    @Test func aHundredKillsUnderTenWritersLoseNothing() throws {
        let session = try TestSession()
        let client = try Client(session)
        // Two of the writers set the same key.
        let writers = try (0..<10).map {
            Writer($0, key: Self.keys[$0 % Self.keys.count], client: try Client(session, loop: client.loop))
        }
        var random = SeededGenerator(seed: 1)
        var known = Snapshot(revision: 0, values: [:])
        var total = 0
        for round in 0...100 {
            let daemon = try session.startDaemon()
            let now = try client.snapshot()
            let changes = try #require(try client.changes(since: known.revision), "round \(round)")
            #expect(changes.count == now.revision - known.revision)
            for writer in writers {
                for (revision, values) in writer.acknowledged { #expect(changes[revision] == values, "round \(round)") }
                total += writer.acknowledged.count
                writer.acknowledged = [:]
            }
            for revision in changes.keys.sorted() {
                let values = changes[revision] ?? [:]
                #expect(values.count == 2, "half a transaction in round \(round): \(values)")
                known = known.setting(values)
            }
            #expect(known == now, "round \(round)")
            #expect(try client.problems() == [], "round \(round)")

            for writer in writers { try writer.write() }
            try client.wait("an answer") { writers.contains { !$0.acknowledged.isEmpty } }
            var isTime = false
            client.loop.schedule(after: .milliseconds(Int.random(in: 1...40, using: &random))) { isTime = true }
            try client.wait("the time to kill") { isTime }
            try daemon.end(SIGKILL)
            try client.wait("the end of every call") { !writers.contains { $0.isWriting } }
            try session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
        }
        #expect(total > 500, "\(total) acknowledged transactions")
    }
}
