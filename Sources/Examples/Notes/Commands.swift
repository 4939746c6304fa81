import ExampleSupport
import Foundation
import SettingsClient

/// What the program does with the notes as they are, a function a command; what writes their texts is in `Writing`.
enum Commands {
    // MARK: Showing

    static func list(_ invocation: Invocation) throws {
        let notes = try Notes(invocation)
        Writing.remindOfDrafts(invocation, notes)
        var report = report(try notes.list())
        if report.notes.isEmpty {
            report.none =
                try notes.isLocked()
                ? "no notes, since the list is locked; your own stay in the document until whoever administers this machine frees it"
                : "no notes yet; to make one: notes new Shopping"
        }
        invocation.print(report)
    }

    static func show(_ invocation: Invocation) throws {
        let list = try Notes(invocation).list()
        invocation.print(NoteReport(try list.entry(named: invocation.operands[0])))
    }

    static func search(_ invocation: Invocation) throws {
        invocation.print(report(try Notes(invocation).list(), containing: invocation.operands))
    }

    static func watch(_ invocation: Invocation) throws {
        try invocation.follow(invocation.connect()) { settings in
            report(NoteList(try settings.settings(as: Notebook.self).notes), containing: invocation.operands)
        }
    }

    /// - Parameter words: those that a note must have; none: all notes.
    private static func report(_ list: NoteList, containing words: [String] = []) -> NotesReport {
        let text = words.joined(separator: " ")
        return NotesReport(notes: list.containing(text).map(NoteReport.init), text: text)
    }

    // MARK: Notes as a whole

    static func favourite(_ invocation: Invocation) throws { try setFavourite(true, "a favourite now", invocation) }

    static func unfavourite(_ invocation: Invocation) throws { try setFavourite(false, "no favourite now", invocation) }

    private static func setFavourite(_ isFavourite: Bool, _ words: String, _ invocation: Invocation) throws {
        let notes = try Notes(invocation)
        let entries = try notes.named(invocation.operands)
        let revision = try notes.client.dispatchAndWait(entries.compactMap(\.note.id).map { .setFavourite($0, isFavourite) })
        let ids = entries.compactMap(\.note.id)
        let now = try notes.list().entries.filter { $0.note.id.map(ids.contains) == true }
        invocation.print(Done(done: "\(titles(entries)): \(words)", revision: revision, notes: now.map(NoteReport.init)))
    }

    static func delete(_ invocation: Invocation) throws {
        let notes = try Notes(invocation)
        let entries = try notes.named(invocation.operands)
        let revision = try notes.client.dispatchAndWait(entries.compactMap(\.note.id).map { .deleteNote($0) })
        let hint = "to bring \(entries.count == 1 ? "it" : "them") back: notes undo"
        invocation.print(
            Done(done: "deleted: \(titles(entries))", revision: revision, notes: entries.map(NoteReport.init), hint: hint))
    }

    private static func titles(_ entries: [NoteList.Entry]) -> String {
        entries.map { NoteReport($0).shownTitle }.joined(separator: ", ")
    }

    static func undo(_ invocation: Invocation) throws { try step(.undo, "undone", "as before", invocation) }

    static func redo(_ invocation: Invocation) throws { try step(.redo, "done again", "changed", invocation) }

    private static func step(_ action: Action, _ words: String, _ changed: String, _ invocation: Invocation) throws {
        let notes = try Notes(invocation)
        let reader = ChangeReader(notes.client, on: notes.loop)
        let revision = try notes.client.dispatchAndWait(action)
        let step = NoteStep(reader.change(revision), changed: changed)
        let there = try notes.list().entries.filter { $0.note.id.map(step.there.contains) == true }
        invocation.print(Done(done: "\(words): \(step.words)", revision: revision, notes: there.map(NoteReport.init)))
    }
}

/// What a change has made of the notes, in words.
struct NoteStep {
    let words: String
    /// The ids of those that are back or changed.
    let there: Set<String>

    /// - Parameter changed: what is said of a note that was there before and is there now.
    init(_ change: SettingsChange?, changed: String) {
        let (before, after) = (Self.notes(change?.previous), Self.notes(change?.values))
        self.there = Set(after.keys.filter { before[$0] != after[$0] }.compactMap(\.string))
        let there = after.keys.filter { before[$0] == nil }.map { "\(Self.title(after[$0])) is back" }
        let gone = before.keys.filter { after[$0] == nil }.map { "\(Self.title(before[$0])) is gone" }
        let others = after.keys.filter { before[$0] != nil && before[$0] != after[$0] }
        let words = there.sorted() + gone.sorted() + others.map { "\(Self.title(after[$0])) is \(changed)" }.sorted()
        self.words = words.isEmpty ? "no note has changed" : words.joined(separator: ", ")
    }

    /// Each note by its id; one without is known by all that it has.
    private static func notes(_ values: [String: SettingValue]?) -> [SettingValue: SettingValue] {
        let notes = values?["notes"]?.items ?? []
        return Dictionary(notes.map { ($0.record?["id"] ?? $0, $0) }) { first, _ in first }
    }

    private static func title(_ note: SettingValue?) -> String { note?.record?["title"]?.string ?? "(no title)" }
}
