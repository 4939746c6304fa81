import CJansson

/// Parses JSON text (RFC 8259). jansson decides what is valid; `JSONReader` reads that much faster, and without rounding.
public enum JSONParser {
    /// The number of levels that jansson reads (JSON_PARSER_MAX_DEPTH).
    public static let deepest = 2048

    /// Parses a text in UTF-8; a byte order mark at its start is passed over.
    ///
    /// Any value may be the root. Numbers keep their literals. Refused beside what the grammar forbids: the same key twice
    /// in an object, U+0000 in a key, lone surrogates, more levels than allowed.
    ///
    /// - Parameter depthLimit: the number of levels that arrays and objects may be nested, at most `deepest`.
    /// - Throws: what was found and expected at the first fault, and its position.
    public static func parse(_ bytes: [UInt8], depthLimit: Int = deepest) throws(JSONError) -> JSONDocument {
        let start = JSONScan.start(of: bytes)
        if let document = JSONReader.document(bytes, from: start, depthLimit: depthLimit) { return document }
        let scan = JSONMaskedText(bytes, from: start, depthLimit: depthLimit)
        let complaint = complaint(about: scan)
        if let tooDeep = scan.tooDeep, complaint.map(\.isOfDepth) ?? true {
            throw JSONError(
                position: JSONPosition(offset: tooDeep, in: bytes),
                message: "arrays and objects are nested more than \(depthLimit) levels deep")
        }
        throw JSONDiagnosis.error(in: bytes, from: start, complaint ?? json_error_t())
    }

    /// Whether jansson takes a text, too.
    static func isTakenByJansson(_ bytes: [UInt8]) -> Bool {
        complaint(about: JSONMaskedText(bytes, from: JSONScan.start(of: bytes), depthLimit: deepest)) == nil
    }

    /// What jansson says about a text; nil where it takes it.
    private static func complaint(about scan: JSONMaskedText) -> json_error_t? {
        var error = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
        let tree = scan.text.withUnsafeBytes { json_loadb($0.baseAddress, $0.count - 1, Int(flags), &error) }
        defer { json_decref(tree) }
        return tree == nil ? error : nil
    }

    /// The bytes that a string means, its quotation marks included in the text; nil where it is not valid.
    static func decoded(string: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        let text = UnsafeRawBufferPointer(rebasing: string)
        guard let tree = json_loadb(text.baseAddress, text.count, Int(JSON_DECODE_ANY | JSON_ALLOW_NUL), nil) else { return nil }
        defer { json_decref(tree) }
        return Array(UnsafeRawBufferPointer(start: json_string_value(tree), count: json_string_length(tree)))
    }
}

extension json_error_t {
    fileprivate var isOfDepth: Bool {
        var error = self
        return json_error_code(&error) == json_error_stack_overflow
    }
}

/// A text in which each number is replaced by one that jansson takes as it is, since it refuses the large; and what jansson
/// does not tell.
private struct JSONMaskedText {
    /// The text without a byte order mark, with one further byte, so that it is never empty.
    private(set) var text: [UInt8]
    /// Where the first array or object begins that is nested too deep.
    private(set) var tooDeep: Int?

    init(_ bytes: [UInt8], from start: Int, depthLimit: Int) {
        text = Array(bytes[start...])
        text.append(0)
        bytes.withUnsafeBufferPointer { bytes in
            var scan = JSONScan(bytes, from: start)
            var depth = 0
            while true {
                let token = scan.token()
                switch token.kind {
                case .end: return
                case .objectEnd, .arrayEnd: depth -= 1
                case .colon, .comma, .string, .word, .other: break
                case .objectStart, .arrayStart:
                    depth += 1
                    if depth > depthLimit, tooDeep == nil { tooDeep = token.range.lowerBound }
                case .number:
                    if JSONNumber.isLiteral(bytes[token.range]) { mask(token.range.lowerBound - start, token.range.count) }
                }
            }
        }
    }

    private mutating func mask(_ offset: Int, _ count: Int) {
        text[offset] = UInt8(ascii: "0")
        for index in offset + 1..<offset + count { text[index] = UInt8(ascii: " ") }
    }
}
