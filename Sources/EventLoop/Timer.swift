/// A one-shot timer; made by `EventLoop.schedule(after:handler:)`. The loop keeps it until it fires or is cancelled.
///
/// Loop-confined.
public final class Timer {
    /// When it is due.
    public let fireTime: Moment
    let handler: () -> Void
    let order: UInt64
    /// Where the timer is in the heap; nil when it has fired or was cancelled.
    var position: Int?
    private weak var loop: EventLoop?

    init(loop: EventLoop, fireTime: Moment, order: UInt64, handler: @escaping () -> Void) {
        self.loop = loop
        self.fireTime = fireTime
        self.order = order
        self.handler = handler
    }

    /// Takes the timer back; nothing happens when it has fired already.
    public func cancel() {
        loop?.timers.remove(self)
    }

    /// Earlier first; those due at the same moment in the order they were scheduled.
    func isBefore(_ other: Timer) -> Bool {
        fireTime == other.fireTime ? order < other.order : fireTime < other.fireTime
    }
}

/// The armed timers as a binary heap. Each timer knows its place, so that taking one back costs no search and leaves
/// nothing behind: thousands of calls with a time limit each come and go while none of them runs out.
struct TimerHeap {
    private var timers: [Timer] = []

    var first: Timer? { timers.first }

    mutating func insert(_ timer: Timer) {
        timers.append(timer)
        timer.position = timers.count - 1
        siftUp(from: timers.count - 1)
    }

    mutating func remove(_ timer: Timer) {
        guard let position = timer.position else { return }
        timer.position = nil
        let last = timers.removeLast()
        guard position < timers.count else { return }
        place(last, at: position)
        siftUp(from: position)
        siftDown(from: position)
    }

    private mutating func place(_ timer: Timer, at position: Int) {
        timers[position] = timer
        timer.position = position
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard timers[child].isBefore(timers[parent]) else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < timers.count else { return }
            let right = left + 1
            let child = right < timers.count && timers[right].isBefore(timers[left]) ? right : left
            guard timers[child].isBefore(timers[parent]) else { return }
            swap(child, parent)
            parent = child
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        let moved = timers[one]
        place(timers[other], at: one)
        place(moved, at: other)
    }
}
