/// A number as its literal (RFC 8259, section 6), so that reading and writing it again never rounds.
public struct JSONNumber: Hashable, Sendable {
    /// The literal as it was written: `9007199254740993`, `1.0`, `1e400`.
    public let text: String

    /// - Parameter literal: a text that the grammar of numbers allows.
    init(literal: String) { text = literal }

    public init(_ number: Int64) { text = String(number) }

    public init(_ number: UInt64) { text = String(number) }

    /// The shortest literal that reads as the same number; infinities and NaN, which JSON cannot say, become `null`.
    public init(_ number: Double) { text = number.isFinite ? number.description : "null" }

    /// The number, where the literal is an integer (no fraction, no exponent) that fits, else nil.
    public var int64: Int64? { Int64(text) }

    /// The number, where the literal is an integer (no fraction, no exponent) that fits, else nil.
    public var uint64: UInt64? { UInt64(text) }

    /// The number, where it is whole and fits, however it is written: `5`, `5.0`, `5e0`; else nil.
    public var integer: Int64? {
        if let int64 { return int64 }
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 ? Array(mantissa[1]) : []
        let isNegative = mantissa[0].first == UInt8(ascii: "-")
        var digits = Array(mantissa[0].drop { $0 == UInt8(ascii: "-") } + fraction)[...]
        digits = digits.drop { $0 == UInt8(ascii: "0") }
        if digits.isEmpty { return 0 }
        guard let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0 else { return nil }
        // The digits, an integer, are to be multiplied with ten to this power.
        var (power, overflows) = exponent.subtractingReportingOverflow(fraction.count)
        while power < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            power += 1
        }
        guard !overflows, power >= 0, power <= 18, digits.count + power <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: power))
    }

    /// The nearest double; an infinity where the literal is beyond all of them.
    public var double: Double { Double(text) ?? .nan }
}
