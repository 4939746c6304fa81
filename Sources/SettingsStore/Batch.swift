internal import JSON
internal import SettingsJSON
internal import SettingsModel

/// Work that is stored together, with one flush: what it would change, worked out beside a state that stays as it is.
struct Batch {
    private(set) var outcomes: [Outcome] = []
    /// The transactions, oldest first, each with its line of the journal.
    private(set) var entries: [(entry: JournalEntry, line: [UInt8])] = []
    /// Whether somebody waits whose change must be refused where the document cannot follow.
    private(set) var isAsked = false
    /// Bytes of those lines.
    private(set) var size = 0
    /// The user's values after everything.
    private(set) var document: Document
    private(set) var layers: Layers
    /// The edits of the document that are neither durable nor among the work so far.
    private var pendingEdits: Int
    /// The revision of the newest transaction.
    private var lastRevision: UInt64
    /// What the document holds beside the values in force, after everything.
    private var kept: JSONObject
    /// Whether an edit has changed that.
    private var isKeptNew = false
    /// What the journal tells of the settings that cascades watch.
    private var watched: [String: SettingValue]
    /// What can be undone after everything. It is worked out for the first undo or redo: that costs a copy of it all.
    private var history: History?

    struct Outcome {
        let work: Work
        let result: Result<Commit, SettingsError>
        /// Whether it waits for the journal to have it.
        let isStored: Bool
    }

    /// - Parameter pendingEdits: how many edits of the document are not durable.
    init(_ state: StoreState, pendingEdits: Int = 0) {
        self.pendingEdits = pendingEdits
        document = state.document
        lastRevision = state.ledger.lastRevision
        layers = state.layers
        watched = state.ledger.watched
        kept = state.ledger.kept
    }

    /// What the document holds beside the values in force, where an edit has changed that.
    var newKept: JSONObject? { isKeptNew ? kept : nil }

    /// What goes to the journal.
    var lines: [UInt8] { entries.count == 1 ? entries[0].line : entries.flatMap(\.line) }

    /// Carries one piece of work out on top of those before it.
    ///
    /// - Parameters:
    ///   - state: the one that the batch was made for.
    ///   - file: the document at its path.
    mutating func add(_ work: Work, to state: StoreState, _ file: DocumentState) {
        let outcome: Reducer.Outcome
        var application = ""
        do {
            switch work {
            case .request(let request, _):
                if history == nil, request.stepsOverOthers { history = history(of: state) }
                outcome = try judge(request, state, file)
                application = request.application
            case .edit(let edit):
                pendingEdits -= 1
                outcome = take(edit, state)
            case .layers(let layers): outcome = take(layers, state)
            case .schema(let before): outcome = changes(since: before, state)
            case .mark: outcome = Reducer.Outcome()
            }
        } catch {
            outcomes.append(Outcome(work: work, result: .failure(error), isStored: false))
            return
        }
        let transaction = record(outcome, work.origin, application, state, file)
        let commit = Commit(
            revision: document.revision, transaction: transaction, actions: outcome.actions, answers: outcome.answers)
        if work.isAsked, transaction != nil { isAsked = true }
        outcomes.append(Outcome(work: work, result: .success(commit), isStored: transaction != nil))
    }

    // MARK: Kinds of work

    /// What a client's request would change, after the checks in the order that the interface promises.
    func judge(_ request: Request, _ state: StoreState, _ file: DocumentState) throws(SettingsError) -> Reducer.Outcome {
        let outcome = try reducer(state).reduce(
            document, history: history ?? state.ledger.history, request.actions, facts: request.facts,
            refused: RefusedValues(kept, file.content, path: file.path, schema: state.schema))
        if let expected = request.expectedRevision, expected != document.revision {
            throw SettingsError(
                .conflict,
                "revision \(expected) was expected, but the current one is \(document.revision); "
                    + "read the values again, then retry")
        }
        if !outcome.edits.isEmpty, let refusal = file.condition.refusal { throw refusal }
        return outcome
    }

