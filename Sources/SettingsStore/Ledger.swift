internal import JSON
internal import SettingsModel

/// What the journal comes to: the user's values, how they came to be, and the lines that say so.
struct Ledger: Sendable {
    let schema: Schema
    /// Where the history begins.
    private(set) var base: Checkpoint
    private(set) var document: Document
    private(set) var history = History()
    /// What the document holds beside the values in force; see `DocumentText.kept`.
    private(set) var kept: JSONObject
    /// Whether the checkpoint tells of another content.
    private(set) var isKeptNews = false
    /// The transactions since the base, oldest first.
    private(set) var lines: [Line] = []
    private var size = 0
    /// The largest `document` of any line.
    private(set) var documentRevision: UInt64
    /// The effective values of the settings that cascades watch, as the lines tell; none from older code's.
    private(set) var watched: [String: SettingValue]

    /// What stood at the document's path at the newest line, where that was an edit that is not rewritten.
    private(set) var seen: SeenEdit?

    struct SeenEdit: Sendable {
        /// See `DocumentState.mark`.
        let mark: String
        /// The first that was made when the edit was taken in, by it or after it.
        let revision: UInt64
    }

    struct Line: Sendable {
        let revision: UInt64
        /// The revision of the transaction before it.
        let since: UInt64
        /// What it tells of the settings that cascades watch.
        let watched: [String: SettingValue]
        let transaction: KeptTransaction
        let strays: [JournalEntry.Stray]
        let bytes: [UInt8]
    }

    init(schema: Schema, base: Checkpoint) {
        self.schema = schema
        self.base = base
        document = base.document
        kept = base.kept
        documentRevision = base.documentRevision ?? 0
        watched = base.watched
    }

    /// Takes a transaction in.
    ///
    /// - Parameter line: the transaction as the journal has it.
    mutating func record(_ entry: JournalEntry, line: [UInt8]) {
        history.record(entry.transaction, from: document.values)
        document.apply(entry.transaction.edits)
        document.revision = max(document.revision, entry.revision)
        documentRevision = max(documentRevision, entry.documentRevision)
        if seen?.mark != entry.seen { seen = entry.seen.map { SeenEdit(mark: $0, revision: entry.revision) } }
        forgetKept(entry)
        let told = entry.watchedValues(after: watched)
        watched.merge(told) { $1 }
        for stray in entry.strays {
            kept.setValue(stray.value, at: stray.path[...])
            isKeptNews = true
        }
        lines.append(
            Line(
                revision: entry.revision, since: entry.since ?? max(1, entry.revision) - 1, watched: told,
                transaction: entry.transaction, strays: entry.strays, bytes: line))
        size += line.count
    }

    /// The revision of the newest transaction, or of the beginning.
    var lastRevision: UInt64 { lines.last?.revision ?? base.document.revision }

    /// Forgets what was kept in place of values that a transaction sets.
    mutating func forgetKept(_ entry: JournalEntry) {
        if Self.forget(entry.transaction, in: &kept, schema) { isKeptNews = true }
    }

    /// A request that takes a value away takes that too; a hand edit that does has put it there.
    ///
    /// - Returns: whether there was anything.
    static func forget(_ transaction: KeptTransaction, in kept: inout JSONObject, _ schema: Schema) -> Bool {
        if kept.isEmpty { return false }
        var isNews = false
        for edit in transaction.edits where edit.leavesValue || transaction.change.origin == .bus {
            guard let setting = schema.setting(named: edit.key), kept.value(at: setting.path[...]) != nil else { continue }
            kept.setValue(nil, at: setting.path[...])
            isNews = true
        }
        return isNews
    }

    /// Keeps what the document holds now.
    mutating func keep(_ content: JSONObject) {
        if content == kept { return }
        kept = content
        isKeptNews = true
    }

