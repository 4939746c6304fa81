import EventLoop
import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

/// The application whose settings the notes are.
let notesApplication = "org.settingsd.Notes"

/// The notes of the daemon, and what is done with them.
struct Notes {
    let client: ApplicationClient
    let loop: EventLoop

    init(_ invocation: Invocation) throws {
        client = try invocation.connect()
        loop = try invocation.loop()
    }

    func all() throws -> [Note] { try client.settings(as: Notebook.self).notes }

    /// The title of each note that has an id, as far as they can be read.
    var titles: [String: String] {
        do {
            let titles = try all().compactMap { note in note.id.map { ($0, note.text.shownTitle) } }
            return Dictionary(titles) { first, _ in first }
        } catch {
            // Whatever needs the notes themselves says why they cannot be had.
            return [:]
        }
    }

    /// The notes in their order.
    ///
    /// - Throws: where there are none because the document has a value that is not in force.
    func list() throws -> NoteList {
        let list = NoteList(try all())
        if list.entries.isEmpty, let (file, problem) = try documentProblem() {
            throw Failure(
                "the notes cannot be shown: \(problem)",
                hint: "mend \(file); the notes stay in it meanwhile, and nothing is written over them", status: .storage)
        }
        return list
    }

    /// What is wrong in the user's document, and its path; nil where nothing is.
    private func documentProblem() throws -> (file: String, sentence: String)? {
        let status = try client.statusAndWait()
        guard let file = status.files["document"] else { return nil }
        return status.problems.first { $0.hasPrefix("\(file), ") || $0.hasPrefix("\(file) ") }.map { (file, $0) }
    }

    /// Whether an administrator keeps them as they are.
    func isLocked() throws -> Bool {
        try client.lockedKeys().contains("notes")
    }

    /// Asks whether a note could be written now, before somebody writes one in an editor.
    ///
    /// - Throws: as `list`; the daemon's refusal, where it is of the list or the file and not of what is written.
    func requireWritable() throws {
        _ = try list()
        do throws(ClientError) {
            _ = try client.previewAndWait(.addNote(NoteText(title: "any", content: "")))
        } catch {
            switch error.kind {
            case .refused(.invalidValue), .refused(.invalidArgument), .refused(.tooLarge): return
            default: throw error
            }
        }
    }

    /// The notes that somebody means, each once and with an id of its own.
    func named(_ names: [String]) throws -> [NoteList.Entry] {
        let list = try list()
        let entries = try list.entries(named: names)
        let ids = Dictionary(grouping: list.entries.compactMap(\.note.id)) { $0 }
        if entries.allSatisfy({ $0.note.id.map { ids[$0]?.count == 1 } ?? false }) { return entries }
        try giveIDs()
        // The order is the same as before, unless somebody else has changed it just now.
        return try self.list().entries(named: names)
    }

    /// Gives an id of its own to each note that has none, or another's: somebody has written it into the document by hand.
    private func giveIDs() throws {
        try change { notes in
            var known: Set<String> = []
            let mended = notes.map { note in
                var note = note
                if note.id.map({ known.insert($0).inserted }) != true { note.id = UUID().uuidString.lowercased() }
                return note
            }
            return [try Action("SetValues", encoding: ["values": Notebook(notes: mended)])]
        }
    }

    /// Carries out what a closure makes of the notes, provided that nobody else has changed anything meanwhile; else again,
    /// from the newer ones. No action: nothing is done.
    ///
    /// - Returns: the revision after it.
    /// - Throws: `Conflict` after so many attempts that each met another change.
    @discardableResult
    func change(attempts: Int = 1000, _ decide: ([Note]) throws -> [Action]) throws -> UInt64 {
        var attempt = 1
        while true {
            // The client lives on this thread, so that nothing comes between these two.
            let revision = client.revision
            let actions = try decide(all())
            if actions.isEmpty { return revision }
            do throws(ClientError) {
                return try client.dispatchAndWait(actions, expecting: revision)
            } catch {
                guard error.kind == .refused(.conflict), attempt < attempts else { throw error }
                attempt += 1
                _ = loop.run(until: { client.revision > revision }, timeout: .seconds(1))
            }
        }
    }
}
