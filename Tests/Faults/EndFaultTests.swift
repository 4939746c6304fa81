import Foundation
import TestSupport
import Testing

/// Whatever the store's files do, a daemon that is told to end does so.
@Suite(.logsOnFailure) struct EndFaultTests {
    private static let values = ["profile.name": "Grace", "profile.email": "grace@example.org"]

    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    /// Makes a commit while calls are counted.
    private func count(on ground: Ground.Made) throws {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        bed.faults.arm()
        try bed.client.set(Self.values)
        try bed.waitForDocument(ground.snapshot.setting(Self.values))
        try bed.end()
        bed.faults.disarm()
    }

    /// Makes a commit that fails at some call and ends the daemon while it still does. Returns what the daemon has logged.
    private func end(with plan: FaultPlan, on ground: Ground.Made) throws -> String {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        let daemon = try #require(bed.daemon)
        bed.faults.arm(plan)
        var isAcknowledged = false
        try bed.client.send(Self.values) { answer in
            if case .success = answer { isAcknowledged = true }
        }
        try bed.client.wait("\(plan)") { try bed.faults.hits > 0 || isAcknowledged && bed.documentRevision() != nil }
        daemon.signal(SIGTERM)
        try bed.client.wait("the end with \(plan)") { !daemon.isRunning }
        #expect(try bed.end() == .exited(0), "\(plan)")
        bed.faults.disarm()
        let after = ground.snapshot.setting(Self.values)
        let stored = try bed.stored()
        #expect((isAcknowledged ? [after] : [ground.snapshot, after]).contains(stored), "\(plan): \(stored)")
        return daemon.stderr
    }

    @Test(arguments: [Ground.nothing, .aCommit]) func aDaemonThatMayOpenNothingMoreEnds(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        for number in 1...bed.faults.count(of: .openat) {
            _ = try end(with: FaultPlan(call: .openat, occurrences: number ... .max, fault: .error(EMFILE)), on: made)
        }
    }

    @Test func aDaemonWhoseDiskDiesAtAnyCallEnds() throws {
        let made = try Ground.aCommit.make(in: bed)
        try count(on: made)
        for number in 1...bed.faults.total {
            _ = try end(with: FaultPlan(call: nil, occurrences: number ... .max, fault: .error(EIO)), on: made)
        }
    }

    @Test(arguments: [FaultyCall.pwrite, .fdatasync, .renameat2]) func aDaemonWhoseDiskHangsEndsAndSaysSo(call: FaultyCall) throws
    {
        let made = try Ground.aCommit.make(in: bed)
        let log = try end(with: FaultPlan(call: call, occurrences: 1...1, fault: .hang), on: made)
        #expect(log.contains("the disk of \(bed.session.folder.path(TestSession.document)) has not answered in time"), "\(log)")
    }
}
