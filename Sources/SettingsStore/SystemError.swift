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

    /// It may go well another time though nothing about the file has changed.
    var isPassing: Bool { [EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, ENOSPC, ESTALE, ETIMEDOUT].contains(code) }

    /// The file system cannot do this kind of rename.
    var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == ENOTSUP }

    /// The file or its folder may not be written.
    var isRefusal: Bool { code == EACCES || code == EPERM || code == EROFS }
}

extension SystemError {
    /// What is wrong where it keeps others from being followed: a sentence.
    var othersUnknown: String { "what others may have changed is not known: \(self); \(remedy)" }

    /// What people can do about it.
    var remedy: String {
        switch code {
        case ENOSPC, EDQUOT: "free some space there"
        case EACCES, EPERM, EROFS: "make it writable for this account"
        case EFBIG where call == "write": "raise the limit of the size of files (ulimit -f)"
        case EFBIG: "make it smaller, or move it away"
        case EIO: "check the disk"
        case EMFILE, ENFILE: "raise the limit of open files"
        case EWOULDBLOCK: "another process holds this lock, let it finish"
        default: "mend that"
        }
    }
}
