import Foundation
import TestSupport
import Testing

/// Every call on the store's files while an edit of the document is taken in fails or is the last one before a kill.
@Suite(.logsOnFailure) struct EditFaultTests {
    private static let later = ["profile.email": "ada@example.org"]

    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    /// Saves the document with another name and something that nobody knows, as most editors do.
    private func edit(_ ground: Ground.Made) throws {
        let old = String(decoding: try #require(ground.files[TestSession.document]), as: UTF8.self)
        let new = old.replacingOccurrences(of: "\"Ada\"", with: "\"Grace\"").replacingOccurrences(
            of: "\"format\"", with: "\"mine\": [1.50],\n  \"format\"")
        try session.folder.write(new, to: TestSession.document)
    }

    private var session: TestSession { bed.session }

    private func start(on ground: Ground.Made, _ plan: FaultPlan? = nil) throws {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        bed.faults.arm(plan)
        try edit(ground)
    }

    private func plans(on ground: Ground.Made, _ fault: Fault) throws -> [FaultPlan] {
        try start(on: ground)
        try bed.waitForDocument(ground.snapshot.setting(["profile.name": "Grace"]))
        bed.faults.disarm()
        try bed.kill()
        return FaultyCall.allCases.flatMap { call in
            (0..<bed.faults.count(of: call)).map { FaultPlan(call: call, occurrences: $0 + 1...$0 + 1, fault: fault) }
        }
    }

    @Test func aKillAtAnyCallLeavesTheEditOneTransaction() throws {
        let ground = try Ground.aCommit.make(in: bed)
        let edited = ground.snapshot.setting(["profile.name": "Grace"])
        let plans = try plans(on: ground, .kill)
        var kills = 0
        for plan in plans {
            try start(on: ground, plan)
            let daemon = try #require(bed.daemon)
            try bed.client.wait("the document after \(plan)") {
                try !daemon.isRunning || bed.documentRevision() == edited.revision && isNormal
            }
            // The calls after the document's, of which nothing can be seen, come late on a busy machine.
            try? within(.milliseconds(200), "the end of the daemon") { !daemon.isRunning }
            kills += bed.faults.hits > 0 ? 1 : 0
            try bed.kill()
            try bed.start()
            #expect(try bed.client.snapshot() == edited, "\(plan)")
            #expect(try bed.client.problems() == [], "\(plan)")
            try bed.client.wait("nothing to be left after \(plan)") { bed.leftovers() == [] }
            try bed.client.set(Self.later)
            try bed.endWell(at: edited.setting(Self.later))
            #expect(isKept, "\(plan)")
        }
        #expect(kills > 10 && kills > plans.count * 3 / 4, "\(kills) of \(plans.count) calls were reached.")
    }

    @Test func aCallThatFailsOnceDelaysTheEditAtMostToTheNextChange() throws {
        let ground = try Ground.aCommit.make(in: bed)
        let edited = ground.snapshot.setting(["profile.name": "Grace"])
        let plans = try plans(on: ground, .error(EIO))
        var hits = 0
        for plan in plans {
            try start(on: ground, plan)
            try bed.client.wait("the document after \(plan)") {
                try bed.faults.hits > 0 || bed.documentRevision() == edited.revision && isNormal
            }
            hits += bed.faults.hits > 0 ? 1 : 0
            bed.faults.disarm()
            try bed.client.set(Self.later)
            let values = edited.setting(Self.later).values
            try bed.client.wait("edit and change after \(plan)") { try bed.client.snapshot().values == values }
            let end = try bed.client.snapshot()
            #expect(end.revision == 3, "\(plan)")
            try bed.waitForNoProblem(after: plan)
            try bed.endWell(at: end)
            #expect(isKept, "\(plan)")
        }
        #expect(hits > 10 && hits > plans.count / 2, "\(hits) of \(plans.count) calls were reached.")
    }

    @Test func anEditThatAKillKeepsFromBeingPutBackIsTakenInByTheNextDaemon() throws {
        let ground = try Ground.aCommit.make(in: bed)
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        let daemon = try #require(bed.daemon)
        bed.faults.arm(FaultPlan(call: .renameat2, occurrences: 1...1, fault: .stop))
        try bed.client.set(Self.later)
        try bed.client.wait("the exchange to begin") { daemon.isStopped }
        try edit(ground)
        bed.faults.arm(FaultPlan(call: .renameat2, occurrences: 1...1, fault: .kill))
        daemon.signal(SIGCONT)
        try bed.client.wait("the kill") { !daemon.isRunning }
        #expect(!text.contains("mine"), "The edit has made room for what the daemon wrote.")
        try bed.kill()
        try bed.start()
        let edited = ground.snapshot.setting(Self.later).setting(["profile.name": "Grace"])
        #expect(try bed.client.snapshot() == edited)
        try bed.endWell(at: edited)
        #expect(isKept)
        #expect(bed.leftovers() == [])
    }

    private var text: String { session.folder.read(TestSession.document) ?? "" }

    /// Whether the daemon has written it since the edit.
    private var isNormal: Bool { text.hasPrefix("{\n  \"format\"") }

    private var isKept: Bool { text.contains("\"mine\": [\n    1.50\n  ]") }
}
