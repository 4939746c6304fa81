import EventLoop
import Foundation
import SettingsModel
import TestSupport
import Testing

/// What goes wrong between writers, disk and daemons, each a fault that some settings system had.
@Suite(.logsOnFailure) struct WritingCaseTests {
    @Test func aSetEvery300MillisecondsKeepsNothingFromTheDisk() throws {
        let session = try TestSession()
        let client = try Client(session)
        let daemon = try session.startDaemon()
        var acknowledged: [(revision: UInt64, at: ContinuousClock.Instant)] = []
        var worst = 0
        for number in 1...14 {
            acknowledged.append((try client.set(["profile.name": "\(number)"]), .now))
            var isOver = false
            client.loop.schedule(after: .milliseconds(300)) { isOver = true }
            try client.wait("the next") { isOver }
            let written = session.folder.read(TestSession.document).flatMap(Self.revision) ?? 0
            let due = acknowledged.last { $0.at < .now - .seconds(1) }?.revision ?? 0
            if written < due { worst += 1 }
        }
        #expect(worst == 0, "The document was more than a second behind.")
        try daemon.end(SIGKILL)
        let successor = try session.startDaemon()
        #expect(try client.snapshot() == Snapshot(revision: 14, values: ["profile.name": "14"]))
        #expect(try client.changes(since: 0)?.count == 14)
        _ = successor
    }

    private static func revision(_ document: String) -> UInt64? {
        document.split(separator: "\n").first { $0.contains("\"revision\"") }.flatMap { UInt64($0.filter(\.isNumber)) }
    }

    @Test func aFlushThatFailsOnceFailsItsOwnAndTriesTheOthersAgain() throws {
        let bed = try FaultBed()
        try bed.start(isFaulty: true)
        try bed.client.set(["profile.name": "Ada"])
        try bed.waitForDocument(Snapshot(revision: 1, values: ["profile.name": "Ada"]))
        bed.faults.arm(FaultPlan(call: .fdatasync, occurrences: 1...1, fault: .error(EIO)))
        var failures: Set<Int> = []
        var acknowledged: [UInt64: [String: String]] = [:]
        for number in 1...600 {
            let values = ["profile.name": "name \(number)", "support.help": "https://example.org/\(number)"]
            try bed.client.send(values) { answer in
                if case .success(let revision) = answer { acknowledged[revision] = values } else { failures.insert(number) }
            }
        }
        try bed.client.wait("all answers") { failures.count + acknowledged.count == 600 }
        // Those that shared the flush.
        #expect(bed.faults.hits == 1)
        #expect(failures == Set(1...failures.count))
        #expect(failures.count < 600)
        #expect(acknowledged.keys.sorted() == Array(2...UInt64(601 - failures.count)))
        let snapshot = try bed.client.snapshot()
        #expect(snapshot.values == acknowledged[snapshot.revision])
        try bed.kill()
        try bed.start()
        #expect(try bed.client.snapshot() == snapshot)
        #expect(try bed.client.changes(since: 1) == acknowledged)
    }

    @Test func twentyProcessesSettingTenTimesEachAreTwoHundredTransactions() throws {
        let session = try TestSession()
        let client = try Client(session)
        let daemon = try session.startDaemon()
        let keys = Schema.builtIn.settings.filter { $0.rule.kind == "uri" }.map(\.key)
        let control = try Products.path("settingsctl")
        let processes = try (0..<20).map { number in
            let key = keys[number % keys.count]
            let script =
                "for i in 1 2 3 4 5 6 7 8 9 10; do \(control) set \(key) https://example.org/\(number)/$i || exit 1; done"
            return try RunningProcess("bash", ["-c", script], environment: session.environment)
        }
        for process in processes { #expect(try process.waitForExit(within: .seconds(60)) == .exited(0), "\(process.log)") }
        let changes = try #require(try client.changes(since: 0))
        #expect(changes.count == 200)
        for (number, process) in processes.enumerated() {
            let own = changes.sorted { $0.key < $1.key }.flatMap { $0.value.values }.filter {
                $0.hasPrefix("https://example.org/\(number)/")
            }
            #expect(own == (1...10).map { "https://example.org/\(number)/\($0)" }, "\(process.log)")
        }
        var last = Snapshot(revision: 0, values: [:])
        for revision in changes.keys.sorted() { last = last.setting(changes[revision] ?? [:]) }
        #expect(try client.snapshot() == last)
        _ = daemon
    }

    @Test func twoDaemonsOnTwoBusesOverOneHomeAgreeOnFortyTransactions() throws {
        let first = try TestSession()
        let second = try TestSession(folder: first.folder)
        let clients = [try Client(first), try Client(second)]
        let daemons = [try first.startDaemon(), try second.startDaemon()]
        let keys = Schema.builtIn.settings.filter { $0.key != "provider.account" }.map(\.key)
        var expected = Snapshot(revision: 0, values: [:])
        let providers = ["mpd", "spotify", "tidal", "deezer"]
        for number in 0..<20 {
            for (index, client) in clients.enumerated() {
                let turn = number * 2 + index
                let key = keys[turn % keys.count]
                let value: String
                switch Schema.builtIn.setting(named: key)?.rule.kind {
                case "uri": value = "https://example.org/\(turn)"
                case "email": value = "a\(turn)@example.org"
                case "choice": value = providers[turn / keys.count % providers.count]
                default: value = "name \(turn)"
                }
                try client.set([key: value])
                expected = expected.setting([key: value])
            }
        }
        #expect(expected.revision == 40)
        for client in clients {
            try client.wait("both to agree") { try client.snapshot() == expected }
            #expect(try client.changes(since: 0)?.count == 40)
            #expect(try client.problems() == [])
        }
        for daemon in daemons { #expect(try daemon.end() == .exited(0)) }
        #expect(try FaultBed.stored(in: FaultBed.files(in: first.folder.path("home"))) == expected)
        #expect(first.folder.read(TestSession.document).flatMap(Self.revision) == 40)
    }
}
