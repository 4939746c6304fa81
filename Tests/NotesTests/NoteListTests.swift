import ExampleSupport
import Foundation
import SettingsCommand
import Testing

@testable import notes

/// The order of notes, what finds them, and what they are called.
@Suite struct NoteListTests {
    private static let notes = [
        Note(id: "aaaa1111-0000-4000-8000-000000000000", title: "Old", time: "2026-01-01T00:00:00Z"),
        Note(
            id: "bbbb1111-0000-4000-8000-000000000000", title: "Crème brûlée", content: "Œufs\nÉTÉ",
            time: "2026-01-03T02:00:00+01:00"),
        Note(id: "bbbb2222-0000-4000-8000-000000000000", title: "Old star", favourite: true, time: "2026-01-01T00:00:00Z"),
        Note(id: "cccc1111-0000-4000-8000-000000000000", title: "2", time: "2026-01-03T01:00:00.000001Z"),
        Note(),
        Note(id: "dddd1111-0000-4000-8000-000000000000", title: "New star", favourite: true, time: "2026-01-02T00:00:00Z"),
    ]
    private let list = NoteList(Self.notes)

    private func title(_ name: String) throws -> String? { try list.entry(named: name).note.title }

    @Test func favouritesComeFirstThenTheNewest() {
        #expect(list.entries.map(\.note.title) == ["New star", "Old star", "2", "Crème brûlée", "Old", nil])
        #expect(list.entries.map(\.position) == [1, 2, 3, 4, 5, 6])
        // Of those that were made at one time the one that stands further down is newer.
        #expect(NoteList([Note(title: "a"), Note(title: "b")]).entries.map(\.note.title) == ["b", "a"])
    }

    @Test(arguments: ["creme brulee", "BRÛLÉE", "ete", "E\u{301}te\u{301}", "brûlée été"]) func caseAndAccentsDoNotMatter(
        _ text: String
    ) {
        #expect(list.containing(text).map(\.note.title) == ["Crème brûlée"])
    }

    @Test func everyWordMustBeThere() {
        #expect(list.containing("star old").map(\.note.title) == ["Old star"])
        #expect(list.containing("star crème").isEmpty)
        #expect(list.containing("  ").count == 6)
    }

    @Test func aNoteIsNamedByIDPositionOrTitle() throws {
        #expect(try title("bbbb1111-0000-4000-8000-000000000000") == "Crème brûlée")
        #expect(try title("BBBB1") == "Crème brûlée")
        #expect(try title("1") == "New star")
        #expect(try title("old") == "Old")
        #expect(try title("creme") == "Crème brûlée")
        #expect(try title("6") == nil)
    }

    @Test(arguments: [
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("1970-01-01T00:00:00-23:59", 86_340), ("1970-01-01t23:59:00+23:59", 0),
        ("1969-12-31T23:59:60z", 0), ("1970-01-01T00:00:01.5Z", 1.5), ("0000-02-29T00:00:00Z", -62_162_121_600),
    ]) func everyTimeThatTheSchemaTakesIsUnderstood(_ text: String, _ seconds: Double) {
        #expect(Note(time: text).date?.timeIntervalSince1970 == seconds)
    }

    @Test func notesOfOneTitleAreToldApartByWhatDiffers() {
        let list = NoteList([Note(title: "Shopping"), Note(id: "aaaa1111-0000-4000-8000-000000000000", title: "shopping")])
        let failure = #expect(throws: Failure.self) { try list.entry(named: "shop") }
        #expect(failure?.message == "\"shop\" may be any of note 1, aaaa1111 (shopping); note 2 (Shopping)")
        #expect(failure?.hint == "name it by its id or its number")
        #expect(#expect(throws: Failure.self) { try self.list.entry(named: "bbbb") }?.hint?.contains("title") == true)
    }

    @Test(arguments: ["2", "bbbb"]) func aNameOfSeveralNotesIsRefused(_ name: String) {
        let failure = #expect(throws: Failure.self) { try list.entry(named: name) }
        #expect(failure?.status == .refused)
        #expect(failure?.message.contains("bbbb2222 (Old star)") == true)
    }

    @Test(arguments: ["", "7", "0", "aaa", "star", "-1"]) func aNameOfNoNoteIsRefused(_ name: String) {
        #expect(#expect(throws: Failure.self) { try list.entry(named: name) }?.status == .unknownName)
    }
}
