internal import Glibc
public import SettingsModel

extension Doctor {
    /// One thing that is wrong with a store's files.
    public struct Finding: Hashable, Sendable {
        public enum Area: String, Sendable {
            case folders
            case lock
            case document
            case journal
            case layers
        }

        public var area: Area
        /// What is wrong, where, and what to do.
        public var sentence: String
    }

    /// Looks at a store's files and changes nothing. Holds the store's lock for a moment.
    ///
    /// - Parameter isServed: whether a daemon is running, which brings the document up to date and says itself when it
    ///   cannot.
    /// - Returns: what is wrong; nothing where all is well.
    public static func examine(paths: StorePaths, schema: Schema, isServed: Bool) -> [Finding] {
        var findings = Set([paths.document, paths.journal].map(Folder.of)).sorted().flatMap(folderFaults)
        findings += fileFaults(paths.document, writeBits, otherwise: "be changed")
        for path in Set([paths.journal, paths.lock]).sorted() { findings += fileFaults(path, anyBits, otherwise: "be read") }
        findings += lockFaults(paths.lock)
        let storage = Storage(paths: paths, schema: schema)
        let startup = Startup(paths: paths, schema: schema, storage: storage)
        findings += (startup.problems[.document] + startup.problems[.access]).map { Finding(area: .document, sentence: $0) }
        findings += documentFaults(startup, storage, isServed: isServed)
        findings += startup.problems[.journal].map { Finding(area: .journal, sentence: $0) }
        findings += startup.problems[.layers].map { Finding(area: .layers, sentence: $0) }
        return findings
    }

    private static let writeBits: UInt32 = 0o022
    private static let anyBits: UInt32 = 0o077

    private static func folderFaults(_ path: String) -> [Finding] {
        do throws(StoreError) { try StorePaths.checkOwner(path) } catch {
            return [Finding(area: .folders, sentence: error.message)]
        }
        return fileFaults(path, writeBits, otherwise: "be changed")
    }

    /// What is wrong with who may do what.
    private static func fileFaults(_ path: String, _ forbidden: UInt32, otherwise danger: String) -> [Finding] {
        do throws(SystemError) {
            guard let status = try FileStatus.of(path), status.permissions & forbidden != 0 else { return [] }
            let mode = String(status.permissions, radix: 8)
            let remedy = "chmod go-\(forbidden == writeBits ? "w" : "rwx") \(path)"
            return [Finding(area: .folders, sentence: "\(path) can \(danger) by others (mode \(mode)); \(remedy)")]
        } catch {
            return [Finding(area: .folders, sentence: "\(error); \(error.remedy)")]
        }
    }

    private static func lockFaults(_ path: String) -> [Finding] {
        do throws(SystemError) {
            if try FileStatus.of(path) == nil { return [] }
            let lock = StoreLock(path: path)
            defer { lock.release() }
            if try lock.acquire(creating: false) { return [] }
            return [Finding(area: .lock, sentence: "\(path) may not be opened; make it readable and writable for this account")]
        } catch  where error.code == EWOULDBLOCK {
            return [
                Finding(
                    area: .lock,
                    sentence: "\(path) is held by another process, so that nothing can be stored; fuser \(path) names it, end it")
            ]
        } catch {
            return [Finding(area: .lock, sentence: "\(error); \(error.remedy)")]
        }
    }

    private static func documentFaults(_ startup: Startup, _ storage: Storage, isServed: Bool) -> [Finding] {
        let path = storage.document.path
        var sentences: [String] = []
        if case .text = startup.file.content {
            let reading = DocumentReading(startup.file.content, path: path, schema: startup.state.schema)
            sentences += reading.locked(by: startup.state.layers, values: startup.state.document.values).map(\.message)
        }
        if !isServed, startup.file.condition == .good, startup.edit == nil, let lag = startup.lag {
            sentences.append("\(path) \(lag); the service writes it when it starts")
        }
        return sentences.map { Finding(area: .document, sentence: $0) }
    }
}

extension Startup {
    /// What the document lacks that the journal has.
    fileprivate var lag: String? {
        let revision = state.document.revision
        if case .absent = file.content { return revision == 0 ? nil : "is missing" }
        guard let writtenRevision, writtenRevision != revision else { return nil }
        return "is at revision \(writtenRevision), the journal at \(revision)"
    }
}

extension StorePaths {
    /// Checks that the folders of document and journal are this account's own.
    ///
    /// - Throws: `foreignHome`.
    public func checkOwner() throws(StoreError) {
        for path in [document, journal] { try Self.checkOwner(Folder.of(path)) }
    }
}
