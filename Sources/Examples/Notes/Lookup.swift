import ExampleSupport
import SettingsCommand

extension NoteList {
    /// A beginning of an id that is shorter is none: it could be a word.
    private static let shortestBeginning = 4

    /// The note that somebody means: by its id, a beginning of that, its position or its title; a beginning of a title
    /// counts where nothing else fits.
    func entry(named name: String) throws(Failure) -> Entry {
        let wanted = name.folded
        let readings: [(Entry) -> Bool] = [
            { $0.note.id?.folded == wanted },
            { entry in
                if let number = Int(name), number == entry.position { return true }
                if entry.note.title?.folded == wanted { return true }
                return wanted.count >= Self.shortestBeginning && entry.note.id?.folded.hasPrefix(wanted) == true
            },
            { $0.note.title?.folded.hasPrefix(wanted) == true },
        ]
        for reading in readings where !wanted.isEmpty {
            let found = entries.filter(reading)
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw .ambiguous(name, found) }
        }
        throw .unknown(name)
    }

    /// The notes that somebody means, each once.
    func entries(named names: [String]) throws(Failure) -> [Entry] {
        var found: [Entry] = []
        for name in names {
            let entry = try entry(named: name)
            if !found.contains(where: { $0.position == entry.position }) { found.append(entry) }
        }
        return found
    }
}

extension Failure {
    fileprivate static func unknown(_ name: String) -> Failure {
        Failure(
            "there is no note \"\(name)\"", hint: "notes list shows what they are called; notes search finds them by words",
            status: .unknownName)
    }

    fileprivate static func ambiguous(_ name: String, _ entries: [NoteList.Entry]) -> Failure {
        let notes = entries.prefix(5).map(NoteReport.init).map { note in
            "note \(note.position)\(note.id == nil ? "" : ", \(note.shortID)") (\(note.shownTitle))"
        }
        let more = entries.count > notes.count ? "; …" : ""
        let haveOneTitle = Set(entries.map { $0.note.title?.folded ?? "" }).count == 1
        return Failure(
            "\"\(name)\" may be any of \(notes.joined(separator: "; "))\(more)",
            hint: "name it by its id or its number\(haveOneTitle ? "" : ", or by more of its title")",
            status: .refused)
    }
}
