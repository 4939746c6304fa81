internal import Glibc

/// The lock that daemons of one home hold, each for one commit at a time (flock(2)). Used by one thread at a time.
final class StoreLock: @unchecked Sendable {
    let path: String
    private var held: File?

    /// How long somebody waits for the lock who has to answer within a second.
    private static let patience = Duration.milliseconds(900)

    init(path: String) { self.path = path }

    /// Takes the lock, or keeps it where it is held already.
    ///
    /// - Parameter creating: whether to make the file where it is missing. Nobody can hold a lock that is not there.
    /// - Returns: false where the file is missing or may not be opened, and is not made.
    /// - Throws: `EWOULDBLOCK` where somebody else does not let go of it in time.
    func acquire(creating: Bool = true) throws(SystemError) -> Bool {
        if held != nil { return true }
        if creating { try Folder.make(Folder.of(path)) }
        let deadline = SuspendingClock.now + Self.patience
        var pause = 100_000
        while true {
            let file: File
            do {
                file = try File.open(path, O_RDWR | (creating ? O_CREAT : 0))
            } catch {
                // Whoever may not open it cannot write the journal either.
                if !creating, error.isAbsence || error.isRefusal { return false }
                throw error
            }
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 {
                // Somebody may have removed the file and made another one meanwhile.
                if let status = try FileStatus.of(path), try status.isSameFile(as: file.status()) {
                    held = file
                    return true
                }
            } else if errno != EWOULDBLOCK && errno != EINTR {
                throw SystemError("flock", path)
            }
            guard SuspendingClock.now < deadline else { throw SystemError("flock", path, code: EWOULDBLOCK) }
            var time = timespec(tv_sec: 0, tv_nsec: pause)
            nanosleep(&time, nil)
            pause = min(pause * 2, 10_000_000)
        }
    }

    func release() {
        // Closing the file lets go of the lock; this daemon's children have not inherited it.
        held = nil
    }
}
