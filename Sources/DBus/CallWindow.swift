internal import EventLoop

/// How many calls are under way at once: as many as the bus takes the answers of within a moment.
///
/// Changes that are stored together are answered and announced together, and whatever comes next is behind all of that.
struct CallWindow {
    private(set) var size = largest
    /// Since when the bus has not taken what was answered.
    private var fullSince: Moment?

    static let largest = 64
    static let smallest = 4
    private static let patience = Duration.milliseconds(10)

    /// A call has ended, and the bus has taken what was answered.
    mutating func grow() { size = min(size + 1, Self.largest) }

    /// Takes in whether the bus does not take what was answered.
    mutating func note(isFull: Bool, at moment: @autoclosure () -> Moment = .now) {
        guard isFull != (fullSince != nil) else { return }
        let now = moment()
        if let start = fullSince { shrink(after: now - start) }
        fullSince = isFull ? now : nil
    }

    private mutating func shrink(after pause: Duration) {
        if pause > Self.patience { size = max(Self.smallest, Int(Double(size) * (Self.patience / pause))) }
    }
}
