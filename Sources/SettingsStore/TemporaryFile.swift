internal import Glibc
internal import Synchronization

/// A new file beside another one, which it is to replace.
struct TemporaryFile {
    let file: File

    private static let count = Atomic<UInt64>(0)
    private static let suffix = ".new"

    init(beside path: String) throws(SystemError) {
        while true {
            let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
            do {
                file = try File.open("\(Self.prefix(path))\(getpid())-\(number)\(Self.suffix)", O_RDWR | O_CREAT | O_EXCL)
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
        unlink(file.path)
    }

    /// Removes what daemons that were killed have left beside a file. Under the lock nobody else makes any.
    static func removeStale(beside path: String) {
        let prefix = prefix(path)
        guard let folder = opendir(Folder.of(path)) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            let found = Folder.path(Folder.of(path), name)
            if found.utf8.starts(with: prefix.utf8), name.hasSuffix(suffix) { unlink(found) }
        }
    }
}
