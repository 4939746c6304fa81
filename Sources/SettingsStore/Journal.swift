internal import Glibc
internal import SettingsModel

/// The journal's file. Used by one thread at a time: at the start by the loop's, from then on by the flusher's.
final class Journal: @unchecked Sendable {
    let path: String
    private var file: File?
    /// The number of bytes that are known and whole.
    private var length = 0
    /// Something at the end was written, but may or may not have reached the disk, and could not be cut off.
    private var isDoubtful = false

    init(path: String) { self.path = path }

    /// What the file says.
    struct Reading {
        /// nil where there is no file, or nothing whole in it.
        var ledger: Ledger?
        var problems: [String] = []
    }

    /// Reads the whole file and takes it for known.
    func open(schema: Schema) throws(SystemError) -> Reading {
        file = nil
        length = 0
        var flags = O_RDWR
        while true {
            do throws(SystemError) {
                let file = try File.open(path, flags)
                guard try file.status().isRegular else { throw SystemError("open", path, code: EINVAL) }
                let text = JournalText(try file.readToEnd(), path: path, schema: schema)
                self.file = file
                length = text.length
                return Reading(ledger: text.ledger, problems: text.problems)
            } catch {
                if error.isAbsence { return Reading() }
                // What cannot be written can still be read.
                guard error.isRefusal, flags == O_RDWR else { throw error }
                flags = O_RDONLY
            }
        }
    }

    /// Adds lines and returns when they are durable.
    ///
    /// - Parameters:
    ///   - lines: whole lines.
    ///   - known: what comes before them, for the case that the file is gone or its end is in doubt.
    /// - Throws: what failed; the file is then as it was, or it is replaced before anything else is added.
    func append(_ lines: [UInt8], after known: Ledger) throws(SystemError) {
        guard !isDoubtful, let file, let status = try FileStatus.of(path), try status.isSameFile(as: file.status()),
            status.size >= length
        else {
            try replace(with: known.journal + lines)
            return
        }
        do {
            // A torn line that a power cut or a kill has left.
            if status.size > length { try file.truncate(to: length) }
            try file.write(lines, at: length)
            try file.synchronize()
            length += lines.count
        } catch {
            cutBack(file)
            throw error
        }
    }

    private func cutBack(_ file: File) {
        do {
            try file.truncate(to: length)
            try file.synchronize()
        } catch {
            isDoubtful = true
        }
    }

    /// Replaces the file at once and durably.
    func replace(with content: [UInt8]) throws(SystemError) {
        let folder = Folder.of(path)
        try Folder.make(folder)
        let new = try TemporaryFile(beside: path)
        do {
            try new.file.write(content, at: 0)
            try new.file.synchronize()
            try Folder.rename(new.file.path, to: path, .replacing)
            file = new.file
            length = content.count
            isDoubtful = true
            try Folder.synchronize(folder)
            isDoubtful = false
        } catch {
            new.discard()
            throw error
        }
    }
}
