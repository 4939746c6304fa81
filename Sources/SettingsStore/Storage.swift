internal import JSON
internal import SettingsModel

/// The store's files, as one thing that commits go to. Used by one thread at a time: at the start by the loop's, from then
/// on by the flusher's.
final class Storage: @unchecked Sendable {
    let journal: Journal
    let document: DocumentFile
    let lock: StoreLock
    private let schema: Schema
    private var hasRemovedStaleFiles = false

    init(paths: StorePaths, schema: Schema) {
        self.schema = schema
        journal = Journal(path: paths.journal, schema: schema)
        document = DocumentFile(path: paths.document)
        lock = StoreLock(path: paths.lock)
    }

    // MARK: Looking

    /// What was found at the store's paths.
    struct Look: Sendable {
        var news: Journal.News?
        var journal: Journal.Stamp?
        /// nil where the document is as it was.
        var content: DocumentFile.Content?
        var document: FileStatus?
        /// Why others could not be followed.
        var failure: SettingsError?
    }

    /// Looks for what others have done.
    ///
    /// - Parameters:
    ///   - revision: the revision up to which the journal is known.
    ///   - stamp: the document's, as far as it is known.
    func look(since revision: UInt64, _ stamp: FileStatus?) -> Look {
        var look = Look()
        defer { lock.release() }
        look.failure = lockForReading()
        do {
            if look.failure == nil { look.news = try journal.news(since: revision) }
        } catch {
            look.failure = failure(error)
        }
        look.journal = journal.stamp
        let found = document.stamp()
        if found == nil || found != stamp {
            let content = document.read()
            look.content = content
            look.document = content.isUnreadable ? nil : found
        } else {
            look.document = stamp
        }
        return look
    }

    /// Takes the lock, so that no line is seen that may be taken back again.
    func lockForReading() -> SettingsError? {
        do {
            // At the start this is the first time that the lock is held.
            if try lock.acquire(creating: false, .unasked) { removeStaleFiles() }
            return nil
        } catch {
            return failure(error)
        }
    }

    // MARK: Committing

    enum Outcome: Sendable {
        /// Done; the files' stamps are those now.
        case done(Journal.Stamp?)
        case refused(SettingsError)
        /// Others have added to the journal, which has to be followed first. The lock stays held.
        case behind(Journal.News, Journal.Stamp?)
        /// Somebody has changed the document, which has to be looked at first.
        case documentChanged
        /// The journal has to be made again, for which all of it is needed.
        case journalGone
    }

    /// Makes lines of the journal durable.
    ///
    /// - Parameters:
    ///   - revision: the one before them.
    ///   - ledger: all that comes before them, where the journal has to be made again.
    ///   - isAsked: whether somebody waits who must be refused where the document cannot follow.
    ///   - stamp: the document's, as far as it is known; the outer nil: whatever it is.
    func commit(
        _ lines: [UInt8], after revision: UInt64, _ ledger: Ledger?, isAsked: Bool, document stamp: FileStatus??
    ) -> Outcome {
        do {
            if isAsked, let refusal = try document.refusal() {
                lock.release()
                return .refused(
                    SettingsError(
                        .readOnly,
                        "\(refusal), so nothing was changed; make it writable, or change the settings where it comes from"))
            }
            if let stamp, stamp != document.stamp() {
                lock.release()
                return .documentChanged
            }
            _ = try lock.acquire()
            if let news = try journal.news(since: revision) { return .behind(news, journal.stamp) }
            defer { lock.release() }
            if !journal.isSound {
                guard let ledger else { return .journalGone }
                try journal.replace(with: ledger.journal)
            }
            try journal.append(lines)
            return .done(journal.stamp)
        } catch {
            lock.release()
            return .refused(failure(error))
        }
    }

    private func failure(_ error: SystemError) -> SettingsError {
        SettingsError(.storageFailed, "the change could not be stored: \(error); \(error.remedy), then try again")
    }

    /// Writes the whole journal anew.
    ///
    /// - Returns: `behind` is no failure: it can wait for another time.
    func replaceJournal(with ledger: Ledger) -> Outcome {
        defer { lock.release() }
        do {
            _ = try lock.acquire(.unasked)
            if let news = try journal.news(since: ledger.document.revision) { return .behind(news, journal.stamp) }
            removeStaleFiles()
            try journal.replace(with: ledger.journal)
            return .done(journal.stamp)
        } catch {
            return .refused(failure(error))
        }
    }

    /// Finds out whether changes can be stored again, and frees the journal of what a failed flush has left.
    func probe(_ ledger: Ledger) -> Outcome {
        defer { lock.release() }
        do {
            _ = try lock.acquire(.unasked)
            if let news = try journal.news(since: ledger.document.revision) { return .behind(news, journal.stamp) }
            if journal.stamp != nil, !journal.isSound { try journal.replace(with: ledger.journal) }
            let trial = try TemporaryFile(beside: journal.path)
            defer { trial.discard() }
            try trial.file.write([UInt8](repeating: 0, count: 4096), at: 0)
            try trial.file.synchronize()
            return .done(journal.stamp)
        } catch {
            return .refused(failure(error))
        }
    }

    // MARK: The document

    enum DocumentWrite: Sendable {
        /// The document's stamp is nil where it has been changed again.
        case done(text: [UInt8], FileStatus?)
        /// Others have changed the document or the journal, which has to be looked at first.
        case changed
        /// Another daemon holds the lock.
        case busy
        /// A sentence.
        case failed(String)
    }

    /// Brings the document up to date.
    ///
    /// - Parameters:
    ///   - new: what it is to say.
    ///   - kept: what it holds besides.
    ///   - known: what is at its path as far as is known.
    func write(_ new: Document, kept: JSONObject, replacing known: DocumentFile.Content) -> DocumentWrite {
        let text = DocumentText.render(new, kept: kept, schema: schema)
        defer { lock.release() }
        do {
            _ = try lock.acquire(.unasked)
            if try journal.hasNews { return .changed }
            removeStaleFiles()
            switch try document.replace(known, with: text) {
            case .done:
                let stamp = document.stamp()
                return .done(text: text, document.read() == .text(text) ? stamp : nil)
            case .edited: return .changed
            }
        } catch {
            if error.isContention { return .busy }
            return .failed(
                "the document lags behind the journal, which has every change: \(error); \(error.remedy), and it follows by itself"
            )
        }
    }

    /// Removes, once and under the lock, what daemons that were killed have left.
    private func removeStaleFiles() {
        if hasRemovedStaleFiles { return }
        hasRemovedStaleFiles = true
        TemporaryFile.removeStale(beside: journal.path)
        TemporaryFile.removeStale(beside: document.path)
    }
}
