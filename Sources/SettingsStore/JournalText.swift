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
        for (index, line) in Self.lines(of: bytes[...]).enumerated() {
            let number = firstLine + index
            (length, lineCount) = (length + line.count, index + 1)
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

    /// The whole lines, each with its newline.
    static func lines(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let newline = memchr(start, Int32(UInt8(ascii: "\n")), rest.count)
            {
                let count = UnsafeRawPointer(newline) - start + 1
                lines.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
        }
        return lines
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
