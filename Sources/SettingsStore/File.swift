internal import Glibc

/// An open file, closed with its last reference.
final class File: Sendable {
    let path: String
    let descriptor: Int32
    /// Whether it was opened for writing.
    let isWritable: Bool
    private let opened: FileStatus

    private init(path: String, descriptor: Int32, isWritable: Bool, opened: FileStatus) {
        self.path = path
        self.descriptor = descriptor
        self.isWritable = isWritable
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
        return File(
            path: path, descriptor: descriptor, isWritable: flags & O_ACCMODE != O_RDONLY, opened: FileStatus(status))
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
        return File(path: path, descriptor: copy, isWritable: isWritable, opened: opened)
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
