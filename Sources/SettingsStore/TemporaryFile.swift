internal import Glibc
internal import Synchronization

/// A new file beside another one, which it is to replace.
struct TemporaryFile {
    /// The open file; in messages it goes by the name of the one that it is to replace.
    let file: File
    let path: String

    private static let count = Atomic<UInt64>(0)
    private static let suffix = ".new"

    /// - Parameter mark: becomes part of the name, for whoever finds the file after a kill; letters and digits.
    init(beside path: String, mark: String? = nil) throws(SystemError) {
        while true {
            let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
            let new = Self.prefix(path) + "\(getpid())-\(number)\(mark.map { "-" + $0 } ?? "")\(Self.suffix)"
            do {
                file = try File.open(new, O_RDWR | O_CREAT | O_EXCL, as: path)
                self.path = new
                return
            } catch  where error.code == EEXIST {
                continue
            }
        }
    }

    private static func prefix(_ path: String) -> String {
        let folder = Folder.of(path)
        return Folder.path(folder, ".\(Folder.name(path)).")
    }

    /// Removes the file after a failure, which is the one to report.
    func discard() {
        unlink(path)
    }

    /// What a daemon that was killed has left beside a file.
    struct Leftover {
        let path: String
        let mark: String?

        /// Removes the file; one that stays does no harm, and is found again.
        func remove() { unlink(path) }
    }

    /// Finds what daemons that were killed have left beside a file. Under the lock nobody else makes any.
    static func leftovers(beside path: String) throws(SystemError) -> [Leftover] {
        let prefix = Folder.name(prefix(path))
        guard let folder = opendir(Folder.of(path)) else {
            let error = SystemError("opendir", Folder.of(path))
            if error.isPassing { throw error }
            return []
        }
        defer { closedir(folder) }
        var found: [Leftover] = []
        while true {
            // The end and an error differ by that alone (readdir(3)).
            errno = 0
            guard let entry = readdir(folder) else {
                if errno == 0 { return found }
                throw SystemError("readdir", Folder.of(path))
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard name.utf8.starts(with: prefix.utf8), name.hasSuffix(suffix) else { continue }
            let parts = name.dropFirst(prefix.count).dropLast(suffix.count).split(
                separator: "-", omittingEmptySubsequences: false)
            // Anything else is somebody's own file.
            guard 2...3 ~= parts.count, parts.prefix(2).allSatisfy({ UInt64($0) != nil }) else { continue }
            found.append(Leftover(path: Folder.path(Folder.of(path), name), mark: parts.count > 2 ? String(parts[2]) : nil))
        }
    }
}
