import Foundation

/// What clocks and calendars on a wall show at an instant.
struct WallTime: Hashable {
    var date: CalendarDate
    /// Minutes since midnight, by the numbers on the clock.
    var minute: Int
    /// Seconds east of Greenwich.
    var offset: Int

    var text: String { clockText(minute) }

    /// `+05:30`.
    var offsetText: String { (offset < 0 ? "-" : "+") + clockText(abs(offset) / 60) }
}

/// `08:05`; the end of a day is `24:00`.
func clockText(_ minute: Int) -> String {
    "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
}

/// A day of the Gregorian calendar.
struct CalendarDate: Hashable, Comparable {
    var year: Int
    var month: Int
    var day: Int

    /// Days since 1970-01-01: https://howardhinnant.github.io/date_algorithms.html, days_from_civil.
    var number: Int {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.number < right.number }

    private var weekday: String {
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        return names[(number % 7 + 7) % 7]
    }

    private var monthName: String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
            "December",
        ]
        return names[month - 1]
    }

    /// `Thursday 12 March 2026`.
    var words: String { "\(weekday) \(day) \(monthName) \(year)" }
    /// `Thu 12 Mar`.
    var short: String { "\(weekday.prefix(3)) \(day) \(monthName.prefix(3))" }
    /// `2026-03-12`.
    var text: String {
        String(format: "%04d-%02d-%02d", year, month, day)
    }

    /// - Returns: nil where the text is no day, such as `2026-02-30`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = wholeNumber(parts[0]), let month = wholeNumber(parts[1]),
            let day = wholeNumber(parts[2]),
            (1...12).contains(month), day >= 1
        else { return nil }
        self.init(year: year, month: month, day: day)
        let next = month == 12 ? CalendarDate(year: year + 1, month: 1, day: 1) : .init(year: year, month: month + 1, day: 1)
        guard self < next else { return nil }
    }

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

/// What a day is, seen from another: `tomorrow`; nil: the same.
func dayChange(_ days: Int) -> String? {
    switch days {
    case 0: nil
    case 1: "tomorrow"
    case -1: "yesterday"
    default: days > 0 ? "\(days) days later" : "\(-days) days before"
    }
}

/// The clocks of one time zone, as glibc reads them from the system's database; Foundation would bring one of its own.
///
/// The zone is chosen for the whole process (tzset(3)): for one thread alone.
struct Clocks {
    /// The file in the database; nil: the clocks here.
    let file: String?

    static let here = Clocks(file: nil)

    /// What `TZ` was at the start; it is another thing from the first choice of a zone on.
    static let variable = ProcessInfo.processInfo.environment["TZ"]

    private func select() {
        // First, since this is what keeps the value from the start.
        let variable = Self.variable
        if let text = file.map({ ":\($0)" }) ?? variable { setenv("TZ", text, 1) } else { unsetenv("TZ") }
        tzset()
    }

    /// - Parameter instant: seconds since 1970-01-01T00:00Z.
    func time(at instant: Int) -> WallTime { times(at: [instant])[0] }

    /// What they show at each of these instants.
    func times(at instants: [Int]) -> [WallTime] {
        select()
        return instants.map { instant in
            var seconds = time_t(instant)
            var parts = tm()
            localtime_r(&seconds, &parts)
            let date = CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
            return WallTime(date: date, minute: Int(parts.tm_hour * 60 + parts.tm_min), offset: Int(parts.tm_gmtoff))
        }
    }

    /// What the zone calls its times, as in `EST` and `EDT`: half a year apart.
    var names: [String] {
        select()
        let names = [0, 1].map { half in
            var seconds = time_t(1_767_225_600 + half * 181 * 86_400)
            var parts = tm()
            localtime_r(&seconds, &parts)
            return parts.tm_zone.map { String(cString: $0) } ?? ""
        }
        return names[0] == names[1] || names[1].isEmpty ? [names[0]] : names
    }

    /// Whether clocks show a time once on a day.
    enum Occurrence {
        case only
        /// They are put forward over it.
        case skipped
        /// They are put back over it.
        case repeated
    }

    /// The first instant of a time on the clock; where clocks skip it, when they have. mktime(3) leaves that open.
    ///
    /// - Returns: nil where a zone has left the day out.
    func instant(of date: CalendarDate, minute: Int) -> (instant: Int, kind: Occurrence)? {
        let day = minutes(of: date)
        guard let last = day.last else { return nil }
        if minute == 1440 { return (last + 60, .only) }
        let times = times(at: day)
        let found = zip(day, times).filter { $1.minute == minute }.map(\.0)
        if let first = found.first { return (first, found.count == 1 ? .only : .repeated) }
        return (zip(day, times).first { $1.minute > minute }?.0 ?? last + 60, .skipped)
    }

    /// The full minutes of a day, which are more or fewer than 1,440 where clocks are changed; none where a zone has left
    /// the day out.
    func minutes(of date: CalendarDate) -> [Int] {
        // No clock is further than that from Greenwich's.
        let start = date.number * 86_400 - 15 * 3600
        let around = Array(stride(from: start, to: start + (24 + 30) * 3600, by: 60))
        return zip(around, times(at: around)).filter { $1.date == date }.map(\.0)
    }
}
