internal import EventLoop
internal import SettingsModel

// How work becomes durable, and what follows from it. Whatever may change the state happens one after the other: a batch
// that is stored, a look at what others have done, a journal that is written anew. While one is under way, work waits.
extension SettingsStore {
    func enqueue(_ work: Work) {
        if case .edit = work { pendingEdits += 1 }
        queue.append(work)
        retryDeferred()
    }

    /// Tries again, before anything else, what nobody waits for and could not be stored.
    private func retryDeferred() {
        if !deferred.isEmpty { queue = deferred + queue }
        deferred = []
        schedulePump()
    }

    /// Everything that comes in one turn of the loop shares a flush.
    func schedulePump() {
        guard !isBusy, !isPumpScheduled else { return }
        isPumpScheduled = true
        loop.afterTurn { [weak self] in
            self?.isPumpScheduled = false
            self?.pump()
        }
    }

    /// The pieces, and about the bytes of the journal, that share a flush at most, and how long to work them out, so that
    /// that and telling what came of them does not hold the loop for long.
    private static let batchLimit = 256
    private static let batchSize = 256 << 10
    private static let batchTime = Duration.milliseconds(5)

    func pump() {
        // What comes again and again, as looks do that fail, lets a batch go between.
        if queue.isEmpty || !isBatchNext { serveWhenFree() }
        guard !isBusy else { return }
        isBatchNext = false
        guard !queue.isEmpty else {
            releaseLock()
            finishIfQuiet()
            return
        }
        var batch = Batch(state, pendingEdits: pendingEdits)
        let end = Moment.now + Self.batchTime
        for work in queue.prefix(Self.batchLimit) {
            batch.add(work, to: state, file)
            if batch.size >= Self.batchSize || Moment.now >= end { break }
        }
        isBusy = true
        if batch.entries.isEmpty {
            releaseLock()
            // What has nothing to do or is refused may be so only for what is not known yet.
            if looksInARow == 0, isBehind {
                looksInARow += 1
                return look { self.resume() }
            }
        }
        queue.removeFirst(batch.outcomes.count)
        if batch.entries.isEmpty { settle(batch, refusal: nil) } else { store(batch) }
    }

    private func serveWhenFree() {
        while !isBusy, !whenFree.isEmpty {
            isBatchNext = true
            whenFree.removeFirst()()
        }
    }

    private func resume() {
        isBusy = false
        pump()
    }

    /// - Parameter ledger: the state's, where the whole journal has to be written.
    private func store(_ batch: Batch, _ ledger: Ledger? = nil) {
        let (storage, lines, revision, isAsked) = (storage, batch.lines, document.revision, batch.isAsked)
        // Somebody who writes the document again and again does not hold everybody else up.
        let stamp: FileStatus?? = looksInARow < 3 && isAsked ? .some(file.stamp) : nil
        flusher.run {
            storage.commit(lines, after: revision, ledger, isAsked: isAsked, document: stamp)
        } completion: { outcome in
            self.holdsLock = false
            switch outcome {
            case .done(let stamp):
                self.journalStamp = stamp
                self.settle(batch, refusal: nil)
            case .refused(let refusal): self.settle(batch, refusal: refusal)
            case .behind(let news, let stamp):
                self.holdsLock = true
                self.journalStamp = stamp
                self.queue = batch.outcomes.map(\.work) + self.queue
                self.follow(news)
                self.resume()
            case .documentChanged:
                self.looksInARow += 1
                self.queue = batch.outcomes.map(\.work) + self.queue
                self.look { self.resume() }
            case .journalGone: self.store(batch, self.state.ledger)
            }
        }
    }

    private func releaseLock() {
        guard holdsLock else { return }
        holdsLock = false
        let storage = storage
        flusher.run({ storage.release() }, completion: {})
    }

    /// Takes a batch over, or leaves everything as it was.
    private func settle(_ batch: Batch, refusal: SettingsError?) {
        looksInARow = 0
        var isAhead = false
        if refusal?.name == .readOnly || !problemList[.access].isEmpty { refreshAccess() }
        if let refusal {
            fail(batch.outcomes, refusal)
        } else {
            let oldLayers = state.layers
            state.take(batch)
            if !batch.entries.isEmpty {
                problemList[.storage] = []
                writer.hurry()
            }
            pendingEdits -= batch.outcomes.count { $0.work.isEdit }
            answer(batch.outcomes)
            if !queue.isEmpty, !batch.entries.isEmpty, batch.outcomes.allSatisfy(\.work.isAsked) {
                // What waits is on its way to the disk while what is durable is announced, which takes a while.
                isAhead = true
                resume()
            }
            announceAnswered()
            if batch.outcomes.contains(where: \.work.isFromFiles) {
                refreshDocumentProblems()
            } else if !oddValues.isEmpty {
                tellOddValues()
            }
            if state.layers != oldLayers { takeUnlockedEdits() }
            writeDocumentIfDue()
        }
        if !isAhead {
            isBusy = false
            if sawJournalChange {
                sawJournalChange = false
                followJournal()
            }
        }
        schedulePump()
    }

