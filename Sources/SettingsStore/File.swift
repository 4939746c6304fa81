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
    ///
    /// - Parameter name: the path that the file is known by, where it is not to be the one that it is opened at.
    static func open(_ path: String, _ flags: Int32, as name: String? = nil) throws(SystemError) -> File {
        let name = name ?? path
        let descriptor = retrying { openat(AT_FDCWD, path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600 as mode_t) }
        guard descriptor >= 0 else { throw SystemError("open", name) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError("fstat", name)
            close(descriptor)
            throw error
        }
        return File(
            path: name, descriptor: descriptor, isWritable: flags & O_ACCMODE != O_RDONLY, opened: FileStatus(status))
    }

    /// Gives a file that this process has made its mode, whatever the process's umask (umask(2)) has left of it.
    func makePrivate() throws(SystemError) {
        if opened.permissions & 0o600 != 0o600 { try setPermissions(0o600) }
    }

    /// What kind of file it is; nothing changes that.
    var isRegular: Bool { opened.isRegular }

    var device: UInt64 { opened.device }
    var inode: UInt64 { opened.inode }

    /// Whether it is the file that has this status, changed or not.
    func isSameFile(as status: FileStatus) -> Bool { opened.isSameFile(as: status) }

    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path) }
        return FileStatus(status)
    }

    /// Everything from an offset to the end of the file.
    ///
    /// - Parameters:
    ///   - limit: the largest number of bytes to read.
    ///   - goesOn: is told after each part what has been read so far, and where the part begins.
    /// - Throws: `EFBIG` where there is more.
    func readToEnd(
        from start: Int = 0, limit: Int, while goesOn: ([UInt8], Int) -> Bool = { _, _ in true }
    ) throws(SystemError) -> [UInt8] {
        let expected = max(0, try status().size - start)
        var bytes: [UInt8] = []
        while true {
            guard bytes.count <= limit else { throw SystemError("read", path, code: EFBIG) }
            let filled = bytes.count
            let space = filled < expected ? min(expected - filled, Self.block) + 1 : 4096
            bytes += [UInt8](repeating: 0, count: space)
            let count = bytes.withUnsafeMutableBytes { buffer in
                retrying { pread(descriptor, buffer.baseAddress?.advanced(by: filled), space, start + filled) }
            }
            guard count >= 0 else { throw SystemError("read", path) }
            bytes.removeLast(space - count)
            if count == 0 || !goesOn(bytes, filled) { return bytes }
        }
    }

    /// The largest part that is read at once, in bytes.
    private static let block = 4 << 20

    /// The whole lines from an offset on, each with its line feed. A file may end in a hole of any size, after a torn write
    /// or by somebody's hand; of that only a part is read.
    func readLines(from start: Int = 0, limit: Int, longestLine: Int) throws(SystemError) -> [UInt8] {
        var end = 0
        var bytes = try readToEnd(from: start, limit: limit) { bytes, part in
            bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                var next = part
                while let newline = memchr(base + next, Int32(UInt8(ascii: "\n")), buffer.count - next) {
                    next = UnsafeRawPointer(newline) - base + 1
                    end = next
                }
            }
            return bytes.count - end <= longestLine
        }
        bytes.removeLast(bytes.count - end)
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

    /// Takes the file's lock (flock(2)), which goes with the file whatever becomes of its name.
    ///
    /// - Throws: `EWOULDBLOCK` where somebody else does not let go of it in time.
    func lock(until deadline: SuspendingClock.Instant) throws(SystemError) {
        var pause = 100_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw SystemError("flock", path) }
            guard SuspendingClock.now < deadline else { throw SystemError("flock", path, code: EWOULDBLOCK) }
            var time = timespec(tv_sec: 0, tv_nsec: pause)
            nanosleep(&time, nil)
            pause = min(pause * 2, 10_000_000)
        }
    }

    /// Lets go of the file's lock.
    ///
    /// - Returns: false where only closing the file does.
    func unlock() -> Bool { flock(descriptor, LOCK_UN) == 0 }

    /// Whether it is the file that stands at its path now.
    var isInPlace: Bool {
        get throws(SystemError) { try FileStatus.of(path).map(isSameFile) ?? false }
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
