import Foundation
import JSON
import SettingsModel
import Testing

@testable import SettingsStore

@Suite struct JournalTests {
    private func bedWithThreeChanges() throws -> StoreBed {
        let bed = try StoreBed()
        try bed.open()
        for name in ["Ada", "Grace", "Edsger"] { try bed.set("profile.name", name) }
        bed.close()
        return bed
    }

    @Test func aTornLastLineIsIgnoredAndCutOffByTheNextChange() throws {
        let bed = try bedWithThreeChanges()
        let whole = try bed.text(bed.journalPath)
        try bed.write(whole + #"{"revision":4,"time":17"#, to: bed.journalPath)
        try bed.open()
        #expect(bed.store.problems == [])
        #expect(bed.store.document.revision == 3)
        try bed.set("profile.name", "Barbara")
        let lines = try bed.journalLines()
        #expect(lines.count == 5)
        #expect(lines.joined(separator: "\n").hasPrefix(whole.dropLast()))
    }

    @Test func aBrokenLineIsPassedOverWithAProblem() throws {
        let bed = try bedWithThreeChanges()
        var lines = try bed.journalLines()
        lines[2] = String(lines[2].dropFirst(20))
        try bed.write(lines.joined(separator: "\n") + "\n", to: bed.journalPath)
        try bed.open()
        #expect(bed.store.problems.count == 1)
        #expect(bed.store.problems.first?.contains("journal.jsonl, line 3 is damaged") == true)
        #expect(try bed.value("profile.name") == "Edsger")
        #expect(bed.store.changes(since: 0).complete == false)
        #expect(bed.store.changes(since: 2).changes.count == 1)
        try bed.set("profile.name", "Barbara")
    }

    @Test func aBrokenLineThatSomebodyAddsIsNamedByItsPlaceInTheFile() throws {
        let bed = try bedWithThreeChanges()
        try bed.open()
        try bed.set("profile.name", "Barbara")
        let file = try #require(FileHandle(forWritingAtPath: bed.journalPath))
        file.seekToEndOfFile()
        file.write(Data("nonsense\n".utf8))
        try file.close()
        bed.wait(for: "the problem") { bed.store.problems.first?.contains("journal.jsonl, line 6 is damaged") == true }
        try bed.set("profile.name", "Ada")
        #expect(try bed.journalLines().count == 7)
    }

    @Test func aRevisionThatSomebodyHasWrittenIsNoGapInTheHistory() throws {
        for edit in [#"{"revision": 100, "profile": {"name": "Edsger"}}"#, #"{"revision": 100, "profile": {"name": "Mine"}}"#] {
            for isRunning in [true, false] {
                let bed = try bedWithThreeChanges()
                if isRunning { try bed.open() }
                try bed.save(edit, to: bed.documentPath)
                if !isRunning { try bed.open() }
                bed.wait(for: "the edit") { bed.store.document.revision >= 100 }
                try bed.set("profile.name", "Barbara")
                for _ in 0..<2 {
                    let last = bed.store.document.revision
                    #expect(bed.store.changes(since: 0).changes.map(\.revision) == [1, 2, 3] + (101...last))
                    #expect(bed.store.changes(since: 3).changes.map(\.revision) == Array(101...last))
                    #expect(bed.store.changes(since: 50).complete)
                    #expect(!bed.store.changes(since: last + 1).complete)
                    try bed.reopen()
                }
            }
        }
    }

    @Test func whatTheDocumentDoesNotHoldYetIsNotTrimmed() {
        var ledger = Ledger(schema: .builtIn, base: Checkpoint(document: Document(), kept: [:], documentRevision: 0))
        // Lines so large that the last few alone are over the limit.
        let line = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
        for revision in UInt64(1)...20 {
            let edit = Edit(
                key: "profile.name", before: ledger.document.values["profile.name"], after: .string("\(revision)"))
            let change = SettingsChange(
                revision: revision, values: [:], previous: [:], actions: ["SetValues"], origin: .bus, application: "", time: 0)
            ledger.record(
                JournalEntry(
                    transaction: KeptTransaction(change: change, edits: [.whole(edit)]), actions: [], documentRevision: 0),
                line: line)
        }
        ledger.trim(documentRevision: 7)
        #expect(ledger.values(at: 7) == ["profile.name": "7"])
        #expect(ledger.changes(since: 6) == nil)
        ledger.trim(documentRevision: 20)
        #expect(ledger.values(at: 15) == nil)
        #expect(ledger.document == Document(values: ["profile.name": "20"], revision: 20))
    }

    @Test func theJournalAloneRebuildsTheValues() throws {
        let bed = try bedWithThreeChanges()
        try FileManager.default.removeItem(atPath: bed.documentPath)
        try bed.open()
        #expect(bed.store.document == Document(values: ["profile.name": "Edsger"], revision: 3))
    }

    @Test func aLostJournalBesideAGoodDocumentTakesTheDocumentsRevision() throws {
        let bed = try bedWithThreeChanges()
        try FileManager.default.removeItem(atPath: bed.journalPath)
        try bed.open()
        #expect(bed.store.document == Document(values: ["profile.name": "Edsger"], revision: 3))
        #expect(bed.store.changes(since: 3).complete)
        #expect(!bed.store.changes(since: 2).complete)
        #expect(try bed.set("profile.name", "Barbara").revision == 4)
        #expect(try bed.journalLines().count == 2)
    }

    @Test func aJournalRemovedWhileWeRunIsMadeAgainBeforeTheNextAnswer() throws {
        let bed = try bedWithThreeChanges()
        try bed.open()
        try bed.set("profile.email", "e@example.org")
        bed.waitUntilIdle()
        try FileManager.default.removeItem(atPath: (bed.journalPath as NSString).deletingLastPathComponent)
        try bed.set("profile.name", "Barbara")
        #expect(try bed.journalLines().count == 6)
        try bed.reopen()
        #expect(bed.store.changes(since: 0).changes.count == 5)
    }
}
