import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

/// The commands that write texts of notes. What somebody has written is never lost: it is in a file until it is stored.
enum Writing {
    /// Makes a note of the arguments, of the standard input, or of what is written in an editor.
    static func new(_ invocation: Invocation) throws {
        var words = invocation.operands
        let content = invocation["content"]
        if words.last == "-" || words.isEmpty && content == nil && isatty(STDIN_FILENO) == 0 {
            if words.last == "-" { words.removeLast() }
            if content != nil { throw Failure.usage("the content is given twice: with --content, and on the standard input") }
            let input = try standardInput(invocation)
            let text = words.isEmpty ? NoteText(input) : NoteText(title: words.joined(separator: " "), below: input)
            if text.isEmpty { throw Failure("the standard input has no text, so that no note was made", status: .refused) }
            return try keep(try Draft(input, for: "notes new")) { try make(text, invocation) }
        }
        if !words.isEmpty || content != nil {
            var text = NoteText(words.joined(separator: " "))
            if let content { text.content += (text.content.isEmpty ? "" : "\n") + content }
            return try make(text, invocation)
        }
        try Notes(invocation).requireWritable()
        remindOfDrafts(invocation)
        let draft = try Draft("", for: "notes new")
        guard let text = try draft.edit(on: invocation.loop()), !text.isEmpty else {
            draft.remove()
            throw Failure("nothing was written, so that no note was made")
        }
        try keep(draft) { try make(text, invocation) }
    }

    private static func make(_ text: NoteText, _ invocation: Invocation) throws {
        if text.title.isEmpty { throw Failure("a note needs a title", hint: "notes new TITLE --content TEXT", status: .refused) }
        let entry = try Notes(invocation).add(text, isFavourite: invocation.has("favourite"))
        let note = NoteReport(entry)
        invocation.print(Done(done: "made note \(note.position), \(note.shortID): \(note.shownTitle)", notes: [note]))
    }

    /// Changes a note's text in an editor, or to that of the standard input.
    static func edit(_ invocation: Invocation) throws {
        let operands = invocation.operands
        if operands.count > 1, operands[1] != "-" {
            throw Failure.usage(
                "unexpected argument \"\(operands[1])\"", hint: "usage: notes edit NOTE, or notes edit NOTE - <FILE")
        }
        let notes = try Notes(invocation)
        let entry = try notes.named([operands[0]])[0]
        let command = "notes edit \(NoteReport(entry).shortID)"
        if operands.count > 1 {
            let input = try standardInput(invocation)
            return try store(NoteText(input), over: entry, notes, invocation, try Draft(input, for: command))
        }
        try notes.requireWritable()
        remindOfDrafts(invocation)
        let draft = try Draft(entry.note.text.text, for: command)
        guard let text = try draft.edit(on: notes.loop) else {
            return invocation.print(Done(done: "unchanged: \(NoteReport(entry).shownTitle)", notes: [NoteReport(entry)]))
        }
        try store(text, over: entry, notes, invocation, draft)
    }

    private static func store(
        _ text: NoteText, over entry: NoteList.Entry, _ notes: Notes, _ invocation: Invocation, _ draft: Draft
    ) throws {
        if text.isEmpty {
            draft.remove()
            let hint = "to delete the note: notes delete \(NoteReport(entry).shortID)"
            throw Failure("the text is empty; nothing was changed", hint: hint, status: .refused)
        }
        try keep(draft) {
            let saved = try notes.save(text, over: entry.note.text, of: entry.note.id ?? "")
            invocation.print(Done(done: saved.words(text.title), revision: notes.client.revision))
        }
    }

    // MARK: Keeping

    /// Tells of texts that have not become notes.
    static func remindOfDrafts(_ invocation: Invocation) {
        let paths = Draft.leftOver()
        if paths.isEmpty { return }
        let what = paths.count == 1 ? "a text was never stored" : "\(paths.count) texts were never stored"
        invocation.remark("\(what): \(paths.joined(separator: ", "))")
        invocation.notice(
            "to make a note of it: notes new - <FILE && rm FILE; to store it over its note: notes edit NOTE - <FILE && rm FILE")
    }

    /// Stores what was written. Should that fail, its file stays, and the failure says where it is.
    private static func keep(_ draft: Draft, _ store: () throws -> Void) throws {
        do { try store() } catch { throw draft.keeping(error) }
        draft.remove()
    }

    private static func standardInput(_ invocation: Invocation) throws(Failure) -> String {
        if let text = String(validating: try invocation.standardInput(), as: UTF8.self) { return text }
        throw Failure("the text on the standard input is no UTF-8", status: .refused)
    }
}