    /// Takes in what somebody wrote into the document.
    private mutating func take(_ edit: DocumentEdit, _ state: StoreState) -> Reducer.Outcome {
        let (before, text) = (edit.before, edit.after)
        let current = kept
        var touched: Set<String> = []
        kept = text.kept
        for setting in state.schema.settings {
            let path = setting.path[...]
            if text.values[setting.key] == before.values[setting.key], text.kept.value(at: path) == before.kept.value(at: path) {
                // What stands in place of a value may have gone since, with the value set.
                let current = current.value(at: path)
                if current != text.kept.value(at: path) { kept.setValue(current, at: path) }
                continue
            }
            touched.insert(setting.key)
            if layers.lock(on: setting.key) != nil, let value = text.values[setting.key] {
                kept.setValue(value.json, at: path)
            }
        }
        isKeptNew = true
        document.revision = max(document.revision, text.revision ?? 0)
        return reducer(state).reduceEdit(document, values: text.values, touched: touched)
    }

    /// Takes in what the layers say now.
    private mutating func take(_ new: Layers, _ state: StoreState) -> Reducer.Outcome {
        let old = layers
        layers = new
        return reducer(state).reduceLayers(document, from: old, since: watched)
    }

    /// What other effective values there are since another schema counts.
    private func changes(since before: [String: SettingValue], _ state: StoreState) -> Reducer.Outcome {
        var outcome = Reducer.Outcome()
        for setting in state.schema.settings {
            let value = layers.resolve(setting, user: document.values[setting.key]).value
            guard before[setting.key] != value else { continue }
            outcome.previous[setting.key] = before[setting.key]
            outcome.values[setting.key] = value
        }
        return outcome
    }

    private func reducer(_ state: StoreState) -> Reducer { Reducer(schema: state.schema, layers: layers) }

    private func history(of state: StoreState) -> History {
        var history = state.ledger.history
        var values = state.document
        for stored in entries {
            history.record(stored.entry.transaction, from: values.values)
            values.apply(stored.entry.transaction.edits)
        }
        return history
    }

    // MARK: Transactions

    private mutating func record(
        _ outcome: Reducer.Outcome, _ origin: Origin, _ application: String, _ state: StoreState, _ file: DocumentState
    ) -> Transaction? {
        guard !outcome.edits.isEmpty || origin == .layer && !outcome.values.isEmpty else { return nil }
        let before = document.values
        document = document.applying(outcome.edits)
        document.revision += 1
        let change = SettingsChange(
            revision: document.revision, values: outcome.values, previous: outcome.previous,
            actions: outcome.actions.map(\.name), origin: origin, application: application, time: currentTime())
        let transaction = Transaction(change: change, edits: outcome.edits)
        var entry = JournalEntry(
            transaction: KeptTransaction(transaction), actions: outcome.actions, documentRevision: file.durableRevision,
            since: lastRevision + 1 == change.revision ? nil : lastRevision)
        if pendingEdits == 0 { entry.seen = file.seen }
        lastRevision = change.revision
        tellWatched(&entry, state)
        entries.append((entry, entry.line))
        size += entries[entries.count - 1].line.count
        history?.record(entry.transaction, from: before)
        _ = Ledger.forget(entry.transaction, in: &kept, state.schema)
        return transaction
    }

    /// Lets an entry tell what its own values and what is told before it do not, of the settings that cascades watch.
    private mutating func tellWatched(_ entry: inout JournalEntry, _ state: StoreState) {
        watched.merge(entry.watchedValues(after: watched)) { $1 }
        guard layers.isWhole else { return }
        entry.watched = reducer(state).watchedValues(document).filter { watched[$0.key] != $0.value }
        watched.merge(entry.watched) { $1 }
    }
}

extension Request {
    /// Whether it goes by what was done before it.
    fileprivate var stepsOverOthers: Bool { actions.contains { ActionDeclaration.steppingOverOthers.contains($0.name) } }
}
