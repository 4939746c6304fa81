internal import EventLoop
internal import JSON
internal import SettingsModel

// How the store learns what others have done: another daemon in the journal, somebody in the document or a layer.
extension SettingsStore {
    /// Whether others have done something that an answer from memory would not know.
    var isBehind: Bool {
        if file.condition != .good, storage.document.stamp() != file.stamp || file.stamp == nil { return true }
        do {
            return try Journal.Stamp.of(paths.journal) != journalStamp
        } catch {
            // The commit itself says what is wrong with the file.
            return false
        }
    }

    /// Follows another daemon, where it has written something.
    func followJournal() {
        guard !isFinished else { return }
        if isBusy {
            // Mostly it was our own commit.
            sawJournalChange = true
        } else if isBehind {
            lookAtDocument {}
        }
    }

    /// Looks at journal and document and takes in what is new, when nothing else is under way.
    func lookAtDocument(completion: @escaping () -> Void) {
        looks.append(completion)
        guard looks.count == 1 else { return }
        beginLook()
    }

    private func beginLook() {
        guard !isBusy else {
            whenFree.append { [weak self] in self?.beginLook() }
            return
        }
        isBusy = true
        let completions = looks
        looks = []
        look {
            self.isBusy = false
            for completion in completions { completion() }
            self.schedulePump()
        }
    }

    /// How long a document that does not parse, or is gone, may be in the middle of being written.
    private static let settlingTime = Duration.milliseconds(100)
    private static let settlingLimit = Duration.seconds(1)

    /// Looks at journal and document; the caller has seen to it that nothing else is under way.
    func look(since start: SuspendingClock.Instant = .now, _ completion: @escaping () -> Void) {
        let storage = storage
        let (revision, stamp, known) = (document.revision, file.stamp, file.content)
        if let watch { watch.rearm() } else { startWatching() }
        flusher.run {
            storage.look(since: revision, stamp, known)
        } completion: { look in
            self.journalStamp = look.journal
            if let failure = look.failure { self.retryLook(failure) } else { self.hasFollowed() }
            if let news = look.news { self.follow(news) }
            // Another daemon's document is not to be taken for an edit.
            let content = look.failure == nil ? look.content : nil
            if let content, !self.take(content, look, isSettled: self.isSettled(content, since: start)) {
                self.loop.schedule(after: Self.settlingTime) { self.look(since: start, completion) }
                return
            }
            self.unsettled = nil
            self.refreshAccess()
            if case .failing = self.file.condition { self.lookAgain() }
            self.writeDocumentIfDue()
            completion()
        }
    }

    private func retryLook(_ failure: SystemError) {
        failedLooks += 1
        // Daemons that are busy hold the lock for a moment again and again.
        if failedLooks > 1 || !failure.isContention {
            let problem = failure.othersUnknown
            if problemList[.others] != [problem] { log(.warning, problem) }
            problemList[.others] = [problem]
        }
        lookAgain()
    }

    private func hasFollowed() {
        failedLooks = 0
        problemList[.others] = []
    }

    /// Looks again a while later, since nothing tells when a cause is gone.
    func lookAgain() {
        guard !isFollowRetryScheduled else { return }
        isFollowRetryScheduled = true
        loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self, !isFinished else { return }
            isFollowRetryScheduled = false
            if layerFiles.isFailing { lookAtLayers() }
            lookAtDocument {}
        }
    }

    /// Finds out whether the document may be replaced.
    func refreshAccess() {
        problemList[.access] = file.condition.isUnread ? [] : [Storage.accessProblem(of: storage.document)].compactMap { $0 }
    }

    /// Whether a content has stood at the path for a while.
    private func isSettled(_ content: DocumentFile.Content, since start: SuspendingClock.Instant) -> Bool {
        defer { unsettled = content }
        // What cannot be read is not just being written; it may be in the middle of being replaced.
        if content.isUnreadable, unsettled?.isUnreadable == true { return true }
        return unsettled == content || SuspendingClock.now - start > Self.settlingLimit
    }

    /// Takes in what another daemon has stored.
    func follow(_ news: Journal.News) {
        let known = document.revision
        var before = document
        problemList[.journal] = news.ledger == nil ? problemList[.journal] + news.problems : news.problems
        if var ledger = news.ledger {
            ledger.keep(state.ledger.kept)
            state.ledger = ledger
        }
        for (entry, line) in news.entries where entry.revision > known {
            if news.ledger == nil { state.ledger.record(entry, line: line) } else { state.ledger.forgetKept(entry) }
            if entry.transaction.change.origin == .layer {
                // It has seen the layers change; so do we, without a transaction of our own.
                readLayers()
                state.layers = layerFiles.layers
            }
            let transaction = entry.transaction.whole(from: before.values)
            before.apply(entry.transaction.edits)
            let commit = Commit(
                revision: entry.revision, transaction: transaction, actions: entry.actions, answers: [:])
            onCommit?(commit, entry.transaction.change.origin)
        }
        file.durableRevision = max(file.durableRevision, state.ledger.documentRevision)
        // The document is the other daemon's to write, and ours only where it does not come to it.
        writer.leaveToOthers()
    }

    // MARK: Layers

    /// Editors replace files in several steps; the layers are read when they are through.
    func layersChanged() {
        guard !isLayerLookScheduled else { return }
        isLayerLookScheduled = true
        loop.schedule(after: .milliseconds(50)) { [weak self] in
            guard let self else { return }
            isLayerLookScheduled = false
            lookAtLayers()
        }
    }

    func lookAtLayers() {
        guard !isFinished else { return }
        watch?.rearm()
        let known = problemList[.layers]
        readLayers()
        for problem in layerFiles.problems where !known.contains(problem) { log(.error, problem) }
        enqueue(.layers(layerFiles.layers))
    }

    private func readLayers() {
        layerFiles.read()
        layersRead()
    }

    /// Tells what is wrong with the layers' files, and comes back to what could not be read just now.
    func layersRead() {
        problemList[.layers] = layerFiles.problems
        if layerFiles.isFailing { lookAgain() }
    }

    /// What was written into the document for a key that was locked counts from when the key is free.
    func takeUnlockedEdits() {
        var before = file.text
        for (key, value) in file.text.values where state.layers.lock(on: key) == nil {
            let current = document.values[key]
            guard value != current, let setting = schema.setting(named: key), isKept(setting) else { continue }
            before.values[key] = current
        }
        if before.values != file.text.values { enqueue(.edit(DocumentEdit(before: before, after: file.text))) }
    }

    private func isKept(_ setting: Setting) -> Bool { state.ledger.kept.value(at: setting.path[...]) != nil }
}
