internal import Glibc
internal import JSON
internal import SettingsModel

/// The store's files, as one thing that commits go to. Used by one thread at a time: at the start by the loop's, from then
/// on by the flusher's.
final class Storage: @unchecked Sendable {
    let journal: Journal
    let document: DocumentFile
    let lock: StoreLock
    /// By which documents and journals are read and written. It changes while nothing is under way.
    var schema: Schema {
        didSet { journal.schema = schema }
    }
    private var hasRecovered = false
    /// The document's stamp after the last write of ours, until something else is found. A batch that was made while the
    /// write was under way does not know it yet.
    private var ownStamp: FileStatus?
    private var clearance: DocumentFile.Clearance?

    init(paths: StorePaths, schema: Schema) {
        self.schema = schema
        journal = Journal(path: paths.journal, schema: schema)
        document = DocumentFile(path: paths.document)
        lock = StoreLock(path: paths.lock)
    }

    // MARK: The locks

    private typealias Patience = StoreLock.Patience

    /// Takes the daemons' common lock and the journal's own.
    ///
    /// - Returns: false where neither is there.
    private func acquire(creating: Bool = true, until deadline: SuspendingClock.Instant) throws(SystemError) -> Bool {
        let isHeld = try lock.acquire(creating: creating, until: deadline)
        try journal.hold(until: deadline)
        return isHeld || journal.isHeld
    }

    func release() {
        journal.release()
        lock.release()
    }

    // MARK: Looking

    /// What was found at the store's paths.
    struct Look: Sendable {
        var news: Journal.News?
        var journal: Journal.Stamp?
        /// nil where the document is as it was.
        var content: DocumentFile.Content?
        /// What the content says, where it is another one. A large one takes long to read.
        var reading: DocumentReading?
        /// Whether it is what would be written for what it says.
        var isNormal = false
        var document: FileStatus?
        /// Why others could not be followed.
        var failure: SystemError?
    }

    /// Looks for what others have done.
    ///
    /// - Parameters:
    ///   - revision: the revision up to which the journal is known.
    ///   - stamp: the document's, as far as it is known.
    ///   - known: what is at the document's path as far as is known.
    func look(since revision: UInt64, _ stamp: FileStatus?, _ known: DocumentFile.Content) -> Look {
        var look = Look()
        defer { release() }
        look.failure = lockForReading()
        let found = document.stamp()
        if found != ownStamp { ownStamp = nil }
        if found == nil || found != stamp {
            let content = document.read()
            look.content = content
            if content != known { read(content, for: &look) }
            look.document = content.isUnreadable ? nil : found
        } else {
            look.document = stamp
        }
        // A change is in the journal first and in the document then. Where no lock holds others up, the document must not be
        // the newer one of what is seen: it would pass for somebody's edit.
        do throws(SystemError) {
            if look.failure == nil { look.news = try journal.news(since: revision, until: Patience.unasked.deadline) }
        } catch {
            look.failure = error
        }
        look.journal = journal.stamp
        return look
    }

    private func read(_ content: DocumentFile.Content, for look: inout Look) {
        let reading = DocumentReading(content, path: document.path, schema: schema)
        look.reading = reading
        guard let text = reading.text, let revision = text.revision else { return }
        let normal = DocumentText.render(Document(values: text.values, revision: revision), kept: text.kept, schema: schema)
        look.isNormal = content == .text(normal)
    }

