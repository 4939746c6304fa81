internal import EventLoop
internal import JSON
internal import SettingsModel

// How the document follows the journal, and the store what somebody writes into the document.
extension SettingsStore {
    /// Whether the document at its path is not what it should be, and may be replaced.
    var isDocumentDue: Bool {
        guard file.condition == .good, pendingEdits == 0, writer.written != document.revision else { return false }
        return document.revision > 0 || !document.values.isEmpty || !state.ledger.kept.isEmpty
    }

    func writeDocumentIfDue() {
        guard isDocumentDue, !writer.isWriting, writer.timer == nil, !isFinished else { return }
        let delay = writer.delay
        if delay == .zero {
            writeDocument()
        } else {
            writer.timer = loop.schedule(after: delay) { [weak self] in
                self?.writer.timer = nil
                self?.writeDocumentIfDue()
            }
        }
    }

    func writeDocument() {
        guard !writer.isWriting else { return }
        writer.begin()
        let (storage, document, kept, known) = (storage, document, state.ledger.kept, file.content)
        // A large document takes long to read.
        let layers = hasOddValues ? state.layers : nil
        flusher.run {
            storage.write(document, kept: kept, replacing: known, judgingBy: layers)
        } completion: { write in
            self.writer.isWriting = false
            switch write {
            case .done(let text, let stamp, let oddValues):
                self.documentWritten(document, kept, text, stamp)
                if let layers, layers == self.state.layers {
                    self.oddValues = oddValues
                    self.tellOddValues()
                } else {
                    self.refreshDocumentProblems()
                }
            case .changed: self.lookAtDocument {}
            case .busy: self.writer.leaveToOthers()
            case .failed(let sentence):
                if self.writer.failed(sentence) { self.log(.error, sentence) }
                self.problemList[.lag] = [sentence]
            }
            let waiting = self.whenWritten
            self.whenWritten = []
            for work in waiting { work() }
            self.writeDocumentIfDue()
            self.finishIfQuiet()
        }
    }

    private func documentWritten(_ document: Document, _ kept: JSONObject, _ text: [UInt8], _ stamp: FileStatus?) {
        writer.succeeded(document.revision)
        file = DocumentState(
            path: paths.document, content: .text(text), stamp: stamp, text: DocumentText(document, kept: kept, schema: schema),
            condition: .good, durableRevision: max(file.durableRevision, document.revision))
        problemList[.lag] = []
        if sawDocumentChange || stamp == nil {
            sawDocumentChange = false
            documentChanged()
        }
        if needsTidying { tidyJournal() }
    }

    /// Something has happened at the document's path.
    func documentChanged() {
        guard !isFinished else { return }
        if writer.isWriting {
            // Mostly it was our own write.
            sawDocumentChange = true
        } else if storage.document.stamp() != file.stamp || file.stamp == nil {
            lookAtDocument {}
        }
    }

    /// Takes in what is at the document's path now.
    ///
    /// - Parameters:
    ///   - look: found it.
    ///   - isSettled: whether it is not just being written.
    /// - Returns: false where that must be known first.
    func take(_ content: DocumentFile.Content, _ look: Storage.Look, isSettled: Bool) -> Bool {
        if content == file.content {
            file.stamp = look.document
            if file.seen != nil { file.seen = file.mark }
            return true
        }
        let reading = look.reading ?? DocumentReading(content, path: paths.document, schema: schema)
        guard reading.text != nil || isSettled else { return false }
        if case .damaged(let sentence) = reading.condition { log(.error, sentence) }
        // Who has brought an edit up to date knows it; an older text has been put back in its place.
        let oldest = max(file.durableRevision, state.ledger.seen.flatMap { $0.mark == file.seen ? $0.revision : nil } ?? 0)
        file.condition = reading.condition
        file.content = content
        file.stamp = look.document
        file.seen = reading.text == nil ? nil : file.mark
        writer.written = nil
        guard let text = reading.text else {
            refreshDocumentProblems()
            return true
        }
        var before = file.text
        if let revision = text.revision, revision >= oldest, let values = state.ledger.values(at: revision) {
            // Another daemon has brought it up to date since it was looked at last; an edit of that is no edit of what we saw.
            if revision != file.text.revision || values == text.values { before.values = values }
            if values == text.values, look.isNormal {
                writer.written = revision
                // No edit, however late: the other may not have known yet of what we have stored since.
                file.seen = nil
                // What has put it there may not have known that it had.
                if revision == document.revision { problemList[.lag] = [] }
            }
        }
        file.text = text
        file.reading = reading
        pendingEdits += 1
        queue.insert(.edit(DocumentEdit(before: before, after: text)), at: queue.prefix { !$0.isAsked }.count)
        return true
    }

    /// Says what is wrong in the document, each thing at its place.
    func refreshDocumentProblems() {
        if let problem = file.condition.problem, file.condition.isUnread {
            oddValues = []
            problemList[.document] = [problem]
            return
        }
        let read = file.reading
        file.reading = nil
        let reading = hasOddValues ? read ?? DocumentReading(file.content, path: paths.document, schema: schema) : nil
        oddValues = reading?.oddValues(by: state.layers, values: document.values) ?? []
        tellOddValues()
    }

    /// Says what is wrong with single values. One that has been mended since is no problem any more, though the document may
    /// not have followed yet.
    func tellOddValues() {
        oddValues.removeAll { state.ledger.kept.value(at: $0.path[...]) == nil }
        problemList[.document] = [file.condition.problem].compactMap { $0 } + oddValues.map(\.message)
    }

    /// Whether the document holds values that are not in force.
    private var hasOddValues: Bool { schema.settings.contains { state.ledger.kept.value(at: $0.path[...]) != nil } }
}
