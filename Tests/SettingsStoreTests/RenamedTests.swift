import JSON
import SettingsModel
import Testing

@testable import SettingsStore

/// What stands under the former key of a setting.
@Suite struct RenamedTests {
    private let schema = Schema(
        application: "org.example.Clock",
        settings: [
            Setting(
                "meeting.start", .integer(Bounds(maximum: 23)), default: .integer(8), "", renamedFrom: ["work.start", "start"]),
            Setting("zones", .list(ListRule(of: .string(StringRule()))), default: .strings([]), ""),
            Setting(
                "grid", .list(ListRule(of: .list(ListRule(of: .integer(Bounds()))))),
                default: .list(element: .list(.integer), []), ""),
        ])

    private func read(_ text: String) throws -> DocumentText { try DocumentText(Array(text.utf8), schema: schema) }

    @Test(arguments: [#"{"start": 9}"#, #"{"work": {"start": 9.0}}"#, #"{"work": {"start": 9}, "start": 10}"#])
    func aValueCarriesOverToTheNewKey(_ text: String) throws {
        let document = try read(text)
        #expect(document.values == ["meeting.start": .integer(9)])
        #expect(document.kept.value(at: ["work"]) == nil)
        let written = DocumentText.render(Document(values: document.values, revision: 1), kept: document.kept, schema: schema)
        #expect(try DocumentText(written, schema: schema).values == document.values)
    }

    @Test func theNewKeysOwnValueCountsAndTheOldTextStays() throws {
        let document = try read(#"{"start": 9, "meeting": {"start": 10}}"#)
        #expect(document.values == ["meeting.start": .integer(10)])
        #expect(document.kept == ["start": .number(JSONNumber(9 as Int64))])
        // What stands at the new key, valid or not, is its author's wish.
        #expect(try read(#"{"start": 9, "meeting": {"start": "x"}}"#).values == [:])
    }

    @Test(arguments: [#"{"start": 24}"#, #"{"start": "9"}"#, #"{"work": 9}"#, #"{"work": {"start": null}}"#])
    func whatTheSettingDoesNotTakeStaysAsItIs(_ text: String) throws {
        let document = try read(text)
        #expect(document.values == [:])
        #expect(JSONWriter.sortedLine(.object(document.kept)) == Array(text.replacing(" ", with: "").utf8))
    }

    @Test(arguments: ["start", "work.start", "meeting.start"])
    func aLayersLockCarriesOverLikeItsValue(_ name: String) throws {
        let bed = try StoreBed()
        bed.schema = schema
        try bed.write("{\"start\": 9, \"locked\": [\"\(name)\"]}", to: bed.adminPath)
        try bed.open()
        #expect(bed.store.problems == [])
        #expect(try bed.store.resolve("meeting.start").source == .locked)
        #expect(try bed.store.resolve("meeting.start").value == .integer(9))
        let values = Action("SetValues", ["values": .record(["meeting.start": .integer(10)])])
        #expect(throws: SettingsError.self) { try bed.submit([values]).get() }
    }

    @Test func theJournalsValuesCarryOver() throws {
        var effort = Effort.file
        let line = #"{"format": 1, "revision": 3, "values": {"start": 9}, "unknown": {}, "document": 3}"#
        guard case .checkpoint(let checkpoint) = try JournalLine(Array(line.utf8), schema: schema, &effort) else {
            Issue.record("The line is no checkpoint")
            return
        }
        #expect(checkpoint.document.values == ["meeting.start": .integer(9)])
        let change =
            #"{"revision": 4, "origin": "bus", "actions": [], "before": {"start": 9}, "after": {"start": 10}, "values": {"start": 10}}"#
        guard case .entry(let entry) = try JournalLine(Array(change.utf8), schema: schema, &effort) else {
            Issue.record("The line is no transaction")
            return
        }
        #expect(entry.transaction.edits == [.whole(Edit(key: "meeting.start", before: .integer(9), after: .integer(10)))])
    }

    @Test func theJournalKeepsTheTypesOfAnActionsArguments() throws {
        var effort = Effort.file
        // What is no text shows its type by the list that it goes into.
        let action = Action("InsertValue", ["key": "grid", "value": .list(element: .integer, [])])
        let change = SettingsChange(
            revision: 1, values: [:], previous: [:], actions: [action.name], origin: .bus, application: "", time: 0)
        let entry = JournalEntry(transaction: KeptTransaction(change: change, edits: []), actions: [action], documentRevision: 0)
        guard case .entry(let read) = try JournalLine(entry.line, schema: schema, &effort) else {
            Issue.record("The line is no transaction")
            return
        }
        #expect(read.actions == [action])
    }

    @Test func aFaultInAListNamesItsItemAndItsPlace() throws {
        let document = try read("{\"zones\": [\"UTC\",\n  5]}")
        #expect(document.faults.map(\.message) == ["line 2, column 3: zones, item 2, takes a string, found the number 5"])
    }
}
