import DBus
import Foundation
import SettingsModel
import TestSupport
import Testing

/// Every call on the store's files that a commit makes, and all that follows from it until the daemon's end, fails, falls
/// short, or is the last one before a kill.
@Suite(.logsOnFailure) struct CommitFaultTests {
    private static let first = ["profile.name": "Grace", "profile.email": "grace@example.org"]
    private static let later = ["profile.name": "Edsger", "support.contact": "https://example.org/contact"]

    private var bed: FaultBed

    init() throws { bed = try FaultBed() }

    /// Makes a commit, while calls are counted.
    ///
    /// - Parameter isEnding: whether the calls of the daemon's end count, too.
    private func count(on ground: Ground.Made, isEnding: Bool = false) throws {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        bed.faults.arm()
        try bed.client.set(Self.first)
        try bed.waitForDocument(ground.snapshot.setting(Self.first))
        if let size = ground.files[TestSession.journal]?.count, ground.snapshot.revision >= 1250 {
            try bed.client.wait("a shorter journal") { try #require(bed.files()[TestSession.journal]?.count) < size }
        }
        if !isEnding { bed.faults.disarm() }
        #expect(try bed.end() == .exited(0))
    }

    /// One plan for each fault of each call.
    private func plans(_ faults: (FaultyCall) -> [Fault]) -> [FaultPlan] {
        FaultyCall.allCases.flatMap { call in
            faults(call).flatMap { fault in
                (0..<bed.faults.count(of: call)).map { FaultPlan(call: call, occurrences: $0 + 1...$0 + 1, fault: fault) }
            }
        }
    }

    /// Adds the plan to what goes wrong.
    private func naming(_ plan: FaultPlan, _ body: () throws -> Bool) throws -> Bool {
        do {
            return try body()
        } catch {
            throw TestFailure("\(plan): \(error)")
        }
    }

    // MARK: Killed

    @Test(arguments: Ground.beforeCommits) func aKillAtAnyCallLosesNothingAndLeavesNothingHalf(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made, isEnding: true)
        // What only looks leaves the files as the call before it.
        let plans = plans { call in
            call == .pwrite ? [.kill, .tear] : call.changesFiles || ground == .nothing || ground == .aCommit ? [.kill] : []
        }
        var kills = 0
        for plan in plans { kills += try naming(plan) { try isWhole(after: plan, on: made) } ? 1 : 0 }
        #expect(kills > 10 && kills > plans.count * 3 / 4, "\(kills) of \(plans.count) calls were reached.")
    }

    /// Says whether the daemon was killed.
    private func isWhole(after plan: FaultPlan, on ground: Ground.Made) throws -> Bool {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        bed.faults.arm(plan)
        let isAcknowledged = (try? bed.client.set(Self.first)) != nil
        let after = ground.snapshot.setting(Self.first)
        let daemon = try #require(bed.daemon)
        if isAcknowledged {
            try bed.client.wait("the document") { try !daemon.isRunning || bed.documentRevision() == after.revision }
        }
        // The last calls are those of the daemon's end.
        try bed.end()
        let stored = try bed.stored()
        #expect((isAcknowledged ? [after] : [ground.snapshot, after]).contains(stored), "\(plan): \(stored)")
        try bed.start()
        #expect(try bed.client.snapshot() == stored, "\(plan)")
        #expect(try bed.client.problems() == [], "\(plan)")
        if stored.revision > 0 { try bed.waitForDocument(stored) }
        #expect(bed.leftovers() == [], "\(plan)")
        try bed.client.set(Self.later)
        try bed.endWell(at: stored.setting(Self.later))
        return bed.faults.hits > 0
    }

    // MARK: Failing once

    @Test(arguments: Ground.beforeCommits) func aCallThatFailsOnceFailsAtMostItsOwnCommit(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let isWhole = ground == .nothing || ground == .aCommit
        let plans = plans { call in isWhole || call.changesFiles ? call.errors.map { .error($0) } : [] }
        var hits = 0
        for plan in plans { hits += try naming(plan) { try recovers(from: plan, on: made) } ? 1 : 0 }
        #expect(hits > 10 && hits > plans.count * 3 / 4, "\(hits) of \(plans.count) calls were reached.")
    }

    @Test(arguments: [Ground.nothing, .aCommit]) func aCallThatIsInterruptedOrFallsShortGoesOn(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let plans = plans { call in
            (call.isInterruptible ? [.error(EINTR)] : []) + (call == .pread || call == .pwrite ? [.short] : [])
        }
        var hits = 0
        for plan in plans { hits += try naming(plan) { try recovers(from: plan, on: made) } ? 1 : 0 }
        #expect(hits > 10 && hits > plans.count * 3 / 4, "\(hits) of \(plans.count) calls were reached.")
    }

