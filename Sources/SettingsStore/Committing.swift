internal import EventLoop
internal import SettingsModel

// How work becomes durable, and what follows from it.
extension SettingsStore {
    func enqueue(_ work: Work) {
        if case .edit = work { pendingEdits += 1 }
        queue = deferred + queue + [work]
        deferred = []
        schedulePump()
    }

    /// Everything that comes in one turn of the loop shares a flush.
    private func schedulePump() {
        guard !isBusy, !isPumpScheduled else { return }
        isPumpScheduled = true
        loop.afterTurn { [weak self] in
            self?.isPumpScheduled = false
            self?.pump()
        }
    }

    /// The largest number of pieces that share a flush, so that working them out does not hold the loop for long.
    private static let batchLimit = 512

    private func pump() {
        guard !isBusy else { return }
        guard !queue.isEmpty else {
            becomeQuiet()
            return
        }
        isBusy = true
        var batch = Batch(state, file)
        for work in queue.prefix(Self.batchLimit) { batch.add(work) }
        queue.removeFirst(min(queue.count, Self.batchLimit))
        if batch.lines.isEmpty {
            settle(batch, refusal: nil)
            return
        }
        let storage = storage
        let (lines, known, isAsked) = (batch.lines, state.ledger, batch.isAsked)
        flusher.run {
            storage.commit(lines, after: known, isAsked: isAsked)
        } completion: { refusal in
            self.settle(batch, refusal: refusal)
        }
    }

    /// Takes a batch over, or leaves everything as it was.
    private func settle(_ batch: Batch, refusal: SettingsError?) {
        if let refusal {
            fail(batch.outcomes, refusal)
        } else {
            state = batch.state
            if !batch.lines.isEmpty { problemList[.storage] = [] }
            pendingEdits -= batch.outcomes.count { if case .edit = $0.work { true } else { false } }
            tell(batch.outcomes)
            writeDocumentIfDue()
        }
        isBusy = false
        schedulePump()
    }

    /// Refuses what was to be stored, and tries again what nobody waits for.
    private func fail(_ outcomes: [Batch.Outcome], _ refusal: SettingsError) {
        var again: [Work] = []
        for outcome in outcomes {
            if outcome.work.isAsked, outcome.isStored {
                tell([Batch.Outcome(work: outcome.work, result: .failure(refusal), isStored: true)])
            } else if outcome.isStored, refusal.name == .storageFailed {
                deferred.append(outcome.work)
            } else {
                // What had nothing to do or was refused may have been so only because of what has failed.
                again.append(outcome.work)
            }
        }
        queue = again + queue
        if refusal.name == .storageFailed {
            log(.error, refusal.message)
            problemList[.storage] = [refusal.message]
        }
        if !deferred.isEmpty {
            loop.schedule(after: .seconds(2)) { [weak self] in
                guard let self, !deferred.isEmpty else { return }
                queue = deferred + queue
                deferred = []
                schedulePump()
            }
        }
    }

    /// Answers and announces outcomes in order.
    func tell(_ outcomes: [Batch.Outcome]) {
        for outcome in outcomes {
            if case .request(_, let completion) = outcome.work { completion(outcome.result) }
            if case .success(let commit) = outcome.result, commit.transaction != nil {
                onCommit?(commit, outcome.work.origin)
            }
        }
    }

    /// Takes in, before anything else, what somebody wrote into the document while no daemon ran.
    func commitAtStart(_ edit: DocumentEdit) {
        var batch = Batch(state, file)
        batch.add(.edit(edit))
        if !batch.lines.isEmpty, let refusal = storage.commit(batch.lines, after: state.ledger, isAsked: false) {
            fail(batch.outcomes, refusal)
            return
        }
        file.text = edit.after
        state = batch.state
        writer.written = nil
    }

    // MARK: Quiet

    /// Calls `completion` when nothing waits any more.
    func whenQuiet(_ completion: @escaping () -> Void) {
        waitingForQuiet.append(completion)
        schedulePump()
    }

    private func becomeQuiet() {
        let completions = waitingForQuiet
        waitingForQuiet = []
        for completion in completions { completion() }
        finishIfQuiet()
    }

    func finishIfQuiet() {
        guard !finishing.isEmpty, !isFinished else { return }
        guard !isBusy, queue.isEmpty else { return }
        if writer.isWriting { return }
        if isDocumentDue, !hasFinalWriteBegun {
            hasFinalWriteBegun = true
            writeDocument()
            return
        }
        isFinished = true
        tidyJournal {
            let completions = self.finishing
            self.finishing = []
            for completion in completions { completion() }
        }
    }

    /// Lets the journal say that the document is up to date, so that an older copy of it is known for one.
    private func tidyJournal(completion: @escaping () -> Void) {
        guard state.ledger.documentRevision < file.durableRevision else { return completion() }
        state.ledger.trim(documentRevision: file.durableRevision)
        let (storage, ledger) = (storage, state.ledger)
        flusher.run {
            storage.replaceJournal(with: ledger)
        } completion: { failure in
            if let failure { self.log(.warning, "\(failure), ignoring") }
            completion()
        }
    }
}
