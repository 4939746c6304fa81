import EventLoop
import ExampleSupport
import Foundation
import SettingsCommand

/// A text in a file that only this account can read, while somebody writes it in an editor.
///
/// It is in a folder of its own, since editors put further files beside it, and outlives the session, so that nothing is lost
/// should the program or the machine go down meanwhile. The folder's name tells which note's text it is.
struct Draft {
    let path: String
    /// The id of the note whose text it is; nil: it is to be a new one.
    let note: String?
    private let folder: String
    /// What the file began with; nil: it was left over, and nobody has it but the file.
    private let original: Data?
    /// Keeps the folder locked as long as the program runs, so that others know that the text is being written.
    private let lock: Int32

    /// Makes the file.
    ///
    /// - Parameter entry: the note whose text it is to be; nil: a new one's.
    init(_ text: String, of entry: NoteList.Entry? = nil) throws(Failure) {
        note = entry?.note.id
        var fault = "no folder for it"
        for base in Self.bases {
            do throws(Failure) {
                try makeFolder(base, mode: 0o700)
            } catch {
                fault = error.message
                continue
            }
            var template = Array("\(base)/\(Self.prefix)\(note.map { $0 + "-" } ?? "")XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                fault = "\(base): \(systemMessage(errno))"
                continue
            }
            folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = folder + Self.file
            lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            flock(lock, LOCK_EX)
            original = Data(text.utf8)
            for (path, data) in [(folder + Self.base, entry.map { Data($0.note.text.text.utf8) }), (path, original)] {
                guard let data else { continue }
                guard FileManager.default.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600]) else {
                    throw Failure("cannot write \(path): \(systemMessage(errno))", status: .storage)
                }
            }
            return
        }
        throw Failure("cannot make a file to write in: \(fault)", hint: "is the disk full?", status: .storage)
    }

    private static let prefix = "notes-"
    private static let file = "/note.txt"
    /// What the note had when somebody began to write.
    private static let base = "/before.txt"

    /// What names the draft among the others.
    var name: String { String(folder.suffix(6)) }

    /// The text that the note had when somebody began to write; nil where that is not known.
    var base: NoteText? { Self.text(at: folder + Self.base) }

    /// The text as it is now; nil where it cannot be read.
    var text: NoteText? { Self.text(at: path) }

    private static func text(at path: String) -> NoteText? {
        FileManager.default.contents(atPath: path).flatMap { String(validating: $0, as: UTF8.self) }.map { NoteText($0) }
    }

    // MARK: Left over

    /// Takes up a text that was left over.
    ///
    /// - Returns: nil where there is none in the folder, or somebody else is writing it just now.
    private init?(leftIn folder: String) {
        self.folder = folder
        path = folder + Self.file
        original = nil
        let id = ((folder as NSString).lastPathComponent).dropFirst(Self.prefix.count).dropLast("-XXXXXX".count)
        note = UUID(uuidString: String(id)).map { _ in String(id) }
        lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        var (owner, text) = (stat(), stat())
        // Others may have drafts in /tmp, too; an empty one is of no use to anybody.
        guard fstat(lock, &owner) == 0, owner.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0,
            stat(path, &text) == 0, text.st_size > 0
        else {
            close(lock)
            return nil
        }
    }

    /// Leaves the text to others.
    func release() { close(lock) }

    /// The texts that were not stored, and that nobody is writing now: the daemon has refused them, or the program has ended
    /// in the middle. They are this program's until it releases them.
    static func leftOver() -> [Draft] {
        var bases: [String] = []
        for base in Self.bases where !bases.contains(base) { bases.append(base) }
        return bases.flatMap { base in
            folders(in: base).filter { $0.hasPrefix(prefix) }.sorted().compactMap { Draft(leftIn: "\(base)/\($0)") }
        }
    }

    private static func folders(in base: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: base)
        } catch {
            // Where there is no such folder, nothing is left over in it.
            return []
        }
    }

    private static var bases: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = homeFolder
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        return ["\(state)/\(notesApplication)", environment["TMPDIR"] ?? "/tmp", "/tmp"]
    }

    /// Lets somebody edit the file, and waits for the end of that while the loop is served.
    ///
    /// - Returns: the new text; nil where it is unchanged and the note's already, and the file is gone then.
    /// - Throws: where the editor fails. The file stays if anything was written.
    func edit(on loop: EventLoop) throws(Failure) -> NoteText? {
        let editor: Editor
        do {
            editor = try Editor()
            try editor.edit(path, loop: loop)
        } catch {
            guard isChanged else {
                remove()
                throw error
            }
            throw keeping(error)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            remove()
            throw Failure("\(editor.command) has left no file behind; nothing was changed")
        }
        if data == original {
            remove()
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw keeping(Failure("the text is no UTF-8; nothing was changed", status: .refused))
        }
        return NoteText(text)
    }

    private var isChanged: Bool { FileManager.default.contents(atPath: path).map { $0 != original } ?? false }

    /// The command that stores such a text.
    private var command: String { note.map { "notes edit \($0.prefix(8))" } ?? "notes new" }

    /// The failure, with where the text is that could not be stored.
    func keeping(_ error: any Error) -> Failure {
        var failure = Failure(error)
        failure.message += "; what you have written is in \(path)"
        guard failure.hint == nil, failure.status != .lockedOrReadOnly else { return failure }
        // What is refused now is refused later, too, unless it is changed.
        failure.hint =
            failure.status == .refused
            ? "to go on with it: notes resume \(name)" : "to store it later: \(command) - <\(path) && rm -r \(folder)"
        return failure
    }

    /// Removes the file, and what an editor has left beside it.
    func remove() {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            // It holds nothing that is not stored.
        }
    }
}