    /// Refuses what was to be stored, and tries again what nobody waits for.
    func fail(_ outcomes: [Batch.Outcome], _ refusal: SettingsError) {
        var again: [Work] = []
        for outcome in outcomes {
            if case .request(_, let completion) = outcome.work, outcome.isStored {
                completion(.failure(refusal))
            } else if outcome.isStored, refusal.name == .storageFailed {
                deferred.append(outcome.work)
            } else {
                // What had nothing to do or was refused may have been so only because of what has failed.
                again.append(outcome.work)
            }
        }
        queue = again + queue
        if refusal.name == .storageFailed { beginTrouble(refusal) }
    }

    /// Answers outcomes in order; they have yet to be announced.
    func answer(_ outcomes: [Batch.Outcome]) {
        announceAnswered()
        for outcome in outcomes {
            if case .request(_, let completion) = outcome.work { completion(outcome.result) }
        }
        answered = outcomes
    }

    /// Announces in order what has been answered.
    func announceAnswered() {
        let outcomes = answered
        answered = []
        for outcome in outcomes {
            if case .mark(let completion) = outcome.work { completion() }
            if case .success(let commit) = outcome.result,
                commit.transaction != nil || commit.actions.contains(where: onlyAnnounces)
            {
                onCommit?(commit, outcome.work.origin)
            }
        }
    }

    private func onlyAnnounces(_ action: Action) -> Bool {
        schema.actions.first { $0.name == action.name }?.onlyAnnounces ?? false
    }

    /// Takes in, before anything else, what others have done to the files while no daemon ran.
    func commitAtStart(_ work: [Work]) {
        var batch = Batch(state, pendingEdits: work.count { $0.isEdit })
        for work in work { batch.add(work, to: state, file) }
        if !batch.entries.isEmpty {
            switch storage.commit(batch.lines, after: document.revision, state.ledger, isAsked: false, document: nil) {
            case .done(let stamp): journalStamp = stamp
            case .refused(let refusal):
                pendingEdits += work.count { $0.isEdit }
                fail(batch.outcomes, refusal)
                schedulePump()
                return
            case .behind(let news, let stamp):
                storage.release()
                journalStamp = stamp
                follow(news)
                for work in work { enqueue(work) }
                return
            case .documentChanged, .journalGone:
                for work in work { enqueue(work) }
                return
            }
        }
        state.take(batch)
    }
}

// MARK: Trouble

extension SettingsStore {
    /// Remembers that changes cannot be stored, and finds out by and by when they can again.
    private func beginTrouble(_ refusal: SettingsError) {
        if problemList[.storage] != [refusal.message] { log(.error, refusal.message) }
        problemList[.storage] = [refusal.message]
        guard !isProbing else { return }
        isProbing = true
        loop.schedule(after: probeDelay.next()) { [weak self] in self?.probe() }
    }

    private func probe() {
        guard !isBusy else {
            whenFree.append { [weak self] in self?.probe() }
            return
        }
        guard !isFinished, !problemList[.storage].isEmpty || !deferred.isEmpty else {
            isProbing = false
            probeDelay = RetryDelay()
            return
        }
        isBusy = true
        let (storage, ledger) = (storage, state.ledger)
        flusher.run {
            storage.probe(ledger)
        } completion: { outcome in
            self.isBusy = false
            self.isProbing = false
            switch outcome {
            case .refused(let refusal): self.beginTrouble(refusal)
            case .behind(let news, let stamp):
                self.journalStamp = stamp
                self.follow(news)
                self.endTrouble()
            case .done(let stamp):
                self.journalStamp = stamp
                self.endTrouble()
            case .documentChanged, .journalGone: break
            }
            self.schedulePump()
        }
    }

    private func endTrouble() {
        probeDelay = RetryDelay()
        problemList[.storage] = []
        retryDeferred()
    }
}

/// The pauses between attempts that fail: 1 s at first, at most 5 s.
struct RetryDelay {
    private var delay = Duration.seconds(1)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(5)) }
        return delay
    }
}
