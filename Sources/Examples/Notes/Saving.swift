import ExampleSupport
import SettingsClient
import SettingsCommand

/// What has become of an edited text.
enum Saved {
    /// It was the note's already.
    case same
    /// It is the note's now.
    case written
    /// It is the note's now, together with what somebody else has written meanwhile.
    case merged
    /// Somebody else has changed the same lines; theirs stay, and this is a further note.
    case beside
    /// Somebody else has deleted the note; this is a new one.
    case again

    /// What has been done, in a sentence.
    func words(_ title: String) -> String {
        switch self {
        case .same: "nothing to store: \(title) has this text already"
        case .written: "stored: \(title)"
        case .merged: "stored: \(title), together with what was changed elsewhere meanwhile"
        case .beside: "changed elsewhere meanwhile, which stays as it is; yours is a further note: \(NoteText.yours(title))"
        case .again: "deleted elsewhere meanwhile; yours is a new note: \(title)"
        }
    }
}

extension Notes {
    /// Stores what somebody has made of a note's text. What others have written meanwhile stays.
    ///
    /// - Parameters:
    ///   - mine: the new text.
    ///   - base: the text that it was made of.
    ///   - id: the note's.
    func save(_ mine: NoteText, over base: NoteText, of id: String) throws -> Saved {
        try mine.checkSize()
        var saved = Saved.same
        try change { notes in
            guard let note = notes.first(where: { $0.id == id }) else {
                saved = .again
                return [.addNote(mine)]
            }
            let theirs = note.text
            if theirs == mine {
                saved = .same
                return []
            }
            if theirs == base {
                saved = .written
                return [.editNote(id, mine)]
            }
            guard let both = NoteText.merge(base: base, mine: mine, theirs: theirs) else {
                saved = .beside
                return [.addNote(NoteText(title: NoteText.yours(mine.title), content: mine.content))]
            }
            saved = .merged
            try both.checkSize()
            return both == theirs ? [] : [.editNote(id, both)]
        }
        return saved
    }

    /// Makes a note, and returns it as the daemon has made it, with its id.
    func add(_ text: NoteText, isFavourite: Bool) throws -> NoteList.Entry {
        try text.checkSize()
        // The first of a new list would take the place of those that are not in force.
        _ = try list()
        let reader = ChangeReader(client, on: loop)
        let revision = try client.dispatchAndWait(.addNote(text, isFavourite: isFavourite))
        let change = reader.change(revision)
        let before = Set(Self.ids(change?.previous))
        let made = Self.ids(change?.values).first { !before.contains($0) }
        guard let made, let entry = try list().entries.first(where: { $0.note.id == made }) else {
            throw Failure("the note was made at revision \(revision), and changed by somebody else at once")
        }
        return entry
    }

    private static func ids(_ values: [String: SettingValue]?) -> [String] {
        values?["notes"]?.items?.compactMap { $0.record?["id"]?.string } ?? []
    }
}

extension Action {
    static func addNote(_ text: NoteText, isFavourite: Bool = false) -> Action {
        var arguments: [String: SettingValue] = ["title": .string(text.title)]
        if !text.content.isEmpty { arguments["content"] = .string(text.content) }
        if isFavourite { arguments["favourite"] = .boolean(true) }
        return Action("AddNote", arguments)
    }

    static func editNote(_ id: String, _ text: NoteText) -> Action {
        Action("EditNote", ["id": .string(id), "title": .string(text.title), "content": .string(text.content)])
    }

    static func setFavourite(_ id: String, _ isFavourite: Bool) -> Action {
        Action("SetFavourite", ["id": .string(id), "favourite": .boolean(isFavourite)])
    }

    static func deleteNote(_ id: String) -> Action { Action("DeleteNote", ["id": .string(id)]) }
}

extension NoteText {
    /// The most characters that a title may have, by the schema.
    private static let longestTitle = 200

    /// - Throws: where the text is longer than a note can be, which the daemon would say in its own words.
    func checkSize() throws(Failure) {
        for text in [title, content] {
            if let failure = Failure.tooLong(text, of: "the note", "nothing was stored") { throw failure }
        }
    }

    /// The title of one of two versions, cut where it would be too long.
    static func yours(_ title: String) -> String {
        let suffix = " (your version)"
        return title.prefix(longestTitle - suffix.count) + suffix
    }
}
