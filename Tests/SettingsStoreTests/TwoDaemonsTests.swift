import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// Two stores over one home, as two daemons on two buses have them.
@Suite struct TwoDaemonsTests {
    private func beds() throws -> (StoreBed, StoreBed) {
        let first = try StoreBed()
        let second = try StoreBed(root: first.root, loop: first.loop)
        try first.open()
        try second.open()
        return (first, second)
    }

    @Test func twentySetsThroughEachInTurnAreFortyTransactions() throws {
        let (first, second) = try beds()
        let keys = Schema.builtIn.settings.map(\.key).filter { $0.hasPrefix("support.") || $0 == "profile.avatar" }
        var last: [String: String] = [:]
        for number in 0..<20 {
            for (bed, name) in [(first, "a"), (second, "b")] {
                let key = keys[(number * 2 + (name == "a" ? 0 : 1)) % keys.count]
                let value = "https://example.org/\(name)\(number)"
                try bed.set(key, value)
                last[key] = value
            }
        }
        first.wait(for: "both at revision 40") {
            first.store.document.revision == 40 && second.store.document.revision == 40
        }
        for (key, value) in last {
            #expect(try first.value(key) == value)
            #expect(try second.value(key) == value)
        }
        #expect(first.commits.map(\.commit.revision) == Array(1...40))
        #expect(second.commits.map(\.commit.revision) == Array(1...40))
        #expect(second.store.changes(since: 0).changes.count == 40)
        first.close()
        second.close()
        for value in last.values { #expect(try first.documentText().contains(value)) }
        #expect(try first.documentText().contains("\"revision\": 40"))
        let reopened = try StoreBed(root: first.root)
        try reopened.open()
        #expect(reopened.store.document.revision == 40)
        #expect(reopened.store.changes(since: 0).changes.map(\.revision) == Array(1...40))
        #expect(reopened.store.problems == [])
    }

    @Test func writersAtOnceThroughBothLoseNothing() throws {
        let (first, second) = try beds()
        var answered = 0
        for number in 0..<100 {
            for (bed, key) in [(first, "profile.name"), (second, "profile.email")] {
                let value: SettingValue = key == "profile.name" ? .string("\(number)") : .string("\(number)@example.org")
                bed.store.submit(Request(actions: [Action("SetValues", ["values": .record([key: value])])])) {
                    if case .success = $0 { answered += 1 }
                }
            }
        }
        first.wait(for: "every answer") { answered == 200 }
        first.wait(for: "both to agree") { first.store.document == second.store.document }
        #expect(first.store.document.revision == 200)
        #expect(first.store.document.values == ["profile.name": "99", "profile.email": "99@example.org"])
        #expect(try first.journalLines().count == 201)
    }

    @Test func anEditOfWhatTheOtherWroteTakesNothingBackThatTheOtherAnswered() throws {
        let first = try StoreBed()
        try first.open()
        try first.set("support.contact", "https://example.org/0")
        first.waitForDocument(containing: "https://example.org/0")
        // Has a loop of its own, which is not served until the edit is there.
        let second = try StoreBed(root: first.root)
        try second.open()
        var edited: String?
        var round = 0
        while edited == nil, round < 20 {
            round += 1
            try first.set("support.contact", "https://example.org/\(round)/written")
            first.waitForDocument(containing: "https://example.org/\(round)/written")
            let text = try first.documentText()
            try first.set("support.contact", "https://example.org/\(round)/answered")
            // The document follows a moment later, which on a slow machine may have passed already.
            if try first.documentText() == text {
                edited = text.replacingOccurrences(
                    of: "\"contact\": ", with: "\"terms\": \"https://example.org/edit\",\n    \"contact\": ")
            }
        }
        try first.save(try #require(edited), to: first.documentPath)
        second.wait(for: "the edit") { try second.value("support.terms") == "https://example.org/edit" }
        #expect(try second.value("support.contact") == "https://example.org/\(round)/answered")
        first.wait(for: "the edit") { try first.value("support.terms") == "https://example.org/edit" }
        #expect(try first.value("support.contact") == "https://example.org/\(round)/answered")
    }

    @Test func anAnswerKnowsWhatTheOtherHasJustStored() throws {
        let (first, second) = try beds()
        try first.set("profile.name", "Ada")
        // Nobody has served the second's watches yet.
        var result: Result<Commit, SettingsError>?
        try second.set("profile.name", "Grace")
        first.store.submit(Request(actions: [Action("SetValues", ["values": .record(["profile.name": "Ada"])])])) { result = $0 }
        first.wait(for: "the answer") { result != nil }
        #expect(try result?.get().revision == 3)
        #expect(second.refusal("profile.email", "x@example.org") == nil)
        #expect(throws: SettingsError.self) { try first.set("profile.name", "Edsger", expecting: 3) }
    }

    @Test func aHandEditIsOneTransactionForBoth() throws {
        let (first, second) = try beds()
        try first.set("profile.name", "Ada")
        first.wait(for: "the other") { second.store.document.revision == 1 }
        first.waitForDocument(containing: "Ada")
        try first.save(#"{"profile": {"name": "Grace"}}"#, to: first.documentPath)
        first.wait(for: "both") { first.store.document.revision == 2 && second.store.document.revision == 2 }
        first.waitForDocument(containing: "\"revision\": 2")
        first.waitUntilReloaded()
        second.waitUntilReloaded()
        #expect(first.store.document.revision == 2)
        #expect(try first.journalLines().count == 3)
    }

    @Test func aLayerChangeIsOneTransactionForBoth() throws {
        let (first, second) = try beds()
        try first.write(#"{"profile": {"name": "Guest"}}"#, to: first.adminPath)
        first.wait(for: "both") { try first.value("profile.name") == "Guest" && second.value("profile.name") == "Guest" }
        first.waitUntilReloaded()
        second.waitUntilReloaded()
        #expect(first.store.document.revision == 1)
        #expect(second.store.document.revision == 1)
        #expect(second.commits.map(\.origin) == [.layer])
    }

    @Test func aLockThatIsNotHadInTimeFailsWithinASecond() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        let other = StoreLock(path: bed.paths.lock)
        #expect(try other.acquire())
        let start = ContinuousClock.now
        let error = bed.refusal("profile.name", "Grace")
        #expect(error?.name == .storageFailed)
        #expect(error?.message.contains(bed.paths.lock) == true)
        #expect(ContinuousClock.now - start < .milliseconds(1100))
        #expect(try bed.value("profile.name") == "Ada")
        other.release()
        try bed.set("profile.name", "Grace")
        #expect(bed.store.problems == [])
    }

    /// What somebody may do to the state folder while both write.
    enum Removal: CaseIterable {
        case theLock, theJournal, bothOfThem, theFolder

        func carryOut(in folder: String) {
            if self == .theFolder { rename(folder, "\(folder)-\(UUID().uuidString)") }
            if self == .theLock || self == .bothOfThem { unlink(folder + "/lock") }
            if self == .theJournal || self == .bothOfThem { unlink(folder + "/journal.jsonl") }
        }
    }

    @Test(arguments: Removal.allCases) func whatIsRemovedWhileBothWriteTakesNoAnswerBack(removal: Removal) throws {
        let (first, second) = try beds()
        let folder = (first.journalPath as NSString).deletingLastPathComponent
        // Each knows the other's journal.
        try first.set("profile.email", "a@example.org")
        first.wait(for: "both to agree") { first.store.document == second.store.document }
        var answered: [UInt64: String] = [:]
        for round in 0..<20 {
            var waiting = 0
            var isRemoved = false
            for number in 0..<20 {
                for (bed, name) in [(first, "a"), (second, "b")] {
                    waiting += 1
                    let value = "\(name) \(round) \(number)"
                    let action = Action("SetValues", ["values": .record(["profile.name": .string(value)])])
                    bed.store.submit(Request(actions: [action])) {
                        waiting -= 1
                        if case .success(let commit) = $0, let transaction = commit.transaction {
                            let other = answered.updateValue(value, forKey: transaction.change.revision)
                            #expect(other == nil, "\(commit.revision) twice")
                        }
                        // Another moment in each round; the disk is at work on what follows meanwhile.
                        if !isRemoved, answered.count > 42 * round {
                            isRemoved = true
                            removal.carryOut(in: folder)
                        }
                    }
                    if number % 3 == round % 3 { _ = first.loop.run(until: { true }, timeout: .zero) }
                }
            }
            first.wait(for: "every answer") { waiting == 0 }
            first.wait(for: "both to agree") { first.store.document == second.store.document }
        }
        #expect(answered.count == 800)
        for bed in [first, second] {
            let changes = bed.store.changes(since: 1).changes
            #expect(changes.count == 800)
            for change in changes { #expect(answered[change.revision] == change.values["profile.name"]?.string, "\(change)") }
        }
        let document = first.store.document
        first.close()
        second.close()
        let reopened = try StoreBed(root: first.root)
        try reopened.open()
        #expect(reopened.store.document == document)
        #expect(reopened.store.problems == [])
    }

    @Test func aJournalThatTheOtherHasShortenedIsFollowed() throws {
        let (first, second) = try beds()
        for number in 1...1300 { try first.set("profile.name", "\(number)") }
        first.wait(for: "a shorter journal") { try first.journalLines().count < 1270 }
        first.wait(for: "the other") { second.store.document.revision == 1300 }
        try second.set("profile.name", "last")
        first.wait(for: "both") { first.store.document.revision == 1301 }
        #expect(second.commits.map(\.commit.revision) == Array(1...1301))
        first.close()
        second.close()
        #expect(try first.journalLines().count <= 1001)
    }
}
