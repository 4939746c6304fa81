internal import Glibc

/// What stat(2) says about a file.
struct FileStatus: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    private let modified: Time
    private let changed: Time

    private struct Time: Hashable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        mode = UInt32(status.st_mode)
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
        modified = Time(status.st_mtim)
        changed = Time(status.st_ctim)
    }

    /// Tells the file, and this state of it, from others in its folder, also after the machine was started again, when devices
    /// may have other numbers.
    var place: String { "\(inode)-\(changed.seconds)-\(changed.nanoseconds)" }

    var permissions: UInt32 { mode & 0o7777 }
    var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
    /// Whether whatever happens to the file from now on will show in its status. Kernels before 6.13 give all changes within
    /// up to 10 ms the same time.
    var isSettled: Bool {
        let changed = UInt64(clamping: changed.seconds) * 1_000_000 + UInt64(clamping: changed.nanoseconds / 1000)
        return changed + 20_000 < currentTime()
    }

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
