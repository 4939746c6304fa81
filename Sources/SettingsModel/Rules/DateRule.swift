/// The rules for dates and times as RFC 3339 (section 5.6) writes them.
enum DateRule {
    /// Says what is wrong with a `full-date`, or nil when nothing is.
    static func dateFault(in text: String) -> String? {
        var rest = Array(text.utf8)[...]
        guard let date = date(&rest), rest.isEmpty else { return "a date is written as in 2026-02-28" }
        return dayFault(date)
    }

    /// Says what is wrong with a `date-time`, or nil when nothing is.
    static func dateTimeFault(in text: String) -> String? {
        let form = "a date with its time is written as in 2026-02-28T17:30:00Z or 2026-02-28T17:30:00+01:00"
        var rest = Array(text.utf8)[...]
        guard let date = date(&rest), take(&rest, oneOf: "Tt") != nil,
            let hour = number(&rest, 2), take(&rest, oneOf: ":") != nil,
            let minute = number(&rest, 2), take(&rest, oneOf: ":") != nil, let second = number(&rest, 2),
            takeFraction(&rest), let offset = offset(&rest), rest.isEmpty
        else { return form }
        if let fault = dayFault(date) { return fault }
        guard hour < 24, minute < 60, second <= 60 else { return "there is no such time of day" }
        let minuteOfDay = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440
        return second < 60 || minuteOfDay == 1439 ? nil : "a leap second comes only at the end of a day in UTC"
    }

    private static func dayFault(_ date: (year: Int, month: Int, day: Int)) -> String? {
        guard (1...12).contains(date.month) else { return "there is no month \(date.month)" }
        let count = CivilTime.days(inMonth: date.month, of: date.year)
        return (1...count).contains(date.day) ? nil : "that month has \(count) days"
    }

    // MARK: Parts

    private static func date(_ rest: inout ArraySlice<UInt8>) -> (year: Int, month: Int, day: Int)? {
        guard let year = number(&rest, 4), take(&rest, oneOf: "-") != nil,
            let month = number(&rest, 2), take(&rest, oneOf: "-") != nil, let day = number(&rest, 2)
        else { return nil }
        return (year, month, day)
    }

    /// Minutes that the local time is ahead of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if take(&rest, oneOf: "Zz") != nil { return 0 }
        guard let sign = take(&rest, oneOf: "+-"), let hours = number(&rest, 2), take(&rest, oneOf: ":") != nil,
            let minutes = number(&rest, 2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard take(&rest, oneOf: ".") != nil else { return true }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return !digits.isEmpty
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, oneOf signs: String) -> UInt8? {
        guard let first = rest.first, signs.utf8.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }
}
