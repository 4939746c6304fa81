internal import Glibc
internal import SettingsModel

/// The journal's file. Used by one thread at a time, under the lock: at the start by the loop's, from then on by the
/// flusher's.
final class Journal: @unchecked Sendable {
    let path: String
    private let schema: Schema
    private var file: File?
    /// The number of bytes that are known and whole.
    private var length = 0
    /// The length with what a failed flush may have left at the end and nobody could cut off.
    private var doubtfulLength: Int?
    /// The file's name may not have reached the disk.
    private var isNameDoubtful = false

    init(path: String, schema: Schema) {
        self.path = path
        self.schema = schema
    }

    /// What was found in the file.
    struct News: Sendable {
        /// Transactions that others have added.
        var entries: [(entry: JournalEntry, line: [UInt8])] = []
        /// The whole history, where the file is a new one.
        var ledger: Ledger?
        /// A sentence for each line that is no transaction.
        var problems: [String] = []
    }

    /// Tells one state of the file from another.
    struct Stamp: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64
        let size: Int

        init(_ status: FileStatus) {
            device = status.device
            inode = status.inode
            size = status.size
        }

        init(_ file: File, size: Int) {
            device = file.device
            inode = file.inode
            self.size = size
        }

        /// The stamp of what is at a path now.
        static func of(_ path: String) throws(SystemError) -> Stamp? { try FileStatus.of(path).map(Stamp.init) }
    }

    /// The file as it was left by the last use; nil: it was not there.
    private(set) var stamp: Stamp?

    /// Reads the whole file at the start.
    ///
    /// - Returns: nil where there is none.
    func readAll() throws(SystemError) -> JournalText? {
        guard let file = try open() else { return nil }
        let text = JournalText(try file.readToEnd(), path: path, schema: schema)
        take(file, length: text.length, try file.status())
        // Where nothing is whole, nothing can be added to.
        if text.ledger == nil { doubtfulLength = Int.max }
        return text
    }

    /// Finds what others have done to the file since the last use, and takes it for known.
    ///
    /// - Parameter revision: the revision up to which everything is known. A file that does not reach it is somebody's old
    ///   copy, and is replaced before anything is added.
    /// - Returns: nil where there is nothing new.
    func news(since revision: UInt64) throws(SystemError) -> News? {
        guard let status = try FileStatus.of(path) else {
            stamp = nil
            file = nil
            return nil
        }
        if let file, file.isSameFile(as: status) { return try newLines(in: file, status) }
        guard let file = try open() else { return nil }
        let text = JournalText(try file.readToEnd(), path: path, schema: schema)
        take(file, length: text.length, try file.status())
        guard let ledger = text.ledger, ledger.document.revision >= revision else {
            doubtfulLength = Int.max
            return nil
        }
        return News(entries: text.entries, ledger: ledger, problems: text.problems)
    }

    private func newLines(in file: File, _ status: FileStatus) throws(SystemError) -> News? {
        stamp = Stamp(status)
        // Nobody adds to what may have been taken back; if somebody has, it was not.
        guard status.size > doubtfulLength ?? length else { return nil }
        let text = JournalText(try file.readToEnd(from: length), path: path, schema: schema)
        guard text.length > 0 else { return nil }
        length += text.length
        doubtfulLength = nil
        return News(entries: text.entries, problems: text.problems)
    }

    /// Whether others have done something to the file since the last use.
    var hasNews: Bool {
        get throws(SystemError) { try Stamp.of(path) != stamp && doubtfulLength == nil }
    }

    private func take(_ file: File, length: Int, _ status: FileStatus) {
        self.file = file
        self.length = length
        doubtfulLength = nil
        stamp = Stamp(status)
    }

    private func open() throws(SystemError) -> File? {
        for flags in [O_RDWR, O_RDONLY] {
            do throws(SystemError) {
                let file = try File.open(path, flags)
                guard file.isRegular else { throw SystemError("open", path, code: EINVAL) }
                return file
            } catch {
                if error.isAbsence { return nil }
                // What cannot be written can still be read.
                guard error.isRefusal, flags == O_RDWR else { throw error }
            }
        }
        return nil
    }

    /// Whether lines can be added: the file is there and could be opened for that, and nothing at its end is in doubt.
    /// Otherwise it is to be replaced.
    ///
    /// Goes by what `news` has just found.
    var isSound: Bool {
        guard doubtfulLength == nil, let file, file.isWritable, let stamp else { return false }
        return stamp.size >= length
    }

    /// Adds lines to a sound file and returns when they are durable.
    ///
    /// - Parameter lines: whole lines.
    /// - Throws: what failed; the file is then as it was, or not sound any more.
    func append(_ lines: [UInt8]) throws(SystemError) {
        guard let file, let stamp else { throw SystemError("write", path, code: ENOENT) }
        try synchronizeFolder()
        do {
            // A torn line that a power cut or a kill has left.
            if stamp.size > length { try file.truncate(to: length) }
            try file.write(lines, at: length)
            try file.synchronize()
            length += lines.count
            self.stamp = Stamp(file, size: length)
        } catch {
            cutBack(file, from: length + lines.count)
            throw error
        }
    }

    /// Takes back what a failed flush may have left.
    private func cutBack(_ file: File, from end: Int) {
        do {
            try file.truncate(to: length)
            try file.synchronize()
        } catch {
            doubtfulLength = end
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
            let renamed = try new.file.renamed(to: path)
            try Folder.rename(new.file.path, to: path, .replacing)
            isNameDoubtful = true
            take(renamed, length: content.count, try renamed.status())
        } catch {
            new.discard()
            throw error
        }
        try synchronizeFolder()
    }

    private func synchronizeFolder() throws(SystemError) {
        guard isNameDoubtful else { return }
        try Folder.synchronize(Folder.of(path))
        isNameDoubtful = false
    }
}
