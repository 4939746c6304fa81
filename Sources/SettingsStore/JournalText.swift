internal import Glibc
internal import SettingsModel

/// A journal's text, line by line.
struct JournalText {
    /// The history, where there is anything whole.
    private(set) var ledger: Ledger?
    /// The transactions since the last checkpoint.
    private(set) var entries: [(entry: JournalEntry, line: [UInt8])] = []
    /// A sentence for each line that is no transaction.
    private(set) var problems: [String] = []
    /// The number of bytes up to the end of the last whole line; what follows is torn.
    private(set) var length = 0
    /// The number of whole lines.
    private(set) var lineCount = 0

    /// The number of damaged lines that are named one by one.
    private static let namedLines = 10

    /// - Parameters:
    ///   - bytes: the whole file, or what follows lines that are known.
    ///   - path: the file's, for messages.
    ///   - firstLine: the number of the first of the lines.
    init(_ bytes: [UInt8], path: String, schema: Schema, firstLine: Int = 1) {
        var base: Checkpoint?
        var effort = Effort.file
        var (damaged, last) = (0, 0)
        while let end = Self.endOfLine(in: bytes, from: length) {
            let number = firstLine + lineCount
            let text = bytes[length..<end]
            (length, lineCount) = (end, lineCount + 1)
            if damaged >= Self.namedLines, !Self.mayBeWhole(text) {
                (damaged, last) = (damaged + 1, number)
                continue
            }
            let line = Array(text)
            do {
                switch try JournalLine(line, schema: schema, &effort) {
                case .checkpoint(let checkpoint):
                    // A further one would mean that the lines before it do not count.
                    base = checkpoint
                    entries = []
                case .entry(let entry): entries.append((entry, line))
                }
            } catch {
                (damaged, last) = (damaged + 1, number)
                if damaged > Self.namedLines { continue }
                problems.append(
                    "\(path), line \(number) is damaged (\(error.message)); it is passed over, and the change that it told of "
                        + "cannot be listed or undone")
            }
        }
        if damaged > Self.namedLines {
            problems.append("\(path), line \(last) is damaged too, the last of \(damaged) such lines; they are passed over")
        }
        guard base != nil || !entries.isEmpty else { return }
        var ledger = Ledger(schema: schema, base: base ?? Self.base(of: entries.map(\.entry)))
        for (entry, line) in entries { ledger.record(entry, line: line) }
        self.ledger = ledger
    }

    /// Where the line that begins at a place ends, its newline included; nil where none is there.
    private static func endOfLine(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(newline) - base + 1
        }
    }

    /// The length of the shortest line, `{"format":1,"revision":0}`.
    private static let shortestLine = 25

    /// Whether it is worth a closer look: millions of damaged lines are passed over as fast as they are read.
    private static func mayBeWhole(_ line: ArraySlice<UInt8>) -> Bool {
        line.count > shortestLine && line.contains(UInt8(ascii: "{"))
    }

    /// Where the history began, as far as the transactions themselves tell.
    private static func base(of entries: [JournalEntry]) -> Checkpoint {
        var document = Document(revision: max(1, entries.first?.revision ?? 1) - 1)
        var seen: Set<String> = []
        for edit in entries.flatMap(\.transaction.edits) where seen.insert(edit.key).inserted {
            if case .whole(let edit) = edit { document.values[edit.key] = edit.before }
        }
        return Checkpoint(document: document, documentRevision: nil)
    }
}
