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

    /// The nearest double; an infinity where the literal is beyond all of them.
    public var double: Double { Double(text) ?? .nan }
}
