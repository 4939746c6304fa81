/// What is wrong inside a string (RFC 8259, section 7).
struct JSONStringFault {
    let offset: Int
    let message: String

    /// Finds the first fault of a string.
    ///
    /// - Parameters:
    ///   - string: from its quotation mark to the next one, or to the end of the text.
    ///   - isKey: whether it is a key, which cannot hold U+0000.
    static func first(in string: ArraySlice<UInt8>, isKey: Bool) -> JSONStringFault? {
        var index = string.startIndex + 1
        while index < string.endIndex {
            let byte = string[index]
            switch byte {
            case UInt8(ascii: "\""): return nil
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return JSONStringFault(
                    offset: string.startIndex,
                    message: "the string is not closed on its line; expected a quotation mark, or \\n for a line break")
            case 0..<0x20:
                let hex = String(byte, radix: 16, uppercase: true)
                let escape = "\\u00" + (byte < 0x10 ? "0" : "") + hex
                return JSONStringFault(
                    offset: index, message: "\(reference(Unicode.Scalar(byte))) in a string; expected its escape \(escape)")
            case UInt8(ascii: "\\"):
                if let message = escapeFault(string[index...], isKey: isKey) {
                    return JSONStringFault(offset: index, message: message)
                }
                index += escapeLength(string[index...])
            default: index += 1
            }
        }
        return JSONStringFault(
            offset: string.startIndex, message: "the text ends, but this string is not closed; expected a quotation mark")
    }

    /// A character as people refer to it: `U+00A0 NO-BREAK SPACE`.
    static func reference(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let name = scalar.properties.generalCategory == .control ? "control character" : scalar.properties.name
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + (name.map { " \($0)" } ?? "")
    }

    private static func escapeFault(_ text: ArraySlice<UInt8>, isKey: Bool) -> String? {
        guard let letter = text.dropFirst().first else { return nil }
        if "\"\\/bfnrt".utf8.contains(letter) { return nil }
        guard letter == UInt8(ascii: "u") else {
            return "a backslash with nothing to escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
        }
        guard let unit = codeUnit(text) else { return "\\u is not followed by four hexadecimal digits" }
        switch unit {
        case 0 where isKey: return "the key holds U+0000, which cannot be read"
        case 0xDC00...0xDFFF: return "the second half of a surrogate pair without its first half before it"
        case 0xD800...0xDBFF:
            let next = text.dropFirst(6)
            if next.starts(with: "\\u".utf8), let low = codeUnit(next), (0xDC00...0xDFFF).contains(low) { return nil }
            return "the first half of a surrogate pair without its second half after it"
        default: return nil
        }
    }

    /// The number of bytes that a faultless escape takes, both halves of a surrogate pair together.
    private static func escapeLength(_ text: ArraySlice<UInt8>) -> Int {
        guard let unit = codeUnit(text) else { return 2 }
        return (0xD800...0xDBFF).contains(unit) ? 12 : 6
    }

    /// The number that the four digits of an escape `\uXXXX` at the start of a text mean.
    private static func codeUnit(_ text: ArraySlice<UInt8>) -> UInt32? {
        let digits = text.dropFirst(2).prefix(4)
        guard text.dropFirst().first == UInt8(ascii: "u"), digits.count == 4 else { return nil }
        // The initializer takes a sign too.
        guard digits.first != UInt8(ascii: "+") && digits.first != UInt8(ascii: "-") else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
