import ExampleSupport
import Foundation

/// A note, as JSON has it.
struct NoteReport: Report {
    var id: String?
    var position: Int
    var title: String
    var content: String
    var favourite: Bool
    var time: String?

    init(_ entry: NoteList.Entry) {
        id = entry.note.id
        position = entry.position
        title = entry.note.title ?? ""
        content = entry.note.content ?? ""
        favourite = entry.note.isFavourite
        time = entry.note.time
    }

    func lines(width: Int) -> [Line] {
        let about = [favourite ? "favourite" : nil, time.map { _ in shownTime }, id].compactMap(\.self)
        let head = [Line(shownTitle, .bold), Line(about.joined(separator: Terminal.isUTF8 ? " · " : ", "), .dim)]
        // A terminal would be shown that a tab is there, and not where it leads to.
        let shown =
            width == .max ? content : content.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
        return content.isEmpty ? head : head + [""] + NoteText.lines(shown).map { Line($0) }
    }

    var shownTitle: String { NoteText(title: title, content: content).shownTitle }

    /// The local time, to the minute.
    var shownTime: String {
        guard let date = Note(time: time).date else { return "" }
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var local = tm()
        var text = [CChar](repeating: 0, count: 32)
        localtime_r(&seconds, &local)
        let count = strftime(&text, text.count, "%04Y-%m-%d %H:%M", &local)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A beginning of the id that is long enough to name the note.
    var shortID: String { id.map { String($0.prefix(8)) } ?? "" }
}

/// Notes one below the other.
struct NotesReport: Report {
    var notes: [NoteReport]
    /// What was looked for; the lines that have a word of it are shown, too. Empty: nothing.
    var text = ""
    /// What is said where there are none.
    var none = "no notes"

    enum CodingKeys: CodingKey { case notes }

    func lines(width: Int) -> [Line] {
        if notes.isEmpty { return [.hint(text.isEmpty ? none : "no note has all of: \(text)", .dim)] }
        let digits = String(notes.map(\.position).max() ?? 0).count
        // The title gives way to what is beside it, position, star, time and id; on a narrow screen those stand below it.
        let beside = min(width, 100) - digits - 31
        let isNarrow = beside < 20
        let room = isNarrow ? max(10, width - digits - 3) : beside
        let titles = width == .max ? notes.map(\.shownTitle) : notes.map { $0.shownTitle.cut(to: room) }
        let star = Terminal.isUTF8 ? "★" : "*"
        let widest = titles.map(\.width).max() ?? 0
        return zip(notes, titles).flatMap { note, title in
            let position = String(repeating: " ", count: digits - String(note.position).count) + String(note.position)
            let head = "\(position) \(note.favourite ? star : " ") "
            let about = "\(note.shownTime.filled(to: 16))  \(note.shortID)"
            let texts =
                isNarrow
                ? [head + title, String(repeating: " ", count: digits + 3) + about]
                : ["\(head)\(title.filled(to: widest))  \(about)"]
            return texts.map { Line($0, note.favourite ? .bold : .plain) } + found(in: note).map { Line("    \($0)", .dim) }
        }
    }

    /// The first lines of a note's content that have one of the words.
    private func found(in note: NoteReport) -> [String] {
        let words = text.searchWords
        let lines = NoteText.lines(note.content).lazy.filter { line in
            let line = line.folded
            return words.contains { line.contains($0) }
        }
        return Array(lines.prefix(3))
    }
}

/// What a command has done.
struct Done: Report {
    var done: String
    var revision: UInt64?
    var notes: [NoteReport] = []
    /// What to do about it.
    var hint: String?

    func lines(width: Int) -> [Line] {
        [Line(done)] + (hint.map { [Line($0, .dim)] } ?? [])
    }
}
