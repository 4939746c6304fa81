import ExampleSupport
import Foundation
import SettingsCommand

/// A time that somebody has given: a day, perhaps a time of the clock, perhaps an offset. RFC 3339's form, and shorter ones.
struct GivenTime {
    var date: CalendarDate
    /// Since midnight, by the numbers on the clock.
    var second: Int
    /// Seconds east of Greenwich; nil: it is the time here.
    var offset: Int?

    /// - Returns: nil where the text is no time.
    init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "Tt ".contains($0) }.map(String.init)
        let clock = parts.count == 2 ? parts[1] : "0"
        let digits = clock.prefix { !"Zz+-".contains($0) }
        guard let date = CalendarDate(parts[0]), let second = secondOfDay(String(digits)) else { return nil }
        (self.date, self.second) = (date, second)
        let zone = clock.dropFirst(digits.count)
        switch zone.first {
        case nil: offset = nil
        case "Z", "z": if zone.count > 1 { return nil } else { offset = 0 }
        case let sign:
            guard let east = Self.offset(zone.dropFirst()) else { return nil }
            offset = sign == "-" ? -east : east
        }
    }

    /// `5`, `05`, `05:30`, `0530`.
    private static func offset(_ text: Substring) -> Int? {
        let isShort = text.count == 4 && text.allSatisfy { $0 != ":" }
        let offset = secondOfDay(isShort ? "\(text.prefix(2)):\(text.suffix(2))" : String(text))
        return offset.flatMap { $0 < 86_400 && $0 % 60 == 0 ? $0 : nil }
    }
}

/// The second of the day that a clock shows: `8`, `08:30`, `08:30:15`, `24:00`; a fraction is left out.
func secondOfDay(_ text: String) -> Int? {
    let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = whole[0].split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count <= 2 ? wholeNumber($0) : nil }
    guard numbers.count == parts.count, (1...3).contains(numbers.count), numbers.dropFirst().allSatisfy({ $0 < 60 }),
        whole.count == 1 || numbers.count == 3 && wholeNumber(whole[1]) != nil
    else { return nil }
    let second = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return second <= 86_400 ? second : nil
}

/// A number of digits alone.
func wholeNumber(_ text: some StringProtocol) -> Int? { text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }

extension Failure {
    static func noDay(_ date: CalendarDate) -> Failure {
        Failure("there was no \(date.words) here (\(ZoneDatabase().here))", status: .refused)
    }
}

extension Invocation {
    /// The system's time zones. Says so where the zone here is none of them.
    func database() -> ZoneDatabase {
        let database = ZoneDatabase()
        if let absence = database.absence {
            remark("\(absence.message)\(absence.hint.map { "; \($0)" } ?? "")")
        } else if !database.isHereKnown {
            remark("TZ is \(Clocks.variable ?? ""), a time zone that this system does not know; the time here is taken to be UTC")
        }
        return database
    }

    /// The instant that was asked for, or now. Says what was taken where clocks skip or repeat the time.
    func instant() throws(Failure) -> Int {
        guard let text = self["at"] else { return Int(Date().timeIntervalSince1970) }
        guard let given = GivenTime(text) else {
            throw .usage("\(text) is no time; one is like 2026-03-12T09:30 or 2026-03-12T09:30Z")
        }
        if let offset = given.offset { return given.date.number * 86_400 + given.second - offset }
        let minute = given.second / 60
        guard let found = Clocks.here.instant(of: given.date, minute: minute) else { throw .noDay(given.date) }
        let time = "\(clockText(minute)) on \(given.date.words)"
        switch found.kind {
        case .only: break
        case .skipped:
            let taken = Clocks.here.time(at: found.instant)
            remark("\(time) does not exist here, since clocks skip it; \(taken.text) is taken")
            return found.instant
        case .repeated:
            let first = Clocks.here.time(at: found.instant)
            remark("\(time) comes twice here; the first is taken, as \(clockText(minute))\(first.offsetText) says, too")
        }
        return found.instant + given.second % 60
    }
}
