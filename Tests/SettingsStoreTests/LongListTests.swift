import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// What is stored of a change of a long list is in proportion to the change.
@Suite struct LongListTests {
    private static let schema = Schema(
        application: "org.example.Notes",
        settings: [
            Setting("notes", notes, default: .list(element: .record, []), "Notes"),
            Setting("title", .string(StringRule()), default: "", "A title"),
        ],
        actions: [
            ActionDeclaration(
                "Add", "", arguments: [.init("text", .string, "")],
                [.insert(.key("notes"), .record(["id": .uuid, "text": .argument("text")]), at: nil)]),
            ActionDeclaration(
                "Change", "", arguments: [.init("text", .string, ""), .init("to", .string, "")],
                [.update(.key("notes"), where: ["text": .argument("text")], with: ["text": .argument("to")])]),
            ActionDeclaration(
                "Remove", "", arguments: [.init("text", .string, "")],
                [.remove(.key("notes"), .matching(["text": .argument("text")]))]),
        ])

    private static let notes = ValueRule.list(
        ListRule(of: .record(RecordRule([.init("id", .string(StringRule())), .init("text", .string(StringRule()))]))))

    private static let start = SettingValue.list(
        element: .record, (0..<500).map { .record(["id": .string("\($0)"), "text": .string("note \($0)")]) })

    /// A store with a list of 500 records and three changes of it.
    private func bed() throws -> StoreBed {
        let bed = try StoreBed()
        bed.schema = Self.schema
        try bed.open()
        _ = try bed.submit([Action("SetValues", ["values": .record(["notes": Self.start])])]).get()
        for action in Self.changes { _ = try bed.submit([action]).get() }
        return bed
    }

    private static let changes = [
        Action("Add", ["text": "new"]), Action("Change", ["text": "note 7", "to": "changed"]),
        Action("Remove", ["text": "note 100"]),
    ]

    private func texts(_ value: SettingValue?) -> [String] { (value?.items ?? []).compactMap { $0.record?["text"]?.string } }

    @Test func aLineOfTheJournalHoldsWhatIsDifferentAlone() throws {
        let bed = try bed()
        let lines = try bed.journalLines()
        #expect(lines.count == 5)
        #expect(lines[1].utf8.count > 10_000)
        for line in lines[2...] { #expect(line.utf8.count < 600) }
        #expect(lines[3].contains(#""splices":{"notes":{"count":501,"at":7,"removed":[{"id":"7","text":"note 7"}],"#))
        #expect(lines[3].contains(#""inserted":[{"id":"7","text":"changed"}]"#))
        #expect(lines[3].contains(#""values":{},"previous":{},"before":{},"after":{}"#))
        // Short values stand in the line as ever.
        try bed.set("title", "A")
        #expect(try bed.journalLines()[5].contains(#""before":{"title":null},"after":{"title":"A"},"document""#))
    }

    @Test func clientsSeeWholeValues() throws {
        let bed = try bed()
        let told = bed.commits.compactMap { $0.commit.transaction?.change }
        #expect(texts(told[1].previous["notes"]).count == 500 && texts(told[1].values["notes"]).last == "new")
        #expect(texts(told[2].previous["notes"])[7] == "note 7" && texts(told[2].values["notes"])[7] == "changed")
        #expect(texts(told[3].values["notes"]).count == 500)
        for revision in UInt64(0)...4 {
            let changes = bed.store.changes(since: revision)
            #expect(changes.complete && changes.changes == Array(told.dropFirst(Int(revision))))
        }
    }

    @Test func whatIsTooMuchForOneAnswerIsNotTold() throws {
        let bed = try StoreBed()
        bed.schema = Self.schema
        try bed.open()
        // A record of two texts is seven values, and each change tells of both lists.
        let notes = (0..<20_000).map { SettingValue.record(["id": .string("\($0)"), "text": .string("x")]) }
        let values = SettingValue.record(["notes": .list(element: .record, notes)])
        _ = try bed.submit([Action("SetValues", ["values": values])]).get()
        for action in (0..<3).map({ Action("Add", ["text": .string("\($0)")]) }) { _ = try bed.submit([action]).get() }
        #expect((0...4).map { bed.store.changes(since: $0).complete } == [false, false, true, true, true])
        #expect(bed.store.changes(since: 0).changes == [] && bed.store.changes(since: 2).changes.count == 2)
    }

    @Test func aStartReadsThemAgain() throws {
        let bed = try bed()
        let (document, history) = (bed.store.document, bed.store.history)
        let changes = bed.store.changes(since: 0).changes
        try bed.reopen()
        #expect(bed.store.document == document)
        #expect(bed.store.history == history)
        #expect(bed.store.changes(since: 0).changes == changes)
        // The journal alone has them as well.
        bed.close()
        try FileManager.default.removeItem(atPath: bed.documentPath)
        try bed.open()
        #expect(bed.store.document == document)
        for _ in 0..<4 { _ = try bed.submit([Action("Undo")]).get() }
        #expect(bed.store.document.values == [:])
        for _ in 0..<4 { _ = try bed.submit([Action("Redo")]).get() }
        #expect(bed.store.document.values == document.values)
    }

    @Test func aDocumentThatLagsBehindIsNoEdit() throws {
        let bed = try bed()
        bed.waitUntilIdle()
        let text = try bed.documentText()
        _ = try bed.submit([Action("Add", ["text": "last"])]).get()
        let journal = try bed.text(bed.journalPath)
        bed.close()
        try bed.write(text, to: bed.documentPath)
        try bed.write(journal, to: bed.journalPath)
        try bed.open()
        #expect(bed.store.document.revision == 5)
        #expect(texts(try bed.store.resolve("notes").value).last == "last")
    }

    @Test func whatAnotherDaemonHasInsertedIsToldWhole() throws {
        let bed = try bed()
        let other = try StoreBed(root: bed.root, loop: bed.loop)
        other.schema = Self.schema
        try other.open()
        _ = try other.submit([Action("Add", ["text": "theirs"])]).get()
        bed.wait(for: "the change") { bed.commits.last?.commit.revision == 5 }
        let change = try #require(bed.commits.last?.commit.transaction?.change)
        #expect(texts(change.values["notes"]).count == 501 && texts(change.values["notes"]).last == "theirs")
        #expect(texts(change.previous["notes"]).count == 500)
    }

    @Test func aLineThatIsLostBeforeASpliceDoesNotGarbleTheList() throws {
        let bed = try bed()
        let document = bed.store.document
        bed.close()
        var lines = try bed.journalLines()
        lines[2] = "{ damaged"
        try bed.write(lines.joined(separator: "\n") + "\n", to: bed.journalPath)
        try bed.open()
        bed.waitUntilReloaded()
        // What stands in the document counts.
        #expect(bed.store.document.values == document.values)
        #expect(bed.store.problems.contains { $0.contains("line 3 is damaged") })
    }

    @Test func theLastOfManyInsertsTakesNoMoreRoomThanTheFirst() throws {
        let bed = try bed()
        for number in 0..<200 { _ = try bed.submit([Action("Add", ["text": .string("n\(number)")])]).get() }
        let sizes = try bed.journalLines().dropFirst(5).map(\.utf8.count)
        #expect(try #require(sizes.max()) < 500)
        try bed.reopen()
        #expect(texts(try bed.store.resolve("notes").value).count == 700)
    }
}
