internal import Glibc
internal import SettingsModel

/// The journal's file. Used by one thread at a time, under the lock: at the start by the loop's, from then on by the
/// flusher's.
///
/// Besides the daemons' common lock the file has one of its own, since somebody may remove the common one, and each daemon
/// may then hold another. Who adds to the file looks whether it still stands at its path before anybody is told. A file that
/// has lost its name keeps what it had: whoever knew it reads that before making a new one.
final class Journal: @unchecked Sendable {
    let path: String
    /// By which lines are read; see `Storage`.
    var schema: Schema
    private var file: File?
    /// The file whose lock is held: the known one, or the one at the path that is not read yet.
    private var held: File?
    /// The number of bytes that are known and whole.
    private var length = 0
    /// The number of lines in them.
    private var lineCount = 0
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

    // MARK: The lock

    var isHeld: Bool { held != nil }

    /// Takes the lock of the known file, else of the one at the path, where there is one.
    ///
    /// - Throws: `EWOULDBLOCK` where somebody else does not let go of it in time.
    func hold(until deadline: SuspendingClock.Instant) throws(SystemError) {
        if isHeld { return }
        if let file { try hold(file, until: deadline) } else { _ = try openInPlace(until: deadline) }
    }

    private func hold(_ file: File, until deadline: SuspendingClock.Instant) throws(SystemError) {
        if held === file { return }
        release()
        try file.lock(until: deadline)
        held = file
    }

    func release() {
        // Where it fails, the lock is held on, and let go of the next time.
        if let file = held, file.unlock() || file !== self.file { held = nil }
    }

    /// Opens the file that stands at the path, and takes its lock.
    private func openInPlace(until deadline: SuspendingClock.Instant) throws(SystemError) -> File? {
        while let file = try heldOrOpened() {
            try hold(file, until: deadline)
            if try file.isInPlace { return file }
            release()
        }
        return nil
    }

    private func heldOrOpened() throws(SystemError) -> File? {
        if let held { return held }
        return try open()
    }

    // MARK: Reading

    /// The largest journal, in bytes: it is over a few MiB only while the document cannot follow.
    private static let sizeLimit = 512 << 20
    /// More than any line has: a checkpoint holds what a document may hold, a transaction some values, each a few times.
    private static let longestLine = 64 << 20

    private func readLines(of file: File, from start: Int = 0) throws(SystemError) -> [UInt8] {
        try file.readLines(from: start, limit: Self.sizeLimit + Self.longestLine, longestLine: Self.longestLine)
    }

    /// Reads the whole file at the start.
    ///
    /// - Returns: nil where there is none.
    func readAll() throws(SystemError) -> JournalText? {
        guard let file = try heldOrOpened() else { return nil }
        let text = JournalText(try readLines(of: file), path: path, schema: schema)
        take(file, length: text.length, lines: text.lineCount, try file.status())
        // Where nothing is whole, nothing can be added to.
        if text.ledger == nil { doubtfulLength = Int.max }
        return text
    }

    /// Finds what others have done to the file since the last use, and takes it for known.
    ///
    /// Takes the lock of the file at the path, where there is one.
    ///
    /// - Parameter revision: the revision up to which everything is known. A file that does not reach it is somebody's old
    ///   copy, and is replaced before anything is added.
    /// - Returns: nil where there is nothing new.
    func news(since revision: UInt64, until deadline: SuspendingClock.Instant) throws(SystemError) -> News? {
        if let file {
            try hold(file, until: deadline)
            let place = try FileStatus.of(path)
            if let place, file.isSameFile(as: place) { return try newLines(in: file, place) }
            // What others have stored in a file before it lost its name counts.
            if let news = try newLines(in: file, file.status()) { return news }
            release()
        }
        (file, stamp) = (nil, nil)
        guard let file = try openInPlace(until: deadline) else { return nil }
        let text = JournalText(try readLines(of: file), path: path, schema: schema)
        take(file, length: text.length, lines: text.lineCount, try file.status())
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
        let text = JournalText(
            try readLines(of: file, from: length), path: path, schema: schema, firstLine: lineCount + 1)
        guard text.length > 0 else { return nil }
        length += text.length
        lineCount += text.lineCount
        doubtfulLength = nil
        return News(entries: text.entries, problems: text.problems)
    }

    /// Whether others have done something to the file since the last use.
    var hasNews: Bool {
        get throws(SystemError) { try Stamp.of(path) != stamp && doubtfulLength == nil }
    }

    private func take(_ file: File, length: Int, lines: Int, _ status: FileStatus) {
        self.file = file
        self.length = length
        lineCount = lines
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
    /// - Returns: false where the file has lost its name, and the lines with it.
    /// - Throws: what failed; the file is then as it was, or not sound any more.
    func append(_ lines: [UInt8]) throws(SystemError) -> Bool {
        guard let file, let stamp else { throw SystemError("write", path, code: ENOENT) }
        guard length + lines.count <= Self.sizeLimit else { throw SystemError("write", path, code: EFBIG) }
        try synchronizeFolder()
        do {
            // A torn line that a power cut or a kill has left.
            if stamp.size > length { try file.truncate(to: length) }
            try file.write(lines, at: length)
            try file.synchronize()
            guard try file.isInPlace else {
                cutBack(file, from: length + lines.count)
                return false
            }
            length += lines.count
            lineCount += Self.lineCount(lines)
            self.stamp = Stamp(file, size: length)
            return true
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

    /// Replaces the file at once and durably, and holds the lock of the new one.
    ///
    /// - Returns: false where somebody else has made one meanwhile.
    func replace(with content: [UInt8]) throws(SystemError) -> Bool {
        let folder = Folder.of(path)
        try Folder.make(folder)
        let new = try TemporaryFile(beside: path)
        do {
            try new.file.makePrivate()
            try new.file.write(content, at: 0)
            try new.file.synchronize()
            // Nobody adds to it before what it holds is known.
            try new.file.lock(until: .now)
            try put(new.path, isFirst: file == nil)
            isNameDoubtful = true
            held = new.file
            take(new.file, length: content.count, lines: Self.lineCount(content), try new.file.status())
        } catch {
            new.discard()
            if error.code == EEXIST { return false }
            throw error
        }
        try synchronizeFolder()
        return true
    }

    private static func lineCount(_ bytes: [UInt8]) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    private func put(_ new: String, isFirst: Bool) throws(SystemError) {
        do {
            try Folder.rename(new, to: path, isFirst ? .onlyIfAbsent : .replacing)
        } catch  where isFirst && error.isUnsupported {
            try Folder.rename(new, to: path, .replacing)
        }
    }

    private func synchronizeFolder() throws(SystemError) {
        guard isNameDoubtful else { return }
        try Folder.synchronize(Folder.of(path))
        isNameDoubtful = false
    }
}
