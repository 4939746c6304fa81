import Foundation
import TestSupport
import Testing

/// What is flushed before an answer, call by call.
@Suite(.logsOnFailure) struct FlushTests {
    /// What has got its name or its content without a flush, of all that the journal needs.
    private func unflushed(_ log: [(call: String, path: String)], journal: String) -> Set<String> {
        var names: Set<String> = []
        var content: Set<String> = [journal]
        for (call, path) in log {
            switch call {
            case "mkdir", "renameat2": names.insert(path)
            case "fsync": names = names.filter { ($0 as NSString).deletingLastPathComponent != path }
            case "pwrite": content.insert(path)
            case "fdatasync": content.remove(path)
            default: break
            }
        }
        return names.union(content).filter { journal.hasPrefix($0) }
    }

    @Test func everythingOnTheWayToAChangeIsFlushedBeforeTheAnswerWhateverFailedBefore() throws {
        let bed = try FaultBed(isLogging: true)
        let journal = bed.session.folder.path(TestSession.journal)
        var hits = 0
        let calls: [FaultyCall] = [.mkdir, .openat, .fdatasync, .fsync, .renameat2]
        let plans: [FaultPlan] = calls.flatMap { call in
            (1...8).map { FaultPlan(call: call, occurrences: $0...$0, fault: .error(EIO)) }
        }
        for plan in plans {
            try bed.reset()
            try bed.faults.clearLog()
            try bed.start(isFaulty: true)
            bed.faults.arm(plan)
            _ = try? bed.client.set(["profile.name": "Ada"])
            hits += bed.faults.hits
            bed.faults.arm()
            try bed.client.set(["profile.name": "Grace"])
            let log = bed.faults.log
            #expect(unflushed(log, journal: journal) == [], "\(plan): \(log)")
            #expect(log.contains { $0.call == "mkdir" && $0.path == (journal as NSString).deletingLastPathComponent })
            try bed.kill()
        }
        #expect(hits > 15)
    }
}
