internal import Glibc

/// A moment on the clock that stands still while the machine sleeps (CLOCK_MONOTONIC), as `SuspendingClock` has it.
///
/// A short-lived program feels it where each look at the clock is arithmetic on 128 bits in the standard library, far away
/// from everything else that a start touches; hence whole nanoseconds.
public struct Moment: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's start.
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }

    /// The moment after some time, rounded up to nanoseconds; what is too far away for the clock is its last moment.
    public static func + (moment: Moment, duration: Duration) -> Moment {
        let sum = Int128(moment.nanoseconds) + (duration.attoseconds + 999_999_999) / 1_000_000_000
        return Moment(nanoseconds: Int64(max(Int128(Int64.min), min(sum, Int128(Int64.max)))))
    }

    /// The time from one moment to another.
    public static func - (end: Moment, start: Moment) -> Duration {
        Duration(attoseconds: (Int128(end.nanoseconds) - Int128(start.nanoseconds)) * 1_000_000_000)
    }

    /// Whole milliseconds from now on, rounded up; 0 where it is past.
    package var millisecondsLeft: Int32 {
        let left = nanoseconds.subtractingReportingOverflow(Moment.now.nanoseconds).partialValue
        return left <= 0 ? 0 : Int32(min((left - 1) / 1_000_000 + 1, Int64(Int32.max)))
    }
}
