public import EventLoop
public import SettingsModel

/// The user's settings on disk and in memory: takes requests, stores them, and tells what changed.
///
/// Everything that changes the user's values goes one way: it waits in a queue, is carried out on a copy of the state
/// together with all that waits, is made durable in the journal with one flush, and only then becomes the state, is
/// answered and announced. The document follows the journal.
///
/// Loop-confined; one further thread waits for the disk.
public final class SettingsStore {
    public let paths: StorePaths
    let host: StoreHost
    let log: (LogPriority, String) -> Void
    let storage: Storage
    let sandbox: Sandbox

    var state: StoreState
    /// The document last visible at its path and known to us.
    var file: DocumentState
    /// What stands in the document and is not in force.
    var oddValues: [OddValue] = []
    var layerFiles: LayerFiles
    var queue: [Work] = []
    /// What nobody waits for and could not be stored; it is tried again.
    var deferred: [Work] = []
    /// What has been answered and not been announced yet.
    var answered: [Batch.Outcome] = []
    /// Edits of the document that are not stored yet; it is not written as long as there are any.
    var pendingEdits = 0
    /// A batch is on its way to the disk or its outcomes are being told, or something else keeps work waiting.
    var isBusy = false
    var isPumpScheduled = false
    /// Something else has kept work waiting since the last batch.
    var isBatchNext = false
    var writer: DocumentWriter
    /// The journal as it is known.
    var journalStamp: Journal.Stamp?
    /// The last commit found another daemon ahead, and the storage holds the lock for the next one.
    var holdsLock = false
    /// How often work has been put off to look at what others have done.
    var looksInARow = 0
    /// Who waits for a look that has not begun.
    var looks: [() -> Void] = []
    /// What was at the document's path when it was looked at, and may be in the middle of being written.
    var unsettled: DocumentFile.Content?
    /// What waits for its turn to keep everything else waiting.
    var whenFree: [() -> Void] = []
    /// Waits for the write of the document that is under way.
    var whenWritten: [() -> Void] = []

    var watch: FileWatch?
    /// The kernel has not given a watch when it was asked last.
    private var isUnwatched = false
    var sawJournalChange = false
    var sawDocumentChange = false
    var isLayerLookScheduled = false
    var isProbing = false
    var probeDelay = RetryDelay()
    var isFollowRetryScheduled = false
    /// How often others could not be followed since they last could.
    var failedLooks = 0

    var finishing: [() -> Void] = []
    var finalWrites = 0
    var hasFinalTidyingBegun = false
    var isFinished = false

    /// Is called after every durable transaction, whoever made it, and after a request that changes nothing but announces, in
    /// order; after the completions of all requests that share its flush.
    public var onCommit: ((Commit, Origin) -> Void)?
    /// Is called with all problems when one comes or goes.
    public var onProblemsChanged: (([String]) -> Void)?

    public var schema: Schema { state.schema }
    var loop: EventLoop { host.loop }
    var flusher: Flusher { host.flusher }

    /// Opens a store that is alone in its process; see the other initializer.
    public convenience init(
        paths: StorePaths, schema: Schema, loop: EventLoop, log: @escaping (LogPriority, String) -> Void
    ) throws(StoreError) {
        try self.init(paths: paths, schema: schema, host: StoreHost(loop: loop), log: log)
    }

    /// Opens the store: reads layers, journal and document. Writes only where somebody has edited the document meanwhile.
    ///
    /// - Parameters:
    ///   - host: what the store shares with others; the caller is on the thread of its loop.
    ///   - log: gets what an administrator may want to read later.
    /// - Throws: what leaves nothing to serve. Files that are damaged or cannot be read are `problems` instead.
    public init(
        paths: StorePaths, schema: Schema, host: StoreHost, log: @escaping (LogPriority, String) -> Void
    ) throws(StoreError) {
        self.paths = paths
        self.host = host
        self.log = log
        storage = Storage(paths: paths, schema: schema)
        sandbox = Sandbox(paths)
        let startup = Startup(paths: paths, schema: schema, storage: storage)
        if let ignorance = startup.ignorance { throw .unread(ignorance) }
        state = startup.state
        file = startup.file
        layerFiles = startup.layerFiles
        problemList = startup.problems
        writer = DocumentWriter(written: startup.writtenRevision)
        journalStamp = storage.journal.stamp
        for problem in problems { log(.error, problem) }
        if let edit = startup.edit {
            file.text = edit.after
            writer.written = nil
        }
        commitAtStart(startup.work)
        refreshDocumentProblems()
        startWatching()
        if !problemList[.others].isEmpty { lookAgain() }
        if case .failing = file.condition { lookAgain() }
        layersRead()
        writeDocumentIfDue()
    }