    /// Takes the locks, so that no line is seen that may be taken back again.
    func lockForReading() -> SystemError? {
        do throws(SystemError) {
            // At the start this is the first time that a lock is held.
            if try acquire(creating: false, until: Patience.unasked.deadline) { recoverIfPossible() }
            return nil
        } catch {
            return error
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
        do throws(SystemError) {
            let found = document.stamp()
            if isAsked, let refusal = try refusal(found) {
                release()
                return .refused(Self.readOnly(refusal))
            }
            if let stamp, !isKnown(found, stamp) {
                release()
                return .documentChanged
            }
            let deadline = Patience.asked.deadline
            _ = try acquire(until: deadline)
            while true {
                if let news = try journal.news(since: revision, until: deadline) { return .behind(news, journal.stamp) }
                if try store(lines, ledger) {
                    release()
                    return .done(journal.stamp)
                }
                guard ledger != nil else {
                    release()
                    return .journalGone
                }
                guard SuspendingClock.now < deadline else { throw SystemError("open", journal.path, code: ENOENT) }
            }
        } catch {
            release()
            return .refused(Self.failure(error))
        }
    }

    /// Says why the document may not be replaced, or nil where it may.
    ///
    /// - Parameter found: its stamp now.
    private func refusal(_ found: FileStatus?) throws(SystemError) -> String? {
        if let found, let clearance, try clearance.holds(found) { return nil }
        clearance = nil
        if let refusal = try document.refusal() { return refusal }
        if let found { clearance = try DocumentFile.Clearance(found, of: document) }
        return nil
    }

    /// Whether what stands at the document's path is what the caller knows, or what we have put in its place since.
    private func isKnown(_ found: FileStatus?, _ known: FileStatus?) -> Bool {
        if found == known { return true }
        return found != nil && found == ownStamp
    }

    private static func readOnly(_ refusal: String) -> SettingsError {
        SettingsError(
            .readOnly, "\(refusal), so nothing was changed; make it writable, or change the settings where it comes from")
    }

    /// What is wrong where the document may not be replaced: a sentence. Usable on any thread.
    static func accessProblem(of document: DocumentFile) -> String? {
        do {
            let refusal = try document.refusal()
            return refusal.map { "\($0), so that nothing can be changed; make it writable, or change it where it comes from" }
        } catch {
            return "\(error); \(error.remedy)"
        }
    }

    /// Says why no change would be stored, as far as it can be told beforehand. Usable on any thread.
    static func refusal(of document: DocumentFile) -> SettingsError? {
        do {
            return try document.refusal().map(readOnly)
        } catch {
            return failure(error)
        }
    }

    /// Makes lines durable, in a new file where the old one is not sound.
    ///
    /// - Returns: false where there is no file, or none any more, that they can be added to.
    private func store(_ lines: [UInt8], _ ledger: Ledger?) throws(SystemError) -> Bool {
        if !journal.isSound {
            guard let ledger, try journal.replace(with: ledger.journal) else { return false }
        }
        return try journal.append(lines)
    }

    private static func failure(_ error: SystemError) -> SettingsError {
        SettingsError(.storageFailed, "the change could not be stored: \(error); \(error.remedy), then try again")
    }

    /// Writes the whole journal anew.
    ///
    /// - Returns: `behind` is no failure: it can wait for another time.
    func replaceJournal(with ledger: Ledger) -> Outcome {
        defer { release() }
        do {
            let deadline = Patience.unasked.deadline
            _ = try acquire(until: deadline)
            if let news = try journal.news(since: ledger.document.revision, until: deadline) {
                return .behind(news, journal.stamp)
            }
            recoverIfPossible()
            return try journal.replace(with: ledger.journal) ? .done(journal.stamp) : .journalGone
        } catch {
            return .refused(Self.failure(error))
        }
    }

    /// Finds out whether changes can be stored again, and frees the journal of what a failed flush has left.
    func probe(_ ledger: Ledger) -> Outcome {
        defer { release() }
        do {
            let deadline = Patience.unasked.deadline
            _ = try acquire(until: deadline)
            if let news = try journal.news(since: ledger.document.revision, until: deadline) {
                return .behind(news, journal.stamp)
            }
            // Where somebody else has made one meanwhile, the next commit finds it.
            if journal.stamp != nil, !journal.isSound { _ = try journal.replace(with: ledger.journal) }
            let trial = try TemporaryFile(beside: journal.path)
            defer { trial.discard() }
            try trial.file.write([UInt8](repeating: 0, count: 4096), at: 0)
            try trial.file.synchronize()
            return .done(journal.stamp)
        } catch {
            return .refused(Self.failure(error))
        }
    }

    // MARK: The document

    enum DocumentWrite: Sendable {
        /// The document's stamp is nil where it has been changed again.
        case done(text: [UInt8], FileStatus?, [OddValue])
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
    ///   - layers: by which is judged what is wrong in it; nil: nothing is.
    func write(
        _ new: Document, kept: JSONObject, replacing known: DocumentFile.Content, judgingBy layers: Layers?
    ) -> DocumentWrite {
        let text = DocumentText.render(new, kept: kept, schema: schema)
        defer { release() }
        ownStamp = nil
        do {
            _ = try acquire(until: Patience.unasked.deadline)
            if try journal.hasNews { return .changed }
            try recover()
            switch try document.replace(known, with: text) {
            case .done:
                let stamp = document.stamp()
                let isThere = document.read() == .text(text)
                ownStamp = isThere ? stamp : nil
                release()
                let reading = layers.map { ($0, DocumentReading(.text(text), path: document.path, schema: schema)) }
                return .done(
                    text: text, ownStamp, reading.map { $1.oddValues(by: $0, values: new.values) } ?? [])
            case .edited: return .changed
            }
        } catch {
            if error.isContention { return .busy }
            if error.call == DocumentFile.puttingBack { hasRecovered = false }
            return .failed(
                "the document lags behind the journal, which has every change: \(error); \(error.remedy), and it follows by itself"
            )
        }
    }

    private func recoverIfPossible() {
        do {
            try recover()
        } catch {
            // It is tried again before the document is written, and told of then.
        }
    }

    /// Clears up, once and under the lock, after daemons that were killed.
    private func recover() throws(SystemError) {
        if hasRecovered { return }
        for leftover in try TemporaryFile.leftovers(beside: journal.path) { leftover.remove() }
        try document.recover()
        hasRecovered = true
    }
}
