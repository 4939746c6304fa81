internal import EventLoop
internal import SettingsModel

// How the store comes to rest: between changes, and for good.
extension SettingsStore {
    /// Brings the document up to date at once, as before the service gives its name to another, and goes on serving.
    ///
    /// - Parameter completion: is called on the loop when what waits now is done and the document is up to date, or cannot be.
    public func catchUp(completion: @escaping () -> Void) {
        catchUp(writes: 3, completion)
    }

    private func catchUp(writes: Int, _ completion: @escaping () -> Void) {
        let next = Work.mark { [weak self] in
            guard let self, writes > 0, isDocumentDue else { return completion() }
            // A write that is under way may be of an older revision.
            whenWritten.append { [weak self] in self?.catchUp(writes: writes - 1, completion) }
            writeDocument()
        }
        enqueue(next)
    }

    func finishIfQuiet() {
        guard !finishing.isEmpty, !isFinished, !isBusy, queue.isEmpty, !writer.isWriting else { return }
        if isDocumentDue, finalWrites < 3 {
            finalWrites += 1
            writeDocument()
            return
        }
        if state.ledger.documentRevision < file.durableRevision, !hasFinalTidyingBegun {
            // An older copy that is put back later is then known for one.
            hasFinalTidyingBegun = true
            tidyJournal()
            return
        }
        isFinished = true
        watch = nil
        let completions = finishing
        finishing = []
        for completion in completions { completion() }
    }

    /// What has not come to its end since `finish`, a sentence; nil where all has.
    public var unfinished: String? {
        if isFinished { return nil }
        return "the disk of \(paths.document) has not answered in time; it may be behind revision \(document.revision), which "
            + "the journal has, and follows at the next start; what is not answered yet may not be stored"
    }

    // MARK: The journal's size

    /// Whether the journal is well over its limit, or its beginning does not tell any more what the document keeps.
    var needsTidying: Bool {
        state.ledger.isOverLimit || !state.ledger.lines.isEmpty && state.ledger.isKeptNews
    }

    /// Writes the journal anew: within its limit, and with a beginning that says how far the document is.
    func tidyJournal() {
        guard !isBusy else {
            whenFree.append { [weak self] in self?.tidyJournal() }
            return
        }
        isBusy = true
        var ledger = state.ledger
        ledger.trim(documentRevision: file.durableRevision)
        let (storage, tidied) = (storage, ledger)
        flusher.run {
            storage.replaceJournal(with: tidied)
        } completion: { outcome in
            switch outcome {
            case .done(let stamp):
                self.state.ledger = tidied
                self.journalStamp = stamp
            case .refused(let failure): self.log(.warning, "\(failure.message), ignoring")
            case .behind(let news, let stamp):
                self.journalStamp = stamp
                self.follow(news)
            case .documentChanged, .journalGone: break
            }
            self.isBusy = false
            self.schedulePump()
        }
    }
}
