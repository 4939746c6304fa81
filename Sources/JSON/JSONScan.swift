/// One token of JSON text, or a piece of text that is none.
struct JSONToken: Equatable {
    enum Kind: Equatable {
        case objectStart, objectEnd, arrayStart, arrayEnd, colon, comma
        /// From the quotation mark to the next one, or to the end of the text.
        case string
        /// What begins as a number does, up to the next byte that no number and no word has.
        case number
        /// `true`, `null`, or anything else made of letters.
        case word
        case other
        case end
    }

    var kind: Kind
    var range: Range<Int>
}

/// Splits a text into tokens, without a thought of whether they stand where they may.
///
/// The parser that decides about validity rounds numbers and tells no positions of values; this scan of the same text
/// finds both.
struct JSONScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var next: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        self.bytes = bytes
        next = start
    }

    /// The number of bytes that a byte order mark at the start of a text takes.
    static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The next token; at the end of the text an empty one of kind `end`.
    mutating func token() -> JSONToken {
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        let start = next
        guard start < bytes.count else { return JSONToken(kind: .end, range: start..<start) }
        next += 1
        let kind: JSONToken.Kind
        switch bytes[start] {
        case UInt8(ascii: "{"): kind = .objectStart
        case UInt8(ascii: "}"): kind = .objectEnd
        case UInt8(ascii: "["): kind = .arrayStart
        case UInt8(ascii: "]"): kind = .arrayEnd
        case UInt8(ascii: ":"): kind = .colon
        case UInt8(ascii: ","): kind = .comma
        case UInt8(ascii: "\""):
            kind = .string
            skipString()
        case let byte where Self.isLetter(byte):
            kind = .word
            while next < bytes.count, Self.isLetter(bytes[next]) || Self.isDigit(bytes[next]) { next += 1 }
        case let byte where Self.isNumberPart(byte):
            kind = .number
            while next < bytes.count, Self.isNumberPart(bytes[next]) { next += 1 }
        default:
            kind = .other
            while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
        }
        return JSONToken(kind: kind, range: start..<next)
    }

    private mutating func skipString() {
        while true {
            next += UnsafeRawBufferPointer(bytes).plainCount(from: next)
            guard next < bytes.count else { return }
            switch bytes[next] {
            case UInt8(ascii: "\""):
                next += 1
                return
            case UInt8(ascii: "\\"): next = min(next + 2, bytes.count)
            default: next += 1
            }
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F }

    private static func isNumberPart(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }
}

extension JSONNumber {
    /// Whether the grammar of numbers allows a text: `[ minus ] int [ frac ] [ exp ]` (RFC 8259, section 6).
    static func isLiteral(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix(while: JSONScan.isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
