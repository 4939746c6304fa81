import Foundation
import TestSupport
import Testing

/// What grows while the daemon runs.
@Suite(.logsOnFailure) struct GrowthTests {
    private struct Size: CustomStringConvertible {
        /// In KiB.
        var memory = 0
        var peak = 0
        var descriptors = 0
        var threads = 0
        /// In bytes.
        var journal = 0
        var document = 0

        var description: String {
            "memory \(memory) KiB, \(descriptors) descriptors, \(threads) threads, journal \(journal), document \(document)"
        }
    }

    private func size(_ daemon: RunningProcess, _ session: TestSession) throws -> Size {
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        func number(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return Size(
            memory: number("VmRSS"), peak: number("VmHWM"),
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/fd").count,
            threads: number("Threads"), journal: session.folder.read(TestSession.journal)?.utf8.count ?? 0,
            document: session.folder.read(TestSession.document)?.utf8.count ?? 0)
    }

    @Test(.disabled(if: RunningProcess.isSanitized, "The sanitizer keeps much memory."))
    func aJournalOfMillionsOfDamagedLinesIsReadWithLittleMemory() throws {
        let bed = try FaultBed()
        try bed.start()
        try bed.client.set(["profile.name": "Ada"])
        try bed.end()
        let path = bed.session.folder.path(TestSession.journal)
        let file = try #require(FileHandle(forWritingAtPath: path))
        file.seekToEndOfFile()
        file.write(Data(repeating: UInt8(ascii: "\n"), count: 4_000_000))
        try file.close()
        try bed.start()
        #expect(try bed.client.value("profile.name") == "Ada")
        #expect(try bed.client.problems().contains { $0.contains("the last of 4000000 such lines") })
        let daemon = try #require(bed.daemon)
        #expect(try size(daemon, bed.session).peak < 64 << 10)
        try bed.client.set(["profile.name": "Grace"])
    }

    @Test func fiftyThousandSetsLeaveMemoryJournalAndDocumentSmall() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let client = try Client(session)
        var sent = 0
        var answers = 0
        var failures = 0
        func send() throws {
            sent += 1
            let values = ["profile.name": "name \(sent)", "support.help": "https://example.org/\(sent % 97)"]
            try client.send(values) { answer in
                answers += 1
                if case .failure = answer { failures += 1 }
            }
        }
        func set(upTo count: Int) throws {
            while answers < count {
                while sent < count, sent - answers < 500 { try send() }
                let before = answers
                try client.wait("an answer") { answers > before }
            }
        }
        try set(upTo: 10_000)
        let early = try size(daemon, session)
        try set(upTo: 50_000)
        #expect(failures == 0)
        try client.wait("the document") { session.folder.read(TestSession.document)?.contains("\"name 50000\"") == true }
        // A last write may be under way.
        try client.wait("\(early.descriptors) descriptors") { try size(daemon, session).descriptors <= early.descriptors }
        let late = try size(daemon, session)
        #expect(try client.snapshot().revision == 50_000)
        #expect(late.memory - early.memory < 8192, "\(early) → \(late)")
        #expect(late.memory < 65536, "\(late)")
        #expect(late.threads == 2)
        #expect(late.journal < 5 << 20)
        #expect(late.document < 300)
    }

    @Test func longValuesLeaveTheJournalWithinItsBytes() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let client = try Client(session)
        for number in 1...300 {
            try client.set(["support.help": "https://example.org/\(number)/" + String(repeating: "x", count: 40_000)])
            // One fourth more than the limit is worth the tidying, which follows the document, a few times a second. The
            // checkpoint does not count.
            if number % 20 == 0 { try client.wait("a tidy journal") { try size(daemon, session).journal < 6 << 20 } }
        }
        let late = try size(daemon, session)
        #expect(late.memory < 98_304, "\(late)")
        #expect(late.document < 50_000)
    }

    @Test func aThousandClientsThatComeAndGoLeaveNothing() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let client = try Client(session)
        func visit(_ count: Int) throws {
            for number in 1...count {
                let visitor = try Client(session, loop: client.loop)
                try visitor.set(["profile.name": "visitor \(number)"])
                visitor.close()
            }
            try client.set(["profile.name": "nobody"])
        }
        try visit(200)
        let early = try size(daemon, session)
        try visit(1000)
        try client.wait("\(early.descriptors) descriptors") { try size(daemon, session).descriptors <= early.descriptors }
        let late = try size(daemon, session)
        #expect(late.memory - early.memory < 4096, "\(early) → \(late)")
    }
}
