import DBus
import Foundation
import TestSupport
import Testing

/// A document with far more in it than any schema knows.
@Suite(.logsOnFailure, .timeLimit(.minutes(3))) struct LargeDocumentTests {
    /// KiB of resident memory of a daemon that has just answered.
    ///
    /// - Parameter isJournaled: whether the journal, too, has what is in the document.
    private func memory(documentOf keys: Int, isJournaled: Bool = false) throws -> Int {
        let session = try TestSession()
        let others = (0..<keys).map { "\"k\($0)\": \"v\($0)-abcdefghijklmnop\"" }.joined(separator: ",\n")
        try session.folder.write("{ \"format\": 1, \"bench\": {\n\(others)\n} }\n", to: TestSession.document)
        if isJournaled {
            let daemon = try session.startDaemon()
            _ = try Caller(session).write([("profile.name", .string("Ada"))])
            #expect(try daemon.end() == .exited(0))
        }
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        _ = try caller.read("profile.name")
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test(.enabled(if: !RunningProcess.isSanitized), arguments: [false, true])
    func itTakesTheMemoryOfItsValuesAndNotOfItsReading(isJournaled: Bool) throws {
        let own = try memory(documentOf: 1)
        // 13 MiB; 32 with what reading takes and gives back, 21 where journal and document hold a copy each.
        #expect(try memory(documentOf: 50_000, isJournaled: isJournaled) - own < 18 << 10)
    }
}
