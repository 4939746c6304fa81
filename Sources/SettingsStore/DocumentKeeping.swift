internal import EventLoop
internal import SettingsModel

// How the document follows the journal, and the store the document.
extension SettingsStore {
    /// Whether the document at its path is not what it should be, and may be replaced.
    var isDocumentDue: Bool {
        guard file.condition == .good, pendingEdits == 0, writer.written != document.revision else { return false }
        return document.revision > 0
    }

    func writeDocumentIfDue() {
        guard isDocumentDue, !writer.isWriting, !writer.isWaiting, !isFinished else { return }
        let delay = writer.delay
        if delay == .zero {
            writeDocument()
        } else {
            writer.isWaiting = true
            loop.schedule(after: delay) { [weak self] in
                self?.writer.isWaiting = false
                self?.writeDocumentIfDue()
            }
        }
    }

    func writeDocument() {
        guard !writer.isWriting else { return }
        writer.begin()
        let (storage, ledger, known) = (storage, state.ledger, file.content)
        flusher.run {
            storage.write(ledger, replacing: known)
        } completion: { write in
            self.writer.isWriting = false
            switch write {
            case .done(let text):
                self.writer.written = ledger.document.revision
                self.file = DocumentState(
                    content: .text(text), text: DocumentText(ledger.document, kept: ledger.kept, schema: ledger.schema),
                    condition: .good, durableRevision: max(self.file.durableRevision, ledger.document.revision))
                self.problemList[.lag] = []
            case .edited: self.lookAtDocument {}
            case .failed(let sentence):
                if self.problemList[.lag] != [sentence] { self.log(.error, sentence) }
                self.problemList[.lag] = [sentence]
            }
            self.writeDocumentIfDue()
            self.finishIfQuiet()
        }
    }

    /// Reads the document again and takes in what somebody wrote into it.
    func lookAtDocument(completion: @escaping () -> Void) {
        let storage = storage
        flusher.run {
            storage.document.read()
        } completion: { content in
            self.take(content)
            completion()
        }
    }

    private func take(_ content: DocumentFile.Content) {
        guard content != file.content else { return }
        let reading = DocumentReading(content, path: paths.document, schema: schema)
        problemList[.document] = reading.problems + [reading.condition.problem].compactMap { $0 }
        file.condition = reading.condition
        file.content = content
        writer.written = nil
        if let text = reading.text {
            let edit = DocumentEdit(before: file.text, after: text)
            file.text = text
            enqueue(.edit(edit))
        } else {
            writeDocumentIfDue()
        }
    }

    func lookAtLayers() {
        layerFiles.read()
        for problem in layerFiles.problems where !problemList[.layers].contains(problem) { log(.warning, problem) }
        problemList[.layers] = layerFiles.problems
        if layerFiles.layers != state.layers { enqueue(.layers(layerFiles.layers)) }
    }
}
