/// A list of complete types (D-Bus specification, "Type System"); often of just one.
public struct Signature: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The type codes, such as `a{sv}`.
    public let rawValue: String

    /// Takes a signature over after checking it.
    ///
    /// - Throws: `InvalidSignature`, naming the text.
    public init(_ string: String) throws(BusError) {
        guard Self.isValid(string) else {
            throw BusError(name: .invalidSignature, message: "\"\(string)\" is not a D-Bus signature")
        }
        rawValue = string
    }

    /// Takes a signature that is written in the source; a bad one is a programming error.
    public init(stringLiteral value: String) {
        precondition(Self.isValid(value), "\"\(value)\" is not a D-Bus signature.")
        rawValue = value
    }

    /// Takes over what is valid already: the signature of a value, or a complete type of a checked signature.
    init(valid: String) {
        rawValue = valid
    }

    public var description: String { rawValue }

    /// True for exactly one complete type.
    public var isSingle: Bool {
        if Self.isOneLetter(rawValue) { return true }
        return Self.split(Array(rawValue.utf8))?.count == 1
    }

    /// Its complete types, in order.
    public var elements: [Signature] {
        let bytes = Array(rawValue.utf8)
        return (Self.split(bytes) ?? []).map { Signature(valid: String(decoding: bytes[$0], as: UTF8.self)) }
    }

    static func isValid(_ string: String) -> Bool { isOneLetter(string) || split(Array(string.utf8)) != nil }

    /// True for a complete type of one letter, as nearly all are.
    private static func isOneLetter(_ string: String) -> Bool {
        guard string.utf8.count == 1, let code = string.utf8.first else { return false }
        return isBasic(code) || code == UInt8(ascii: "v")
    }

    /// True for a type that a dictionary's key can have.
    var isBasic: Bool {
        rawValue.utf8.count == 1 && rawValue.utf8.first.map(Self.isBasic) == true
    }

    /// The ranges of the complete types, or nil where the bytes are no signature.
    private static func split(_ bytes: [UInt8]) -> [Range<Int>]? {
        guard bytes.count <= 255 else { return nil }
        var types: [Range<Int>] = []
        var position = 0
        while position < bytes.count {
            guard let end = endOfType(in: bytes, at: position, arrays: 0, structures: 0) else { return nil }
            types.append(position..<end)
            position = end
        }
        return types
    }

    private static let maximumDepth = 32

    /// Where the complete type that begins at a position ends, or nil if there is none. Arrays and structures are
    /// counted apart, each to its own limit.
    private static func endOfType(in bytes: [UInt8], at start: Int, arrays: Int, structures: Int) -> Int? {
        guard start < bytes.count, arrays <= maximumDepth, structures <= maximumDepth else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "v"):
            return start + 1
        case UInt8(ascii: "a"):
            guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") else {
                return endOfType(in: bytes, at: start + 1, arrays: arrays + 1, structures: structures)
            }
            return endOfEntry(in: bytes, at: start + 1, arrays: arrays + 1, structures: structures + 1)
        case UInt8(ascii: "("):
            var position = start + 1
            while position < bytes.count, position == start + 1 || bytes[position] != UInt8(ascii: ")") {
                guard
                    let end = endOfType(in: bytes, at: position, arrays: arrays, structures: structures + 1)
                else { return nil }
                position = end
            }
            return position < bytes.count ? position + 1 : nil
        case let code:
            return isBasic(code) ? start + 1 : nil
        }
    }

    private static func endOfEntry(in bytes: [UInt8], at start: Int, arrays: Int, structures: Int) -> Int? {
        guard start + 1 < bytes.count, isBasic(bytes[start + 1]),
            let end = endOfType(in: bytes, at: start + 2, arrays: arrays, structures: structures),
            end < bytes.count, bytes[end] == UInt8(ascii: "}")
        else { return nil }
        return end + 1
    }

    private static func isBasic(_ code: UInt8) -> Bool {
        switch Unicode.Scalar(code) {
        case "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "h": true
        default: false
        }
    }
}
