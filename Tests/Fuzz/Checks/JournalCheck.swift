import SettingsModel

@testable import SettingsStore

/// The journal: what is whole is read, and what was read is there again when it was written anew.
enum JournalCheck {
    private static let schema = Schema.builtIn
    private static let path = "/journal.jsonl"

    static func check(_ bytes: [UInt8]) throws {
        let text = JournalText(bytes, path: path, schema: schema)
        try promise(text.length <= bytes.count, "\(text.length) of \(bytes.count) bytes")
        for problem in text.problems { try promise(problem.contains("\(path), line "), "A problem without a place: \(problem)") }
        guard var ledger = text.ledger else { return }
        for (key, value) in ledger.document.values {
            try promise(schema.setting(named: key)?.rule.fault(in: value) == nil, "\(key) has the value \(value)")
        }
        try checkSame(ledger)
        for revision in Set(text.entries.map(\.entry.revision)) { _ = ledger.values(at: revision) }
        if let changes = ledger.changes(since: ledger.base.document.revision) {
            try promise(changes.count <= ledger.lines.count, "\(changes.count) changes in \(ledger.lines.count) lines")
        }
        ledger.trim(documentRevision: ledger.documentRevision)
        try checkSame(ledger)
        try checkNext(ledger)
    }

    private static func checkSame(_ ledger: Ledger) throws {
        let again = JournalText(ledger.journal, path: path, schema: schema)
        try promise(again.problems == [], "\(again.problems)")
        try promise(again.ledger?.document == ledger.document, "Written anew, the journal has another document")
        try promise(again.ledger?.lines.map(\.bytes) == ledger.lines.map(\.bytes), "Written anew, the journal has other lines")
        try promise(again.ledger?.history == ledger.history, "Written anew, the journal has another history")
    }

    /// Makes changes on top, as a daemon does that starts on this journal.
    private static func checkNext(_ ledger: Ledger) throws {
        let state = StoreState(ledger: ledger, layers: Layers())
        let file = DocumentState(
            path: "/document", content: .absent, stamp: nil,
            text: DocumentText(ledger.document, kept: ledger.kept, schema: schema),
            condition: .good, durableRevision: ledger.documentRevision)
        var batch = Batch(state)
        for action in [Action("Undo"), Action("Redo"), Action("ResetAll"), Action("UpdateProfile", ["name": "Ada"])] {
            batch.add(.request(Request(actions: [action])) { _ in }, to: state, file)
        }
        let text = JournalText(ledger.journal + batch.lines, path: path, schema: schema)
        try promise(text.problems == [], "\(text.problems)")
        try promise(text.ledger?.document == batch.document, "The journal has another document than memory")
    }
}
