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

    @Test func twoThatHaveNothingToDoWakeNobody() throws {
        let session = try TestSession()
        let neighbour = try TestSession(folder: session.folder)
        let clients = [try Client(session), try Client(neighbour)]
        let daemons = [try session.startDaemon(), try neighbour.startDaemon()]
        for (number, client) in clients.enumerated() { try client.set(["profile.name": "\(number)"]) }
        try clients[0].wait("both at revision 2, and the document") {
            try clients.allSatisfy { try $0.snapshot().revision == 2 }
                && session.folder.read(TestSession.document)?.contains("\"revision\": 2,") == true
        }
        // What follows from it may take a while yet.
        var last: [String] = []
        var quietSince = ContinuousClock.now
        try clients[0].wait("both to be still for three seconds", .seconds(30)) {
            let now = try daemons.flatMap { try Self.switches(of: $0.pid) }
            if now != last { (last, quietSince) = (now, .now) }
            return ContinuousClock.now - quietSince > .seconds(3)
        }
    }

    /// How often each thread of a process has been put to sleep.
    private static func switches(of process: pid_t) throws -> [String] {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).sorted().map { task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            return status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
        }
    }
}
