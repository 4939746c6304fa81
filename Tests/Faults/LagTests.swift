import Foundation
import TestSupport
import Testing

/// What a document that cannot follow the journal looks like from outside.
@Suite(.logsOnFailure) struct LagTests {
    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    /// Lets every attempt to bring the document up to date fail, and returns the daemon's log.
    private func fail(_ call: FaultyCall, _ error: Int32, attempts: Int) throws -> String {
        bed.faults.arm(FaultPlan(call: call, occurrences: 1 ... .max, fault: .error(error)))
        for number in 1...attempts {
            let hits = bed.faults.hits
            try bed.client.set(["profile.name": "Grace \(number)"])
            try bed.client.wait("attempt \(number)") { bed.faults.hits > hits }
        }
        let daemon = try #require(bed.daemon)
        try daemon.waitForLog("lags behind the journal")
        return daemon.stderr
    }

    @Test(arguments: [(FaultyCall.unlink, EIO), (.renameat2, EIO), (.renameat2, ENOSPC), (.fsync, EIO), (.fchmod, EPERM)])
    func aDocumentThatLagsForOneCauseIsLoggedOnce(call: FaultyCall, error: Int32) throws {
        try bed.start(isFaulty: true)
        try bed.client.set(["profile.name": "Ada"])
        try bed.waitForDocument(Snapshot(revision: 1, values: ["profile.name": "Ada"]))
        let log = try fail(call, error, attempts: 4)
        let lines = log.split(separator: "\n").filter { $0.contains("lags behind the journal") }
        #expect(Set(lines).count == lines.count && lines.count == 1, "\(log)")
    }

    @Test(arguments: [(FaultyCall.unlink, EIO), (.renameat2, EIO), (.fsync, EIO)])
    func aLagIsNoProblemAnyMoreOnceTheDocumentIsThere(call: FaultyCall, error: Int32) throws {
        try bed.start(isFaulty: true)
        try bed.client.set(["profile.name": "Ada"])
        try bed.waitForDocument(Snapshot(revision: 1, values: ["profile.name": "Ada"]))
        _ = try fail(call, error, attempts: 1)
        bed.faults.disarm()
        try bed.client.wait("no problem") { try bed.client.problems() == [] }
        try bed.endWell(at: Snapshot(revision: 2, values: ["profile.name": "Grace 1"]))
    }
}
