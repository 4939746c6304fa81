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
            return try keep(try Draft(input)) { try make(text, invocation) }
        }
        if !words.isEmpty || content != nil {
            var text = NoteText(words.joined(separator: " "))
            if let content { text.content += (text.content.isEmpty ? "" : "\n") + content }
            return try make(text, invocation)
        }
        let notes = try Notes(invocation)
        try notes.requireWritable()
        remindOfDrafts(invocation, notes)
        let draft = try Draft("")
        guard let text = try written(draft, invocation), !text.isEmpty else {
            draft.remove()
            throw Failure("nothing was written, so that no note was made")
        }
        try keep(draft) { try make(text, invocation) }
    }

    /// What somebody makes of a draft in an editor, which may be on the terminal that messages go to.
    private static func written(_ draft: Draft, _ invocation: Invocation) throws -> NoteText? {
        invocation.tellProblems()
        return try draft.edit(on: invocation.loop())
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
        if operands.count > 1 {
            let input = try standardInput(invocation)
            return try store(NoteText(input), over: entry.note.text, notes, invocation, try Draft(input, of: entry))
        }
        try notes.requireWritable()
        remindOfDrafts(invocation, notes)
        let draft = try Draft(entry.note.text.text, of: entry)
        guard let text = try written(draft, invocation) else {
            return invocation.print(Done(done: "unchanged: \(NoteReport(entry).shownTitle)", notes: [NoteReport(entry)]))
        }
        try store(text, over: entry.note.text, notes, invocation, draft)
    }

    private static func store(
        _ text: NoteText, over base: NoteText, _ notes: Notes, _ invocation: Invocation, _ draft: Draft
    ) throws {
        let id = draft.note ?? ""
        if text.isEmpty {
            draft.remove()
            let hint = "to delete the note: notes delete \(id.prefix(8))"
            throw Failure("the text is empty; nothing was changed", hint: hint, status: .refused)
        }
        try keep(draft) {
            let saved = try notes.save(text, over: base, of: id)
            invocation.print(Done(done: saved.words(text.title), revision: notes.client.revision))
        }
    }

    // MARK: Keeping

    /// Tells of texts that have not become notes.
    static func remindOfDrafts(_ invocation: Invocation, _ notes: Notes) {
        let drafts = Draft.leftOver()
        defer { for draft in drafts { draft.release() } }
        if drafts.isEmpty { return }
        let what = drafts.count == 1 ? "a text was never stored" : "\(drafts.count) texts were never stored"
        let titles = notes.titles
        invocation.remark("\(what): \(drafts.map { words($0, titles) }.joined(separator: ", "))")
        let (one, name) = drafts.count == 1 ? ("it", "") : ("one", " DRAFT")
        invocation.notice("to go on with \(one): notes resume\(name); to drop \(one): notes drop\(name)")
    }

    /// A draft as people know it: by its note's title, or by its own first line.
    ///
    /// - Parameter titles: of the notes that there are; nil: that is not known.
    private static func words(_ draft: Draft, _ titles: [String: String]?) -> String {
        let line = draft.text?.shownTitle ?? "(no UTF-8)"
        let title = draft.note.flatMap { titles?[$0] }
        let state = draft.note == nil ? ", a new note" : titles == nil || title != nil ? "" : ", whose note is deleted"
        return "\(draft.name) (\((title ?? line).cut(to: 40))\(state))"
    }

    /// Goes on with a text that was never stored, in an editor.
    static func resume(_ invocation: Invocation) throws {
        let draft = try draft(invocation)
        let notes = try Notes(invocation)
        try notes.requireWritable()
        // There is always a text: what was left over is not known to be any note's.
        guard let text = try written(draft, invocation) else { return }
        guard let note = draft.note else { return try keep(draft) { try make(text, invocation) } }
        let now = try notes.all().first { $0.id == note }?.text
        try store(text, over: draft.base ?? now ?? text, notes, invocation, draft)
    }

    /// Removes a text that was never stored.
    static func drop(_ invocation: Invocation) throws {
        let draft = try draft(invocation)
        let line = draft.text?.title ?? "(no UTF-8)"
        draft.remove()
        invocation.print(Done(done: "dropped: \(line)"))
    }

    /// The draft that somebody means.
    private static func draft(_ invocation: Invocation) throws(Failure) -> Draft {
        let drafts = Draft.leftOver()
        let name = invocation.operands.first
        let named = drafts.filter { name == nil || $0.name == name || $0.path == name }
        for draft in drafts where named.count != 1 || draft.path != named[0].path { draft.release() }
        if named.count == 1 { return named[0] }
        guard !drafts.isEmpty else { throw Failure("every text was stored: there is nothing to go on with") }
        let names = "drafts: \(drafts.map { words($0, nil) }.joined(separator: ", "))"
        guard let name else { throw .usage("there are \(drafts.count) drafts; say which one", hint: names) }
        throw Failure("there is no draft \"\(name)\"", hint: names, status: .unknownName)
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
