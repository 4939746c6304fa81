import EventLoop
import ExampleSupport
import Foundation
import SettingsCommand

/// A text in a file that only this account can read, while somebody writes it in an editor.
///
/// It is in a folder of its own, since editors put further files beside it, and outlives the session, so that nothing is lost
/// should the program or the machine go down meanwhile.
struct Draft {
    let path: String
    /// The command that stores such a text.
    private let command: String
    private let folder: String
    private let original: Data
    /// Keeps the folder locked as long as the program runs, so that others know that the text is being written.
    private let lock: Int32

    /// Makes the file.
    ///
    /// - Parameter command: what stores its text, as in `notes new`.
    init(_ text: String, for command: String) throws(Failure) {
        self.command = command
        var fault = "no folder for it"
        for base in Self.bases {
            do throws(Failure) {
                try makeFolder(base, mode: 0o700)
            } catch {
                fault = error.message
                continue
            }
            var template = Array("\(base)/notes-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                fault = "\(base): \(systemMessage(errno))"
                continue
            }
            folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = folder + Self.file
            lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            flock(lock, LOCK_EX)
            original = Data(text.utf8)
            guard FileManager.default.createFile(atPath: path, contents: original, attributes: [.posixPermissions: 0o600]) else {
                throw Failure("cannot write \(path): \(systemMessage(errno))", status: .storage)
            }
            return
        }
        throw Failure("cannot make a file to write in: \(fault)", hint: "is the disk full?", status: .storage)
    }

    private static let file = "/note.txt"

    /// The texts that were not stored, and that nobody is writing now: the daemon has refused them, or the program has ended
    /// in the middle.
    static func leftOver() -> [String] {
        var bases: [String] = []
        for base in Self.bases where !bases.contains(base) { bases.append(base) }
        return bases.flatMap(leftOver)
    }

    private static func leftOver(in base: String) -> [String] {
        guard let folder = opendir(base) else { return [] }
        defer { closedir(folder) }
        var paths: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard name.hasPrefix("notes-") else { continue }
            let draft = open("\(base)/\(name)", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            defer { close(draft) }
            let path = "\(base)/\(name)\(file)"
            var (owner, text) = (stat(), stat())
            // Others may have drafts in /tmp, too; an empty one is of no use to anybody.
            if fstat(draft, &owner) == 0, owner.st_uid == geteuid(), flock(draft, LOCK_EX | LOCK_NB) == 0,
                stat(path, &text) == 0, text.st_size > 0
            {
                paths.append(path)
            }
        }
        return paths.sorted()
    }

    private static var bases: [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = homeFolder
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        return ["\(state)/\(notesApplication)", environment["TMPDIR"] ?? "/tmp", "/tmp"]
    }

    /// Lets somebody edit the file, and waits for the end of that while the loop is served.
    ///
    /// - Returns: the new text; nil where it is unchanged, and the file is gone then.
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

    /// The failure, with where the text is that could not be stored.
    func keeping(_ error: any Error) -> Failure {
        var failure = Failure(error)
        failure.message += "; what you have written is in \(path)"
        // What is refused now is refused later, too.
        let isRefused = failure.status == .refused || failure.status == .lockedOrReadOnly
        if failure.hint == nil, !isRefused { failure.hint = "to store it later: \(command) - <\(path) && rm \(path)" }
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
