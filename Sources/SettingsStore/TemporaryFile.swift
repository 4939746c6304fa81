internal import Glibc
internal import Synchronization

/// A new file beside another one, which it is to replace.
struct TemporaryFile {
    let file: File

    private static let count = Atomic<UInt64>(0)

    init(beside path: String) throws(SystemError) {
        let folder = Folder.of(path)
        let name = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
        while true {
            let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
            let new = "\(folder == "/" ? "" : folder)/.\(Substring(name)).\(getpid())-\(number).new"
            do {
                file = try File.open(new, O_RDWR | O_CREAT | O_EXCL)
                return
            } catch  where error.code == EEXIST {
                continue
            }
        }
    }

    /// Removes the file after a failure, which is the one to report.
    func discard() {
        unlink(file.path)
    }
}