    func startWatching() {
        let layers = (paths.admin + paths.vendor).map { path in
            FileWatcher.Target(path: path, events: FileWatcher.Target.saves) { [weak self] in self?.layersChanged() }
        }
        let own = [
            FileWatcher.Target(path: paths.document, events: FileWatcher.Target.saves) { [weak self] in self?.documentChanged() },
            FileWatcher.Target(path: paths.journal, events: FileWatcher.Target.writes) { [weak self] in self?.followJournal() },
        ]
        do {
            watch = try host.watch(own + layers)
            isUnwatched = false
        } catch {
            if !isUnwatched { log(.warning, "edits by hand are noticed at the next change or reload only: \(error), ignoring") }
            isUnwatched = true
        }
    }

    // MARK: Reading

    /// The user's values and the current revision, durable.
    public var document: Document { state.document }

    public var layers: Layers { state.layers }

    /// What can be undone and redone.
    public var history: History { state.ledger.history }

    var problemList: Problems {
        didSet { if problemList.all != oldValue.all { onProblemsChanged?(problems) } }
    }

    /// What is wrong now, one sentence each; empty when all is well.
    public var problems: [String] { problemList.all }

    /// What is wrong with what the document holds in place of a setting's value, in a sentence; nil: nothing.
    public func problem(of setting: Setting) -> String? {
        oddValues.first { $0.path.starts(with: setting.path) || setting.path.starts(with: $0.path) }?.message
    }

    /// Every key's effective value at the current revision.
    public var values: [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for setting in schema.settings {
            values[setting.key] = state.layers.resolve(setting, user: state.document.values[setting.key]).value
        }
        return values
    }

    /// The effective value of a key or an alias, and where it comes from.
    ///
    /// - Throws: `UnknownKey`.
    public func resolve(_ key: String) throws(SettingsError) -> ResolvedValue {
        let setting = try schema.setting(key)
        return state.layers.resolve(setting, user: state.document.values[setting.key])
    }

    /// What actions would change: new effective values by key.
    ///
    /// - Throws: what `submit` would refuse them with, except for what only the write itself can tell.
    public func preview(_ actions: [Action]) throws(SettingsError) -> [String: SettingValue] {
        let outcome = try state.reducer.reduce(
            document, history: history, actions, facts: .current(),
            refused: RefusedValues(state.ledger.kept, file.content, path: paths.document, schema: schema))
        if !outcome.edits.isEmpty, let refusal = file.condition.refusal ?? Storage.refusal(of: storage.document) { throw refusal }
        return outcome.values
    }

    /// The changes after a revision, oldest first.
    ///
    /// - Returns: `complete` false and no changes where the history does not reach back to the revision, or it is ahead.
    public func changes(since revision: UInt64) -> (revision: UInt64, complete: Bool, changes: [SettingsChange]) {
        let changes = state.ledger.changes(since: revision)
        return (document.revision, changes != nil, changes ?? [])
    }

    // MARK: Changing

    /// Carries a request out.
    ///
    /// - Parameter completion: is called on the loop once the change is durable or refused, never before `submit` returns
    ///   but at the service's end.
    public func submit(_ request: Request, completion: @escaping (Result<Commit, SettingsError>) -> Void) {
        if !finishing.isEmpty || isFinished {
            completion(.failure(SettingsError(.storageFailed, "the service is shutting down; try again")))
            return
        }
        enqueue(.request(request, completion: completion))
    }

    /// Reads every layer and the document again; what changed is stored and announced like any other change.
    public func reload() { reload {} }

    /// - Parameter completion: is called on the loop when what changed has been stored and announced.
    public func reload(completion: @escaping () -> Void) {
        lookAtLayers()
        lookAtDocument { [weak self] in
            guard let self else { return completion() }
            enqueue(.mark(completion))
        }
    }

    /// Finishes what waits, brings the document up to date and ends the second thread. What is submitted from now on is
    /// refused.
    ///
    /// - Parameter completion: is called on the loop when all is done.
    public func finish(completion: @escaping () -> Void) {
        finishing.append(completion)
        finishIfQuiet()
    }
}
