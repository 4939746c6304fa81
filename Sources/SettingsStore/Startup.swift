internal import JSON
internal import SettingsModel

/// What a store finds when it opens, or goes over to another schema: journal, layers and document, and what they come to
/// together.
struct Startup {
    private(set) var state: StoreState
    /// What somebody wrote into the document while no daemon ran.
    private(set) var edit: DocumentEdit?
    private(set) var file: DocumentState
    private(set) var problems = Problems()
    private(set) var layerFiles: LayerFiles
    /// The revision that stands in the document, or nil where it has to be written.
    private(set) var writtenRevision: UInt64?
    /// Why nothing is known of the values though there may be some; nil: they are known.
    private(set) var ignorance: String?

    /// Reads everything.
    init(paths: StorePaths, schema: Schema, storage: Storage) {
        var problems = Problems()
        let lockFailure = storage.lockForReading()
        defer { storage.release() }
        problems[.others] = [lockFailure?.othersUnknown].compactMap { $0 }
        var ledger: Ledger?
        var failure: SystemError?
        do {
            let text = try storage.journal.readAll()
            ledger = text?.ledger
            problems[.journal] = text?.problems ?? []
        } catch {
            // What is found in it later is followed as another daemon's.
            problems[.others] = ["the history cannot be read: \(error); \(error.remedy)"]
            failure = error
        }
        let stamp = storage.document.stamp()
        let content = storage.document.read()
        self.init(ledger, content, stamp, paths: paths, schema: schema)
        if let failure, failure.isPassing, !content.isText {
            ignorance = "its values are not known, for its files cannot be read just now: \(failure); \(failure.remedy)"
        }
        let isUnread = file.condition.isUnread
        problems[.access] = isUnread ? [] : [Storage.accessProblem(of: storage.document)].compactMap { $0 }
        for area in [Problems.Area.journal, .others, .access] { self.problems[area] = problems[area] }
    }

    /// Judges by a schema what has been read, and reads the layers.
    ///
    /// - Parameters:
    ///   - ledger: the journal's, nil where there is none.
    ///   - content: what is at the document's path.
    ///   - stamp: the document's.
    init(_ ledger: Ledger?, _ content: DocumentFile.Content, _ stamp: FileStatus?, paths: StorePaths, schema: Schema) {
        layerFiles = LayerFiles(paths: paths, schema: schema)
        layerFiles.read()
        problems[.layers] = layerFiles.problems
        let found = DocumentReading(content, path: paths.document, schema: schema)
        problems[.document] = found.problems + [found.condition.problem].compactMap { $0 }
        state = StoreState(ledger: ledger ?? Self.ledger(of: found.text, schema, layerFiles.layers), layers: layerFiles.layers)
        file = DocumentState(
            path: paths.document, content: content, stamp: content.isUnreadable ? nil : stamp, text: found.text ?? DocumentText(),
            condition: found.condition,
            durableRevision: state.ledger.documentRevision)
        writtenRevision = found.text == nil ? nil : state.document.revision
        if let ledger { reconcile(ledger, found.text) }
        // Journal and document say the same, mostly; what may have megabytes is held once.
        if file.text.kept == state.ledger.kept { file.text.kept = state.ledger.kept }
    }

    /// Where no journal is, the document is all there is.
    private static func ledger(of text: DocumentText?, _ schema: Schema, _ layers: Layers) -> Ledger {
        let revision = text?.revision ?? 0
        let document = Document(values: text?.values ?? [:], revision: revision)
        let mark = text == nil ? nil : revision
        let watched = layers.isWhole ? Reducer(schema: schema, layers: layers).watchedValues(document) : [:]
        return Ledger(
            schema: schema,
            base: Checkpoint(document: document, kept: text?.kept ?? [:], documentRevision: mark, watched: watched))
    }

    /// The revision of a document that names none, where it has not been written since the journal began.
    private static func unwritten(_ ledger: Ledger) -> UInt64? {
        let revision = ledger.base.document.revision
        return ledger.base.documentRevision == revision && ledger.documentRevision == revision ? revision : nil
    }

    /// What others have done to the files while no daemon ran, in the order in which it counts: a value that the document
    /// has given since goes with what the layers say now.
    var work: [Work] {
        // A file that is broken may say what it always has.
        (layerFiles.layers.isWhole ? [.layers(layerFiles.layers)] : []) + (edit.map { [.edit($0)] } ?? [])
    }

    /// Finds out whether the document is one that the journal knows.
    private mutating func reconcile(_ ledger: Ledger, _ text: DocumentText?) {
        guard var text else {
            // A document that is gone or damaged is a loss and no wish: the journal's values stay.
            file.text = DocumentText(ledger.document, kept: ledger.kept, schema: ledger.schema)
            return
        }
        if let seen = ledger.seen, seen.mark == file.mark { return reconcile(ledger, text, seen) }
        var base = ledger.document
        if let revision = text.revision ?? Self.unwritten(ledger), revision >= ledger.documentRevision,
            let values = ledger.values(at: revision)
        {
            base = Document(values: values, revision: revision)
            text.kept = ledger.keeping(text.kept, since: revision)
        }
        if base.values == text.values {
            state.ledger.keep(text.kept)
            state.ledger.advance(to: text.revision ?? 0)
            writtenRevision = text.revision ?? base.revision
        } else {
            file.seen = file.mark
            edit = DocumentEdit(before: DocumentText(base, kept: ledger.kept, schema: ledger.schema), after: text)
        }
    }

    /// Takes up an edit that the journal knows: nothing in it is new, but for what it says of settings that are locked.
    private mutating func reconcile(_ ledger: Ledger, _ text: DocumentText, _ seen: Ledger.SeenEdit) {
        file.seen = seen.mark
        var text = text
        text.kept = ledger.keeping(text.kept, since: seen.revision - 1)
        var before = text
        for key in text.values.keys where state.layers.lock(on: key) != nil { before.values[key] = ledger.document.values[key] }
        state.ledger.keep(text.kept)
        state.ledger.advance(to: text.revision ?? 0)
        writtenRevision = nil
        if before.values != text.values { edit = DocumentEdit(before: before, after: text) }
    }
}