    /// What a document keeps, brought up to date with what transactions after its revision say of settings that the schema does
    /// not know and values that it does not take.
    func keeping(_ content: JSONObject, since revision: UInt64) -> JSONObject {
        var content = content
        for line in lines where line.revision > revision {
            _ = Self.forget(line.transaction, in: &content, schema)
            for stray in line.strays { content.setValue(stray.value, at: stray.path[...]) }
        }
        return content
    }

    /// The same history as another schema reads it.
    func read(by schema: Schema, path: String) -> Ledger {
        guard var ledger = JournalText(journal, path: path, schema: schema).ledger else { return self }
        ledger.advance(to: document.revision)
        return ledger
    }

    /// Takes over a revision that is ahead: numbers never come back.
    mutating func advance(to revision: UInt64) {
        document.revision = max(document.revision, revision)
    }

    /// The whole journal, from the checkpoint on.
    var journal: [UInt8] {
        var bytes = base.line
        bytes.reserveCapacity(lines.reduce(bytes.count) { $0 + $1.bytes.count })
        for line in lines { bytes += line.bytes }
        return bytes
    }

    /// The user's values as they were at a revision, or nil where the history does not say.
    func values(at revision: UInt64) -> [String: SettingValue]? {
        if revision == document.revision { return document.values }
        if revision == base.document.revision { return base.document.values }
        guard lines.contains(where: { $0.revision == revision }) else { return nil }
        return past(revision).values
    }

    private func past(_ revision: UInt64) -> Document {
        var past = base.document
        for line in lines where line.revision <= revision { past.apply(line.transaction.edits) }
        return past
    }

    /// How many values the changes may have that go to somebody at once; clients read a few more in one message.
    private static let answerLimit = 3 << 18

    /// The changes after a revision, oldest first, or nil where the history does not reach back to it without a gap, or they
    /// are too large to be told at once.
    func changes(since revision: UInt64) -> [SettingsChange]? {
        guard revision >= base.document.revision, revision <= document.revision else { return nil }
        let later = lines.drop { $0.revision <= revision }
        var known = revision
        for line in later {
            // A line between them is damaged.
            guard line.since <= known else { return nil }
            known = line.revision
        }
        // Only those of long lists are kept by what is different.
        var past = later.allSatisfy { $0.transaction.edits.allSatisfy(\.isWhole) } ? nil : past(revision)
        var changes: [SettingsChange] = []
        var count = 0
        for line in later {
            let change = past.map { line.transaction.whole(from: $0.values).change } ?? line.transaction.change
            past?.apply(line.transaction.edits)
            count += [change.values, change.previous].joined().reduce(0) { $0 + $1.value.totalCount }
            guard count <= Self.answerLimit else { return nil }
            changes.append(change)
        }
        return changes
    }

    private static let lineLimit = 1000
    private static let sizeLimit = 4 << 20

    /// Whether the history is so far beyond its limit that forgetting some of it is worth writing the rest anew.
    var isOverLimit: Bool { lines.count > Self.lineLimit * 5 / 4 || size > Self.sizeLimit * 5 / 4 }

    /// Forgets the oldest transactions, beyond a number of them or of their bytes, and lets the checkpoint say how far the
    /// document is. None that the document does not hold is forgotten: at a start the document is compared with the values
    /// at its own revision, and one from before the checkpoint would pass for an edit that takes back what came after it.
    ///
    /// - Parameter documentRevision: that of the document, durable.
    mutating func trim(documentRevision: UInt64) {
        var kept = 0
        let keep = lines.reversed().prefix(Self.lineLimit).prefix { line in
            kept += line.bytes.count
            return kept <= Self.sizeLimit
        }.count
        let surplus = lines.prefix(lines.count - keep).prefix { $0.revision <= documentRevision }
        for line in surplus {
            base.document.apply(line.transaction.edits)
            base.document.revision = line.revision
            base.watched.merge(line.watched) { $1 }
        }
        lines.removeFirst(surplus.count)
        size = lines.reduce(0) { $0 + $1.bytes.count }
        history.trim(to: lines.count)
        base.kept = self.kept
        isKeptNews = false
        base.documentRevision = documentRevision
        self.documentRevision = documentRevision
    }
}
