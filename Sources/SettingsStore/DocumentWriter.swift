/// When the document is brought up to date: at once when idle, at most a few times a second under load.
struct DocumentWriter {
    /// The revision that stands in the document, as far as is known; nil: none that we wrote.
    var written: UInt64?
    var isWriting = false
    /// A timer is set for the next write.
    var isWaiting = false
    private var nextWrite: SuspendingClock.Instant?
    private var retryDelay = RetryDelay()

    private static let interval = Duration.milliseconds(250)

    init(written: UInt64?) { self.written = written }

    /// How long the next write has to wait from now.
    var delay: Duration {
        guard let nextWrite else { return .zero }
        return max(.zero, nextWrite - SuspendingClock.now)
    }

    mutating func begin() {
        isWriting = true
        nextWrite = SuspendingClock.now + Self.interval
    }

    mutating func succeeded(_ revision: UInt64) {
        written = revision
        retryDelay = RetryDelay()
    }

    /// Leaves a while to somebody else.
    mutating func postpone(_ delay: Duration) {
        nextWrite = SuspendingClock.now + delay
    }

    mutating func postponeRetry() { postpone(retryDelay.next()) }
}
