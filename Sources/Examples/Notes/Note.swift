import ExampleSupport
import Foundation

/// All settings of the schema.
struct Notebook: Codable {
    var notes: [Note]
}

/// One note. One that somebody has written into the document by hand may lack any field.
struct Note: Codable {
    var id: String?
    var title: String?
    var content: String?
    var favourite: Bool?
    var time: String?

    var text: NoteText { NoteText(title: title ?? "", content: content ?? "") }

    var isFavourite: Bool { favourite ?? false }

    /// When it was written last; nil where that is not known.
    var date: Date? { time.flatMap(Self.date) }

    /// Reads a time of RFC 3339, all of which the schema takes: years before the calendar was made, and any offset.
    private static func date(_ text: String) -> Date? {
        let parts = text.split { "-+:Tt Zz".contains($0) }
        guard parts.count == 6 || parts.count == 8, let second = Double(parts[5]) else { return nil }
        let numbers = (parts[..<5] + parts[6...]).compactMap { Int32($0) }
        guard numbers.count == parts.count - 1 else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (fields.tm_hour, fields.tm_min) = (numbers[3], numbers[4])
        if numbers.count == 7 {
            let isEast = text.dropFirst(19).contains("+")
            // timegm counts minutes beyond an hour on, in both directions.
            fields.tm_min += (isEast ? -1 : 1) * (numbers[5] * 60 + numbers[6])
        }
        return Date(timeIntervalSince1970: Double(timegm(&fields)) + second)
    }
}

/// The notes as a list shows them: favourites first, the newest first among each.
struct NoteList {
    /// Each with its position, counted from 1.
    struct Entry {
        let position: Int
        let note: Note
    }

    let entries: [Entry]

    init(_ notes: [Note]) {
        // What was made later stands behind, and is newer where the times are the same.
        let dated = notes.enumerated().map { (place: $0.offset, date: $0.element.date ?? .distantPast, note: $0.element) }
        let sorted = dated.sorted { a, b in
            if a.note.isFavourite != b.note.isFavourite { return a.note.isFavourite }
            return a.date != b.date ? a.date > b.date : a.place > b.place
        }
        entries = sorted.enumerated().map { Entry(position: $0.offset + 1, note: $0.element.note) }
    }

    /// The notes with every word of a text in title or content, whatever the case and the accents.
    func containing(_ text: String) -> [Entry] {
        let words = text.searchWords
        return entries.filter { entry in
            let whole = "\(entry.note.title ?? "")\n\(entry.note.content ?? "")".folded
            return words.allSatisfy { whole.contains($0) }
        }
    }
}
