import JSON
import SettingsModel

@testable import SettingsStore

/// The document: what is read is in force, the rest is kept, and both are there again when it was written.
enum DocumentCheck {
    private static let schema = Schema.builtIn
    private static let path = "/settings.json"

    static func check(_ bytes: [UInt8]) throws {
        let reading = DocumentReading(.text(bytes), path: path, schema: schema)
        guard let text = reading.text else {
            let sentence = reading.condition.problem ?? ""
            try promise(sentence.contains("\(path) is damaged: line "), "A damaged document without a place: \(sentence)")
            try promise(reading.condition.refusal?.name == .documentDamaged, "A damaged document that may be changed")
            return
        }
        for (key, value) in text.values {
            let setting = schema.setting(named: key)
            try promise(setting?.rule.fault(in: value) == nil && setting?.key == key, "\(key) has the value \(value)")
        }
        for problem in reading.problems { try promise(problem.contains("line "), "A problem without a place: \(problem)") }

        let document = Document(values: text.values, revision: text.revision ?? 0)
        let normal = DocumentText.render(document, kept: text.kept, schema: schema)
        let again = DocumentReading(.text(normal), path: path, schema: schema)
        let written = String(decoding: normal, as: UTF8.self)
        try promise(again.text?.values == text.values, "Other values were written: \(written)")
        // Sections come in the schema's order.
        let kept = JSONWriter.sortedLine(.object(text.kept))
        try promise(again.text.map { JSONWriter.sortedLine(.object($0.kept)) } == kept, "Something else was kept: \(written)")
        try promise(again.problems.count == reading.problems.count, "Other problems were written: \(written)")
        let twice = DocumentText.render(document, kept: again.text?.kept ?? [:], schema: schema)
        try promise(twice == normal, "The normal form has another one: \(written)")

        try checkEdit(to: text, revision: document.revision)
    }

    /// Takes the text in as somebody's edit, and reads the journal that tells of it.
    private static func checkEdit(to text: DocumentText, revision: UInt64) throws {
        let old: [String: SettingValue] = ["profile.name": "Ada", "provider.id": "mpd", "provider.account": "ada"]
        let base = Checkpoint(document: Document(values: old, revision: 7), documentRevision: 7)
        let state = StoreState(ledger: Ledger(schema: schema, base: base), layers: Layers())
        let file = DocumentState(
            path: "/document", content: .absent, stamp: nil, text: DocumentText(base.document, kept: [:], schema: schema),
            condition: .good,
            durableRevision: 7)
        var batch = Batch(state)
        batch.add(.edit(DocumentEdit(before: file.text, after: text)), to: state, file)
        try promise(batch.document.revision >= 7, "The revision has gone back to \(batch.document.revision)")
        let journal = JournalText(state.ledger.journal + batch.lines, path: "/journal", schema: schema)
        try promise(journal.problems == [], "\(journal.problems)")
        try promise(journal.ledger?.document.values == batch.document.values, "The journal has other values than memory")
        var values = text.values
        // An account does not outlive its provider.
        if values["provider.id"] != old["provider.id"], values["provider.account"] == old["provider.account"] {
            values["provider.account"] = batch.document.values["provider.account"]
        }
        try promise(batch.document.values == values, "\(values) was written, \(batch.document.values) is in force")
    }
}
