internal import SettingsModel

/// Everything that work may change; what is in here is durable.
struct StoreState {
    var ledger: Ledger
    var layers: Layers

    var schema: Schema { ledger.schema }
    var document: Document { ledger.document }
    var reducer: Reducer { Reducer(schema: schema, layers: layers) }

    /// Takes over what a batch comes to, which is durable now.
    mutating func take(_ batch: Batch) {
        for stored in batch.entries { ledger.record(stored.entry, line: stored.line) }
        ledger.advance(to: batch.document.revision)
        if let kept = batch.newKept { ledger.keep(kept) }
        layers = batch.layers
    }
}

/// The document at its path.
struct DocumentState: Sendable {
    let path: String
    /// What is there, as far as is known to us.
    var content: DocumentFile.Content
    /// nil where there is nothing, or it could not be read, which may be another time though nothing is changed.
    var stamp: FileStatus?
    /// What it says.
    var text: DocumentText
    /// What it says with the places, until what is wrong there has been told.
    var reading: DocumentReading?
    /// Whether it may be changed.
    var condition: DocumentCondition
    /// The revision up to which it is durably up to date.
    var durableRevision: UInt64
    /// Where it is what somebody wrote, and not rewritten since: its mark.
    var seen: String?

    /// Tells what is there from anything else, the same text too where it is put there again; nil where there is nothing.
    var mark: String? {
        guard let stamp, let fingerprint = content.fingerprint else { return nil }
        return "\(stamp.place)-\(String(fingerprint, radix: 16))"
    }
}

/// What somebody wrote into the document, and what it said before.
struct DocumentEdit: Sendable {
    let before: DocumentText
    let after: DocumentText
}

/// What stands at the document's path.
enum DocumentCondition: Hashable, Sendable {
    case good
    /// It does not parse: a sentence.
    case damaged(String)
    /// What is there is no file that can be read: a sentence.
    case unreadable(String)
    /// It could not be read just now: a sentence.
    case failing(String)
    /// A newer version wrote it: a sentence.
    case newer(String)

    var refusal: SettingsError? {
        switch self {
        case .good: nil
        case .damaged(let sentence): SettingsError(.documentDamaged, "nothing was changed: \(sentence)")
        case .unreadable(let sentence), .newer(let sentence): SettingsError(.readOnly, "nothing was changed: \(sentence)")
        case .failing(let sentence): SettingsError(.storageFailed, "nothing was changed: \(sentence), then try again")
        }
    }

    var problem: String? {
        switch self {
        case .good: nil
        case .damaged(let sentence), .unreadable(let sentence), .failing(let sentence), .newer(let sentence): sentence
        }
    }

    /// Whether it says nothing.
    var isUnread: Bool {
        switch self {
        case .good, .newer: false
        case .damaged, .unreadable, .failing: true
        }
    }
}
