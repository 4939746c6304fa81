internal import JSON
internal import SettingsModel

/// The files that commits go to. Used by one thread at a time: at the start by the loop's, from then on by the flusher's.
final class Storage: Sendable {
    let journal: Journal
    let document: DocumentFile

    init(paths: StorePaths) {
        journal = Journal(path: paths.journal)
        document = DocumentFile(path: paths.document)
    }

    /// Makes lines of the journal durable.
    ///
    /// - Parameters:
    ///   - known: what the journal says before them.
    ///   - isAsked: whether somebody waits who must be refused where the document cannot follow.
    /// - Returns: why nothing was stored, or nil.
    func commit(_ lines: [UInt8], after known: Ledger, isAsked: Bool) -> SettingsError? {
        do {
            if isAsked, let refusal = try document.refusal() {
                return SettingsError(
                    .readOnly, "\(refusal), so nothing was changed; make it writable, or change the settings where it comes from")
            }
            try journal.append(lines, after: known)
            return nil
        } catch {
            return SettingsError(.storageFailed, "the change could not be stored: \(error); \(error.remedy), then try again")
        }
    }

    /// Writes the whole journal anew.
    ///
    /// - Returns: what failed, or nil; the old journal is then still there, or the next commit replaces it.
    func replaceJournal(with ledger: Ledger) -> SystemError? {
        do {
            try journal.replace(with: ledger.journal)
            return nil
        } catch {
            return error
        }
    }

    enum DocumentWrite: Sendable {
        case done([UInt8])
        case edited
        /// A sentence.
        case failed(String)
    }

    /// Brings the document up to date.
    ///
    /// - Parameter known: what is at its path as far as is known.
    func write(_ ledger: Ledger, replacing known: DocumentFile.Content) -> DocumentWrite {
        let text = DocumentText.render(ledger.document, kept: ledger.kept, schema: ledger.schema)
        do {
            switch try document.replace(known, with: text) {
            case .done: return .done(text)
            case .edited: return .edited
            }
        } catch {
            return .failed(
                "the document lags behind the journal, which has every change: \(error); \(error.remedy), and it follows by itself"
            )
        }
    }
}
