internal import Glibc

/// The lock that daemons of one home hold, each for one commit at a time (flock(2)). Used by one thread at a time.
final class StoreLock: @unchecked Sendable {
    let path: String
    private var file: File?
    private var isHeld = false

    /// How long to wait for a lock.
    enum Patience {
        /// Somebody waits for an answer, which has to come within a second.
        case asked
        /// There is always another time.
        case unasked

        private var duration: Duration { self == .asked ? .milliseconds(850) : .milliseconds(50) }

        /// Until when to wait, from now.
        var deadline: SuspendingClock.Instant { .now + duration }
    }

    init(path: String) { self.path = path }

    /// Takes the lock, or keeps it where it is held already.
    ///
    /// - Parameter creating: whether to make the file where it is missing. Nobody can hold a lock that is not there.
    /// - Returns: false where the file is missing or may not be opened, and is not made.
    /// - Throws: `EWOULDBLOCK` where somebody else does not let go of it in time.
    func acquire(
        creating: Bool = true, until deadline: SuspendingClock.Instant = Patience.asked.deadline
    ) throws(SystemError) -> Bool {
        if isHeld { return true }
        while true {
            if file == nil { file = try open(creating: creating) }
            guard let file else { return false }
            try file.lock(until: deadline)
            // Somebody may have removed the file, and another daemon may hold the lock on a new one.
            if try file.isInPlace {
                isHeld = true
                return true
            }
            self.file = nil
            guard SuspendingClock.now < deadline else { throw SystemError("flock", path, code: EWOULDBLOCK) }
        }
    }

    private func open(creating: Bool) throws(SystemError) -> File? {
        do {
            if creating { try Folder.make(Folder.of(path)) }
            let file = try File.open(path, O_RDWR | (creating ? O_CREAT : 0))
            if creating { try file.makePrivate() }
            return file
        } catch {
            // Whoever may not open it cannot write the journal either.
            if !creating, error.isAbsence || error.isRefusal { return nil }
            throw error
        }
    }

    func release() {
        guard isHeld, let file else { return }
        isHeld = false
        // Where it fails, closing the file lets go of the lock as well.
        if !file.unlock() { self.file = nil }
    }
}
