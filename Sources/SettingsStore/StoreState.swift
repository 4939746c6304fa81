internal import JSON
internal import SettingsModel

/// Everything that a batch of work may change. A value: a batch is worked out on a copy.
struct StoreState: Sendable {
    var ledger: Ledger
    var layers: Layers

    var schema: Schema { ledger.schema }
    var document: Document { ledger.document }
    var reducer: Reducer { Reducer(schema: schema, layers: layers) }
}

/// The document at its path.
struct DocumentState: Sendable {
    /// What is there, as far as is known to us.
    var content: DocumentFile.Content
    /// nil where there is nothing, or it could not be read, which may be another time though nothing is changed.
    var stamp: FileStatus?
    /// What it says.
    var text: DocumentText
    /// Whether it may be changed.
    var condition: DocumentCondition
    /// The revision up to which it is durably up to date.
    var durableRevision: UInt64
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
    /// A newer version wrote it: a sentence.
    case newer(String)

    var refusal: SettingsError? {
        switch self {
        case .good: nil
        case .damaged(let sentence): SettingsError(.documentDamaged, "nothing was changed: \(sentence)")
        case .unreadable(let sentence), .newer(let sentence): SettingsError(.readOnly, "nothing was changed: \(sentence)")
        }
    }

    var problem: String? {
        switch self {
        case .good: nil
        case .damaged(let sentence), .unreadable(let sentence), .newer(let sentence): sentence
        }
    }

    /// Whether it says nothing.
    var isUnread: Bool {
        switch self {
        case .good, .newer: false
        case .damaged, .unreadable: true
        }
    }
}

// MARK: Carrying out

extension StoreState {
    /// A transaction's line, and what clients learn of it.
    struct Step {
        var commit: Commit
        /// Empty where nothing has to be stored.
        var line: [UInt8] = []
    }

    /// Carries out a client's request, in the order of checks that the interface promises.
    mutating func carryOut(
        _ request: Request, on file: DocumentState, time: UInt64
    ) throws(SettingsError) -> Step {
        let outcome = try reducer.reduce(document, history: ledger.history, request.actions)
        if let expected = request.expectedRevision, expected != document.revision {
            throw SettingsError(
                .conflict,
                "revision \(expected) was expected, but the current one is \(document.revision); read the values again, then retry"
            )
        }
        if !outcome.edits.isEmpty, let refusal = file.condition.refusal { throw refusal }
        return record(outcome, origin: .bus, application: request.application, file, time: time)
    }

    /// Takes in what somebody wrote into the document.
    mutating func carryOut(_ edit: DocumentEdit, on file: DocumentState, time: UInt64) -> Step {
        let (before, text) = (edit.before, edit.after)
        var touched: Set<String> = []
        var kept = text.kept
        for setting in schema.settings {
            let path = setting.path[...]
            if text.values[setting.key] == before.values[setting.key], text.kept.value(at: path) == before.kept.value(at: path) {
                // What stands in place of a value may have gone since, with the value set.
                let current = ledger.kept.value(at: path)
                if current != text.kept.value(at: path) { kept.setValue(current, at: path) }
                continue
            }
            touched.insert(setting.key)
            if layers.lock(on: setting.key) != nil, let value = text.values[setting.key] {
                kept.setValue(value.json, at: path)
            }
        }
        ledger.keep(kept)
        ledger.advance(to: text.revision ?? 0)
        let outcome = reducer.reduceEdit(document, values: text.values, touched: touched)
        return record(outcome, origin: .file, application: "", file, time: time)
    }

    /// Takes in what the layers say now.
    mutating func carryOut(_ new: Layers, on file: DocumentState, time: UInt64) -> Step {
        let old = layers
        layers = new
        return record(reducer.reduceLayers(document, from: old), origin: .layer, application: "", file, time: time)
    }

    var unchanged: Step {
        Step(commit: Commit(revision: document.revision, transaction: nil, actions: [], answers: [:]))
    }

    private mutating func record(
        _ outcome: Reducer.Outcome, origin: Origin, application: String, _ file: DocumentState, time: UInt64
    ) -> Step {
        let changesEffectiveValues = origin == .layer && !outcome.values.isEmpty
        guard !outcome.edits.isEmpty || changesEffectiveValues else {
            var step = unchanged
            step.commit.actions = outcome.actions
            step.commit.answers = outcome.answers
            return step
        }
        let change = SettingsChange(
            revision: document.revision + 1, values: outcome.values, previous: outcome.previous,
            actions: outcome.actions.map(\.name), origin: origin, application: application, time: time)
        let transaction = Transaction(change: change, edits: outcome.edits)
        let entry = JournalEntry(transaction: transaction, actions: outcome.actions, documentRevision: file.durableRevision)
        let line = entry.line
        ledger.record(entry, line: line)
        return Step(
            commit: Commit(
                revision: change.revision, transaction: transaction, actions: outcome.actions, answers: outcome.answers),
            line: line)
    }
}
