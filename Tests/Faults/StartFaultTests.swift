import Foundation
import TestSupport
import Testing

/// Every call on the store's files that a start makes, and all that follows from it, fails or is the last one before a
/// kill.
@Suite(.logsOnFailure) struct StartFaultTests {
    private static let later = ["profile.name": "Edsger", "support.contact": "https://example.org/contact"]

    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    /// Starts a daemon while calls are counted.
    private func count(on ground: Ground.Made) throws {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true, plan: FaultPlan.none)
        try bed.waitForDocument(ground.snapshot)
        bed.faults.disarm()
        try bed.kill()
    }

    private func plans(_ faults: [Fault]) -> [FaultPlan] {
        FaultyCall.allCases.flatMap { call in
            (0..<bed.faults.count(of: call)).flatMap { number in
                faults.map { FaultPlan(call: call, occurrences: number + 1...number + 1, fault: $0) }
            }
        }
    }

    @Test(arguments: [Ground.aTornLine, .aLaggingDocument]) func aKillAtAnyCallLosesNothing(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let plans = plans([.kill])
        var kills = 0
        for plan in plans {
            try bed.reset(to: made.files)
            try bed.start(isFaulty: true, plan: plan)
            let daemon = try #require(bed.daemon)
            try bed.client.wait("the document after \(plan)") {
                try !daemon.isRunning || bed.documentRevision() == made.snapshot.revision
            }
            try bed.kill()
            #expect(try bed.stored() == made.snapshot, "\(plan)")
            try goesOn(from: made.snapshot, after: plan)
            kills += bed.faults.hits > 0 ? 1 : 0
        }
        #expect(kills > 10 && kills > plans.count * 3 / 4, "\(kills) of \(plans.count) calls were reached.")
    }

    @Test(arguments: [Ground.aTornLine, .aLaggingDocument]) func aCallThatFailsLosesNothing(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let plans = plans([.error(EIO), .error(EMFILE), .error(EACCES)])
        var hits = 0
        for plan in plans {
            try bed.reset(to: made.files)
            try bed.start(isFaulty: true, plan: plan)
            let daemon = try #require(bed.daemon)
            bed.faults.disarm()
            hits += bed.faults.hits > 0 ? 1 : 0
            if daemon.isRunning {
                // What could not be read at first may be noticed late, but then it is there.
                try bed.client.reload()
                #expect(try bed.client.snapshot() == made.snapshot, "\(plan)")
                try bed.client.set(Self.later)
                try bed.waitForNoProblem(after: plan)
                try bed.endWell(at: made.snapshot.setting(Self.later))
            } else {
                #expect(daemon.stderr.contains(String(cString: strerror(plan.code))), "\(plan): \(daemon.stderr)")
                try bed.kill()
                #expect(try bed.stored() == made.snapshot, "\(plan)")
                try goesOn(from: made.snapshot, after: plan)
            }
        }
        #expect(hits > 10 && hits > plans.count / 2, "\(hits) of \(plans.count) calls were reached.")
    }

    /// The vendor names another provider while no daemon runs, so that the account that goes with the old one is reset.
    @Test func aKillAtAnyCallLeavesTheResetOfTheAccountOneTransaction() throws {
        func provide(_ provider: String) throws {
            try bed.session.folder.write(#"{"provider": {"id": "\#(provider)"}}"#, to: TestSession.vendorLayer)
        }
        try provide("spotify")
        try bed.start()
        try bed.client.set(["profile.name": "Ada", "provider.account": "ada's"])
        try bed.client.wait("the document") { try bed.documentRevision() == 1 }
        let files = bed.files()
        try bed.kill()
        try provide("deezer")
        let after = Snapshot(revision: 2, values: ["profile.name": "Ada", "provider.id": "deezer"])

        try bed.start(isFaulty: true, plan: FaultPlan.none)
        #expect(try bed.client.snapshot() == after)
        try bed.client.wait("the document") { try bed.documentRevision() == 2 }
        bed.faults.disarm()
        try bed.kill()
        let plans = plans([.kill])
        var kills = 0
        for plan in plans {
            try bed.reset(to: files)
            try bed.start(isFaulty: true, plan: plan)
            let daemon = try #require(bed.daemon)
            try bed.client.wait("the document after \(plan)") { try !daemon.isRunning || bed.documentRevision() == 2 }
            kills += bed.faults.hits > 0 ? 1 : 0
            try bed.kill()
            try bed.start()
            #expect(try bed.client.snapshot() == after, "\(plan)")
            #expect(try bed.client.changes(since: 1) == [2: ["provider.id": "deezer", "provider.account": ""]], "\(plan)")
            try bed.client.set(["provider.account": "ada's other one"])
            #expect(try bed.end() == .exited(0))
        }
        #expect(kills > 10 && kills > plans.count * 3 / 4, "\(kills) of \(plans.count) calls were reached.")
    }

    private func goesOn(from snapshot: Snapshot, after plan: FaultPlan) throws {
        try bed.start()
        #expect(try bed.client.snapshot() == snapshot, "\(plan)")
        try bed.waitForDocument(snapshot)
        #expect(bed.leftovers() == [], "\(plan)")
        try bed.client.set(Self.later)
        try bed.endWell(at: snapshot.setting(Self.later))
    }
}

extension FaultPlan {
    /// Counts, and lets nothing fail.
    fileprivate static let none = FaultPlan(call: nil, occurrences: .max ... .max, fault: .stop)

    fileprivate var code: Int32 {
        if case .error(let code) = fault { code } else { 0 }
    }
}
