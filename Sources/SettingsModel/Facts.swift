/// What actions may ask about the world beside the settings, found out once a request: whoever judges the request again
/// gets the same answers.
public struct Facts: Hashable, Sendable {
    /// Microseconds since the epoch.
    public var time: UInt64
    /// Random bits, from which the request's UUIDs are made.
    public var seed: [UInt64]

    /// - Parameters:
    ///   - time: microseconds since the epoch.
    ///   - seed: 128 random bits.
    public init(time: UInt64, seed: (UInt64, UInt64)) {
        self.time = time
        self.seed = [seed.0, seed.1]
    }

    /// - Parameters:
    ///   - time: microseconds since the epoch.
    ///   - seed: 128 random bits that others share.
    ///   - number: another one for each of them; what is made of the bits looks unrelated.
    public init(time: UInt64, seed: (UInt64, UInt64), number: UInt64) {
        self.init(time: time, seed: (Self.mixed(seed.0 &+ number), Self.mixed(seed.1 &+ number)))
    }

    /// The next UUID, of version 4 (RFC 9562, section 5.4); each is another one.
    mutating func nextUUID() -> String {
        // Two streams of SplitMix64, whose every step is another number.
        for index in seed.indices { seed[index] &+= 0x9E37_79B9_7F4A_7C15 }
        let high = Self.mixed(seed[0]) & ~0xF000 | 0x4000
        let low = Self.mixed(seed[1]) & ~(0b11 << 62) | 0b10 << 62
        let digits = Self.hex(high) + Self.hex(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The time as a value that a rule takes: RFC 3339 text in UTC, or microseconds since the epoch; nil where neither fits.
    func now(for rule: ValueRule) -> SettingValue? {
        switch rule {
        case .string(let rule):
            .string(rule.format == .date ? String(CivilTime.text(of: time).prefix(10)) : CivilTime.text(of: time))
        case .integer: Int64(exactly: time).map(SettingValue.integer)
        case .number: .number(Double(time))
        default: nil
        }
    }
}

/// The calendar that RFC 3339 uses.
enum CivilTime {
    /// The text of a time in UTC: `2026-02-28T17:30:00.000001Z`.
    ///
    /// - Parameter time: microseconds since the epoch.
    static func text(of time: UInt64) -> String {
        let seconds = Int(time / 1_000_000)
        let (year, month, day) = date(ofDay: seconds / 86_400)
        let clock = seconds % 86_400
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let ofDay = [clock / 3600, clock / 60 % 60, clock % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(ofDay).\(padded(Int(time % 1_000_000), 6))Z"
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// - Parameter day: days since the epoch, 0 or more.
    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        // The calendar repeats every 400 years, which have 146,097 days.
        var year = 1970 + day / 146_097 * 400
        var rest = day % 146_097
        while rest >= (isLeap(year) ? 366 : 365) {
            rest -= isLeap(year) ? 366 : 365
            year += 1
        }
        var month = 1
        while rest >= days(inMonth: month, of: year) {
            rest -= days(inMonth: month, of: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
