import DBus
import Foundation
import TestSupport
import Testing

/// What a file system holds after a power cut: an ext4 image is copied while the daemon runs, and the copy is mounted.
@Suite(.logsOnFailure, .needsLoopDevices) struct PowerCutTests {
    private let bed: FaultBed
    private let disk: Disk

    init() throws {
        bed = try FaultBed()
        disk = try Disk(.image(16384), at: "home", in: bed.session.folder)
    }

    private func storedAfterPowerCut() throws -> Snapshot {
        try disk.afterPowerCut { try FaultBed.stored(in: FaultBed.files(in: $0)) }
    }

    /// Otherwise the copies would prove nothing.
    @Test func whatNobodyHasFlushedIsNotThere() throws {
        let file = open(disk.path + "/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        try #require(write(file, "unflushed", 9) == 9)
        func text() throws -> String? { try disk.afterPowerCut { try? String(contentsOfFile: $0 + "/file", encoding: .utf8) } }
        #expect(try text() != "unflushed")
        fsync(file)
        #expect(try text() == "unflushed")
    }

    @Test func everyAcknowledgedSetIsThereTheVeryFirstOneIncluded() throws {
        try bed.start()
        var snapshot = Snapshot(revision: 0, values: [:])
        for number in 1...20 {
            let values = ["profile.name": "\(number)", "support.help": "https://example.org/\(number)"]
            try bed.client.set(values)
            snapshot = snapshot.setting(values)
            #expect(try storedAfterPowerCut() == snapshot)
        }
        try bed.kill()
    }

    /// What a killed daemon had not flushed is its successor's to flush.
    @Test func whatIsAcknowledgedAfterAKillIsThereToo() throws {
        let calls: [FaultyCall] = [.mkdir, .openat, .pwrite, .fdatasync, .renameat2, .fsync]
        let values = ["profile.name": "Ada", "support.help": "https://example.org/"]
        var kills = 0
        for plan in calls.flatMap({ call in (1...6).map { FaultPlan(call: call, occurrences: $0...$0, fault: .kill) } }) {
            try bed.reset()
            try Disk.run("sync", ["-f", disk.path])
            try bed.start(isFaulty: true)
            bed.faults.arm(plan)
            _ = try? bed.client.set(["profile.email": "ada@example.org"])
            kills += bed.faults.hits
            try bed.kill()
            try bed.start()
            let snapshot = try bed.client.snapshot().setting(values)
            try bed.client.set(values)
            #expect(try storedAfterPowerCut() == snapshot, "\(plan)")
            try bed.kill()
        }
        #expect(kills > 15)
    }

    /// ext4 answers an error of its own by letting nobody write any more, not even to files that are open.
    @Test(.enabled(if: access("/sys/fs/ext4", W_OK) == 0, "NOT PROVEN HERE: ext4 cannot be told to fail."))
    func aFileSystemThatHasTurnedReadOnlyRefusesAndServes() throws {
        try bed.start()
        try bed.client.set(["profile.name": "Ada"])
        let snapshot = Snapshot(revision: 1, values: ["profile.name": "Ada"])
        try bed.waitForDocument(snapshot)
        let files = bed.files()
        try disk.fail()
        let start = ContinuousClock.now
        #expect(throws: BusError.self) { try bed.client.set(["profile.name": "Grace"]) }
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect(try bed.client.snapshot() == snapshot)
        #expect(bed.files() == files)
        #expect(try bed.end() == .exited(0))
        try bed.start()
        #expect(try bed.client.snapshot() == snapshot)
        try bed.kill()
    }

    /// Stops the daemon before each call on its files and cuts the power there.
    @Test func aCutAtAnyCallLosesNothingAcknowledgedAndLeavesNothingHalf() throws {
        try bed.start(isFaulty: true)
        let daemon = try #require(bed.daemon)
        var snapshot = Snapshot(revision: 0, values: [:])
        var cuts = 0
        for number in 1...2 {
            let values = ["profile.name": "\(number)", "support.help": "https://example.org/\(number)"]
            let after = snapshot.setting(values)
            var isAcknowledged = false
            bed.faults.arm(FaultPlan(call: nil, occurrences: 1 ... .max, fault: .stop))
            try bed.client.send(values) { answer in isAcknowledged = (try? answer.get()) == after.revision }
            while try !isAcknowledged || bed.documentRevision() != after.revision {
                try bed.client.wait("a call or the document") {
                    try daemon.isStopped || isAcknowledged && bed.documentRevision() == after.revision
                }
                guard daemon.isStopped else { break }
                let stored = try storedAfterPowerCut()
                #expect((isAcknowledged ? [after] : [snapshot, after]).contains(stored), "cut \(cuts): \(stored)")
                cuts += 1
                daemon.signal(SIGCONT)
            }
            bed.faults.disarm()
            daemon.signal(SIGCONT)
            snapshot = after
        }
        #expect(cuts > 50)
        try bed.kill()
    }
}

extension RunningProcess {
    /// Whether a signal has stopped it.
    var isStopped: Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return status.split(separator: ")").last?.hasPrefix(" T") == true
    }
}
