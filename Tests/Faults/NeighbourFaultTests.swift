import Foundation
import TestSupport
import Testing

/// Two daemons of one home on two buses, one of which dies in the middle of a commit.
@Suite(.logsOnFailure) struct NeighbourFaultTests {
    private static let first = ["profile.name": "Grace", "profile.email": "grace@example.org"]
    private static let later = ["profile.name": "Edsger", "support.contact": "https://example.org/contact"]

    @Test func aKillAtAnyCallHoldsTheOtherUpForNothingAndLosesNothing() throws {
        let bed = try FaultBed()
        let neighbour = try TestSession(folder: bed.session.folder)
        let client = try Client(neighbour)
        let ground = try Ground.aCommit.make(in: bed)
        let calls: [FaultyCall] = [.flock, .openat, .ftruncate, .pwrite, .fdatasync, .renameat2, .unlink, .fsync, .close]
        var kills = 0
        for plan in calls.flatMap({ call in
            (1...4).flatMap { number in
                (call == .pwrite ? [Fault.kill, .tear] : [.kill]).map {
                    FaultPlan(call: call, occurrences: number...number, fault: $0)
                }
            }
        }) {
            try bed.reset(to: ground.files)
            try bed.start(isFaulty: true)
            let other = try neighbour.startDaemon()
            bed.faults.arm(plan)
            let isAcknowledged = (try? bed.client.set(Self.first)) != nil
            let after = ground.snapshot.setting(Self.first)
            let start = ContinuousClock.now
            try client.set(Self.later)
            #expect(ContinuousClock.now - start < .seconds(1), "\(plan)")
            let snapshot = try client.snapshot()
            let possible = (isAcknowledged ? [after] : [ground.snapshot, after]).map { $0.setting(Self.later) }
            #expect(possible.contains(snapshot), "\(plan): \(snapshot)")
            try bed.client.wait("the document") { try bed.documentRevision() == snapshot.revision }
            kills += bed.faults.hits
            try bed.kill()
            #expect(try client.snapshot() == snapshot, "\(plan)")
            #expect(try client.problems() == [], "\(plan)")
            try other.end(SIGKILL)
            try neighbour.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
            #expect(try bed.stored() == snapshot, "\(plan)")
        }
        #expect(kills > 15, "\(kills) calls were reached.")
    }
}