    /// There what is at the path is compared, then replaced.
    @Test(arguments: [Ground.nothing, .aCommit]) func aFileSystemThatCannotExchangeLosesNothingEither(ground: Ground) throws {
        var plain = self
        plain.bed = try FaultBed(isPlain: true)
        try plain.aKillAtAnyCallLosesNothingAndLeavesNothingHalf(ground: ground)
        try plain.aCallThatFailsOnceFailsAtMostItsOwnCommit(ground: ground)
    }

    // MARK: Failing from then on

    @Test(arguments: [Ground.nothing, .aCommit]) func aDiskThatDiesAtAnyCallLosesNothingAndHeals(ground: Ground) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let plans = (1...bed.faults.total).map { FaultPlan(call: nil, occurrences: $0 ... .max, fault: .error(EIO)) }
        for plan in plans { _ = try naming(plan) { try recovers(from: plan, on: made) } }
    }

    @Test(arguments: [Ground.aCommit, .aLongJournal], [EIO, ENOSPC, EROFS, EMFILE])
    func aCallThatFailsForAWhileFailsOnlyMeanwhile(ground: Ground, error: Int32) throws {
        let made = try ground.make(in: bed)
        try count(on: made)
        let calls = FaultyCall.allCases.filter { $0.errors.contains(error) && bed.faults.count(of: $0) > 0 }
        for call in calls {
            let plan = FaultPlan(call: call, occurrences: 1 ... .max, fault: .error(error))
            #expect(try naming(plan) { try recovers(from: plan, on: made) }, "\(plan)")
        }
    }

    // MARK: Failing

    /// Makes a commit with a fault and one without, and looks at memory and files. Says whether the fault struck.
    private func recovers(from plan: FaultPlan, on ground: Ground.Made) throws -> Bool {
        try bed.reset(to: ground.files)
        try bed.start(isFaulty: true)
        bed.faults.arm(plan)
        let refusal = try refusal(of: Self.first)
        let memory = refusal == nil ? ground.snapshot.setting(Self.first) : ground.snapshot
        if let refusal {
            let isReadOnly = plan.fault == .error(EROFS) && refusal.shortName == "ReadOnly"
            #expect(isReadOnly || refusal.shortName == "StorageFailed", "\(plan): \(refusal)")
            #expect(!plan.isHarmless, "\(plan): \(refusal)")
        } else {
            try bed.client.wait("the document") { try bed.faults.hits > 0 || bed.documentRevision() == memory.revision }
        }
        #expect(try bed.client.snapshot() == memory, "\(plan)")
        let stored = try bed.stored()
        // A disk that does not even let a refused change be taken back may have it.
        let isPossible = stored == memory || !plan.isOnce && stored == ground.snapshot.setting(Self.first)
        #expect(isPossible, "\(plan): \(stored)")
        bed.faults.disarm()
        if plan.isHarmless { try bed.waitForDocument(memory) }
        #expect(try self.refusal(of: Self.later) == nil, "\(plan)")
        let end = memory.setting(Self.later)
        #expect(try bed.client.snapshot() == end, "\(plan)")
        try bed.waitForNoProblem(after: plan)
        try bed.endWell(at: end)
        try bed.start()
        #expect(try bed.client.snapshot() == end, "\(plan)")
        #expect(bed.leftovers() == [], "\(plan)")
        try bed.kill()
        return bed.faults.hits > 0
    }

    private func refusal(of values: [String: String]) throws -> BusError? {
        do {
            try bed.client.set(values)
            return nil
        } catch let error as BusError {
            return error
        }
    }
}

extension FaultyCall {
    /// Whether it may change files or make changes last.
    fileprivate var changesFiles: Bool {
        switch self {
        case .pwrite, .ftruncate, .chmod, .fchmod, .fchown, .fdatasync, .fsync, .mkdir, .renameat2, .unlink: true
        default: false
        }
    }

    /// Whether a signal may interrupt it.
    fileprivate var isInterruptible: Bool {
        switch self {
        case .openat, .flock, .pread, .pwrite, .ftruncate, .fdatasync, .fsync: true
        default: false
        }
    }

    /// What it may fail with while a commit is made.
    fileprivate var errors: [Int32] {
        switch self {
        case .openat: [EIO, ENOSPC, EROFS, EMFILE]
        case .opendir: [EIO, EMFILE]
        case .pwrite, .ftruncate, .fdatasync, .fsync: [EIO, ENOSPC]
        case .mkdir, .chmod, .renameat2, .unlink: [EIO, ENOSPC, EROFS]
        case .flock: [EIO, ENOLCK]
        case .inotifyAddWatch: [ENOSPC]
        default: [EIO]
        }
    }
}

extension FaultPlan {
    fileprivate var isOnce: Bool { occurrences.count == 1 }

    /// Whether nobody may notice anything.
    fileprivate var isHarmless: Bool { fault == .short || fault == .error(EINTR) }
}

extension BusError {
    /// The name without the common beginning.
    var shortName: String { String(name.rawValue.split(separator: ".").last ?? "") }
}
