internal import Glibc
internal import JSON
public import SettingsModel

/// Repairs a store's files, with or without a daemon.
public enum Doctor {
    /// Moves a damaged document to `settings.json.damaged-N` and writes a good one from the journal; likewise a journal
    /// with damaged lines, of which the good ones are kept.
    ///
    /// Holds the store's lock meanwhile. A running daemon takes the repaired files in by itself.
    ///
    /// - Returns: what was done, one sentence each; nothing where nothing was damaged.
    /// - Throws: `StorageFailed` or `ReadOnly`; nothing is lost then.
    public static func repair(paths: StorePaths, schema: Schema) throws(SettingsError) -> [String] {
        let storage = Storage(paths: paths, schema: schema)
        do {
            let content = storage.document.read()
            let reading = DocumentReading(content, path: paths.document, schema: schema)
            if !reading.condition.isUnread, try storage.journal.readAll()?.problems.isEmpty ?? true { return [] }
            if let refusal = try storage.document.folderRefusal(of: storage.document.target()) {
                throw SettingsError(.readOnly, "\(refusal), so nothing was repaired; make it writable, then try again")
            }
            _ = try storage.lock.acquire()
            defer { storage.release() }
            return try repair(storage, schema)
        } catch let error as SettingsError {
            throw error
        } catch {
            throw SettingsError(.storageFailed, "the files could not be repaired: \(error); mend that, then try again")
        }
    }

    private static func repair(_ storage: Storage, _ schema: Schema) throws(SystemError) -> [String] {
        var done: [String] = []
        let journal = try storage.journal.readAll()
        let ledger =
            journal?.ledger
            ?? Ledger(schema: schema, base: Checkpoint(document: Document(), kept: JSONObject(), documentRevision: nil))
        if let journal, !journal.problems.isEmpty {
            let aside = try moveAside(storage.journal.path)
            guard try storage.journal.replace(with: ledger.journal) else {
                throw SystemError("rename", storage.journal.path, code: EEXIST)
            }
            done.append("moved the damaged journal to \(aside) and kept its good lines in \(storage.journal.path)")
        }
        let reading = DocumentReading(try DocumentFile.load(storage.document.path), path: storage.document.path, schema: schema)
        if reading.condition.isUnread {
            let aside = try moveAside(try storage.document.target())
            let text = DocumentText.render(ledger.document, kept: ledger.kept, schema: schema)
            guard case .done = try storage.document.replace(.absent, with: text) else {
                throw SystemError("rename", storage.document.path, code: EEXIST)
            }
            let origin = journal?.ledger == nil ? "an empty one, for there is no journal" : "a good one from the journal"
            done.append("moved the damaged document to \(aside) and wrote \(origin) to \(storage.document.path)")
        }
        return done
    }

    private static func moveAside(_ path: String) throws(SystemError) -> String {
        var number = 1
        while true {
            let aside = "\(path).damaged-\(number)"
            do {
                try Folder.rename(path, to: aside, .onlyIfAbsent)
                return aside
            } catch  where error.code == EEXIST {
                number += 1
            }
        }
    }
}
