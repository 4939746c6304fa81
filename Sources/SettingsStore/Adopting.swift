internal import EventLoop
public import SettingsModel

// How the store goes over to another schema while it serves.
extension SettingsStore {
    /// Goes by another schema of the same application from now on.
    ///
    /// What is under way is finished first. Journal, document and layers are read anew by the new schema; a value that it
    /// refuses has no effect and its text stays. What other effective values there are then is a transaction like that of a
    /// changed layer.
    ///
    /// - Parameter completion: is called on the loop when the store goes by it, before that transaction.
    public func adopt(_ schema: Schema, completion: @escaping () -> Void) {
        catchUp { [weak self] in
            self?.whenFree.append { [weak self] in self?.change(to: schema, completion) }
            self?.schedulePump()
        }
    }

    private func change(to schema: Schema, _ completion: @escaping () -> Void) {
        guard !isFinished else { return completion() }
        guard !writer.isWriting else {
            // It is being written as the old schema has it.
            isBusy = true
            whenWritten.append { [weak self] in
                self?.isBusy = false
                self?.change(to: schema, completion)
                self?.schedulePump()
            }
            return
        }
        let before = values
        storage.schema = schema
        let ledger = state.ledger.read(by: schema, path: paths.journal)
        let found = Startup(ledger, file.content, file.stamp, paths: paths, schema: schema)
        let durableRevision = max(file.durableRevision, found.file.durableRevision)
        state = found.state
        file = found.file
        file.durableRevision = durableRevision
        layerFiles = found.layerFiles
        problemList[.document] = found.problems[.document]
        layersRead()
        writer.written = found.writtenRevision
        // What came from files has been read anew.
        queue.removeAll(where: \.isFromFiles)
        deferred = []
        pendingEdits = 0
        completion()
        enqueue(.schema(before: before))
        if let edit = found.edit {
            file.text = edit.after
            writer.written = nil
            enqueue(.edit(edit))
        }
        refreshDocumentProblems()
    }
}
