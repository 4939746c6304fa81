/// When the document is brought up to date: at once when idle, at most a few times a second under load.
struct DocumentWriter {
    /// The revision that stands in the document, as far as is known; nil: none that we wrote.
    var written: UInt64?
    var isWriting = false
    /// Is called off when the time has come, or earlier.
    var isWaiting = false
    private var nextWrite: SuspendingClock.Instant?

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
}
