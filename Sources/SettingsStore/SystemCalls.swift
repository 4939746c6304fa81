internal import CLinux
internal import Glibc

/// A system call that failed, and on what.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let call: String
    let path: String
    /// The `errno` value.
    let code: Int32

    /// Takes the calling thread's `errno`.
    init(_ call: String, _ path: String) {
        self.init(call, path, code: errno)
    }

    init(_ call: String, _ path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    var description: String { "\(path): \(reason) (\(call))" }

    /// Nothing stands at the path.
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// Somebody else holds a lock.
    var isContention: Bool { call == "flock" && code == EWOULDBLOCK }

    /// The file or its folder may not be written.
    var isRefusal: Bool { code == EACCES || code == EPERM || code == EROFS }
}

/// What stat(2) says about a file.
struct FileStatus: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    private let modified: [Int]

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        mode = UInt32(status.st_mode)
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
        modified = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }

    var permissions: UInt32 { mode & 0o7777 }
    var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
    /// Whether the two are the same file, changed or not.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

    /// The status of what stands at a path, or nil where there is nothing.
    ///
    /// - Parameter followingLinks: whether a link at the end of the path counts as what it points at.
    static func of(_ path: String, followingLinks: Bool = true) throws(SystemError) -> FileStatus? {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        if result == 0 { return FileStatus(status) }
        let error = SystemError("stat", path)
        if error.isAbsence { return nil }
        throw error
    }
}

/// An open file, closed with its last reference.
final class File: Sendable {
    let path: String
    let descriptor: Int32
    private let opened: FileStatus

    private init(path: String, descriptor: Int32, opened: FileStatus) {
        self.path = path
        self.descriptor = descriptor
        self.opened = opened
    }

    deinit { close(descriptor) }

    /// Opens a file without ever waiting for one (a fifo has no other end to wait for).
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> File {
        let descriptor = retrying { openat(AT_FDCWD, path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode) }
        guard descriptor >= 0 else { throw SystemError("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError("fstat", path)
            close(descriptor)
            throw error
        }
        return File(path: path, descriptor: descriptor, opened: FileStatus(status))
    }

    /// What kind of file it is; nothing changes that.
    var isRegular: Bool { opened.isRegular }

    var device: UInt64 { opened.device }
    var inode: UInt64 { opened.inode }

    /// Whether it is the file that has this status, changed or not.
    func isSameFile(as status: FileStatus) -> Bool { opened.isSameFile(as: status) }

    /// The same open file, known by the path that it has been given since.
    func renamed(to path: String) throws(SystemError) -> File {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("fcntl", path) }
        return File(path: path, descriptor: copy, opened: opened)
    }

    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path) }
        return FileStatus(status)
    }

    /// Everything from an offset to the end of the file.
    func readToEnd(from start: Int = 0) throws(SystemError) -> [UInt8] {
        let expected = max(0, try status().size - start)
        var bytes = [UInt8](repeating: 0, count: expected + 1)
        var filled = 0
        while true {
            if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: max(4096, filled))) }
            let count = bytes.withUnsafeMutableBytes { buffer in
                retrying { pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, start + filled) }
            }
            guard count >= 0 else { throw SystemError("read", path) }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Writes all of the bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying {
                    pwrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written, offset + written)
                }
            }
            guard count >= 0 else { throw SystemError("write", path) }
            written += count
        }
    }

    /// Returns when the content has reached the disk.
    func synchronize() throws(SystemError) {
        guard retrying({ fdatasync(descriptor) }) == 0 else { throw SystemError("fdatasync", path) }
    }

    func truncate(to size: Int) throws(SystemError) {
        guard retrying({ ftruncate(descriptor, size) }) == 0 else { throw SystemError("ftruncate", path) }
    }

    func setPermissions(_ permissions: UInt32) throws(SystemError) {
        guard fchmod(descriptor, permissions) == 0 else { throw SystemError("fchmod", path) }
    }

    func setGroup(_ group: UInt32) throws(SystemError) {
        guard fchown(descriptor, uid_t.max, group) == 0 else { throw SystemError("fchown", path) }
    }
}

/// What happens to the names of files.
enum Folder {
    /// The folder that a path's last part stands in.
    static func of(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path's last part.
    static func name(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The path of a name in a folder.
    static func path(_ folder: String, _ name: String) -> String { folder == "/" ? "/" + name : folder + "/" + name }

    /// Makes a folder and those above it that are missing, each durable and for this account alone.
    static func make(_ path: String) throws(SystemError) {
        if try FileStatus.of(path) != nil { return }
        let parent = of(path)
        if parent != path { try make(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir", path) }
        do {
            try synchronize(parent)
        } catch {
            // Made again, and durably then, the next time.
            rmdir(path)
            throw error
        }
    }

    /// Returns when the names in a folder have reached the disk.
    static func synchronize(_ path: String) throws(SystemError) {
        let folder = try File.open(path, O_RDONLY | O_DIRECTORY)
        guard retrying({ fsync(folder.descriptor) }) == 0 else { throw SystemError("fsync", path) }
    }

    enum Rename {
        case replacing
        case exchanging
        case onlyIfAbsent
    }

    static func rename(_ old: String, to new: String, _ kind: Rename) throws(SystemError) {
        let flags: UInt32 =
            switch kind {
            case .replacing: 0
            case .exchanging: UInt32(LINUX_RENAME_EXCHANGE)
            case .onlyIfAbsent: UInt32(LINUX_RENAME_NOREPLACE)
            }
        guard linux_renameat2(AT_FDCWD, old, AT_FDCWD, new, flags) == 0 else { throw SystemError("rename", new) }
    }

    static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path) }
    }

    /// Whether this account may write a file, or add and replace names in a folder. One without any write bit says no to
    /// the superuser too.
    static func isWritable(_ path: String, _ status: FileStatus) throws(SystemError) -> Bool {
        if status.permissions & 0o222 == 0 { return false }
        if faccessat(AT_FDCWD, path, status.isFolder ? W_OK | X_OK : W_OK, AT_EACCESS) == 0 { return true }
        let error = SystemError("access", path)
        if error.isRefusal { return false }
        throw error
    }

    /// The path that a symbolic link points at, or nil where none stands at the path.
    static func destination(of path: String) throws(SystemError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        if count < 0 {
            let error = SystemError("readlink", path)
            if error.code == EINVAL || error.isAbsence { return nil }
            throw error
        }
        let destination = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return destination.utf8.first == UInt8(ascii: "/") ? destination : Folder.path(of(path), destination)
    }
}

/// Repeats a call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// Microseconds since the epoch.
func currentTime() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
}

extension SystemError {
    /// What people can do about it.
    var remedy: String {
        switch code {
        case ENOSPC, EDQUOT: "free some space there"
        case EACCES, EPERM, EROFS: "make it writable for this account"
        case EIO: "check the disk"
        case EMFILE, ENFILE: "raise the limit of open files"
        case EWOULDBLOCK: "another process holds this lock, let it finish"
        default: "mend that"
        }
    }
}
