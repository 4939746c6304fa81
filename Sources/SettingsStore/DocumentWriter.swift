internal import EventLoop

/// When the document is brought up to date: at once when idle, at most a few times a second under load.
struct DocumentWriter {
    /// The revision that stands in the document, as far as is known; nil: none that we wrote.
    var written: UInt64?
    var isWriting = false
    /// Set for the next write.
    var timer: Timer?
    private var lastWrite: SuspendingClock.Instant?
    /// Until when the next write is put off.
    private var putOff: SuspendingClock.Instant?
    private var retryDelay = RetryDelay()
    /// Why the last write failed.
    private var failure: String?

    private static let interval = Duration.milliseconds(250)

    init(written: UInt64?) { self.written = written }

    /// How long the next write has to wait from now.
    var delay: Duration {
        let now = SuspendingClock.now
        let earliest = max(lastWrite.map { $0 + Self.interval } ?? now, putOff ?? now)
        return max(.zero, earliest - now)
    }

    mutating func begin() {
        isWriting = true
        lastWrite = .now
        putOff = nil
    }

    mutating func succeeded(_ revision: UInt64) {
        written = revision
        retryDelay = RetryDelay()
        failure = nil
    }

    /// Leaves another daemon a while to write it.
    mutating func leaveToOthers() { putOff = .now + .milliseconds(500) }

    /// Leaves what failed a while to be mended.
    ///
    /// - Returns: whether it is another reason than the last time.
    mutating func failed(_ reason: String) -> Bool {
        defer { failure = reason }
        putOff = .now + retryDelay.next()
        return failure != reason
    }

    /// Whatever it was put off for: there is something new to write.
    mutating func hurry() {
        putOff = nil
        timer?.cancel()
        timer = nil
    }
}
