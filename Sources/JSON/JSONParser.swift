import CJansson
internal import CLinux

/// Parses JSON text (RFC 8259) with jansson, which decides what is valid.
public enum JSONParser {
    /// The number of levels that jansson reads (JSON_PARSER_MAX_DEPTH).
    public static let deepest = 2048

    /// The bytes of a text from which on the memory that reading took is given back at once.
    private static let largeText = 1 << 20

    /// Parses a text in UTF-8; a byte order mark at its start is passed over.
    ///
    /// Any value may be the root. Numbers keep their literals. Refused beside what the grammar forbids: the same key twice
    /// in an object, U+0000 in a key, lone surrogates, more levels than allowed.
    ///
    /// - Parameter depthLimit: the number of levels that arrays and objects may be nested, at most `deepest`.
    /// - Throws: what was found and expected at the first fault, and its position.
    public static func parse(_ bytes: [UInt8], depthLimit: Int = deepest) throws(JSONError) -> JSONDocument {
        // jansson's tree is several times as large as the text, and lies below the values, where nobody would miss it.
        defer { if bytes.count > largeText { malloc_trim(0) } }
        let start = JSONScan.start(of: bytes)
        let scan = JSONMaskedText(bytes, from: start, depthLimit: depthLimit)
        var error = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
        let tree = scan.text.withUnsafeBytes {
            json_loadb($0.baseAddress, $0.count - 1, Int(flags), &error)
        }
        defer { json_decref(tree) }
        if let tooDeep = scan.tooDeep, tree != nil || json_error_code(&error) == json_error_stack_overflow {
            throw JSONError(
                position: JSONPosition(offset: tooDeep, in: bytes),
                message: "arrays and objects are nested more than \(depthLimit) levels deep")
        }
        // jansson takes U+0000 behind the end for the end.
        guard let tree, !scan.hasStray else { throw JSONDiagnosis.error(in: bytes, from: start, error) }
        var walk = JSONTreeWalk(literals: scan.literals[...])
        return JSONDocument(root: walk.value(of: tree), bytes: bytes, starts: scan.starts)
    }

    /// The bytes that a string means, its quotation marks included in the text; none where it is not valid.
    static func decoded(string: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let tree = string.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, Int(JSON_DECODE_ANY | JSON_ALLOW_NUL), nil) }
        guard let tree else { return [] }
        defer { json_decref(tree) }
        return Array(UnsafeRawBufferPointer(start: json_string_value(tree), count: json_string_length(tree)))[...]
    }
}

/// A text in which each number is replaced by one that jansson takes as it is, since it refuses the large and rounds the
/// long ones; and what the text says about numbers and positions instead.
private struct JSONMaskedText {
    /// The text without a byte order mark, with one further byte, so that it is never empty.
    private(set) var text: [UInt8]
    /// The literals in the order of the text.
    private(set) var literals: [JSONNumber] = []
    /// Where each value begins in the text with its byte order mark.
    private(set) var starts: [UInt32] = []
    /// Where the first array or object begins that is nested too deep.
    private(set) var tooDeep: Int?
    /// Whether there is a byte in it with which no token begins.
    private(set) var hasStray = false

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
                case .colon: starts.removeLast(starts.isEmpty ? 0 : 1)  // What came before was a key and no value.
                case .objectEnd, .arrayEnd: depth -= 1
                case .comma: break
                case .other: hasStray = true
                case .string, .word: starts.append(UInt32(truncatingIfNeeded: token.range.lowerBound))
                case .objectStart, .arrayStart:
                    starts.append(UInt32(truncatingIfNeeded: token.range.lowerBound))
                    depth += 1
                    if depth > depthLimit, tooDeep == nil { tooDeep = token.range.lowerBound }
                case .number:
                    starts.append(UInt32(truncatingIfNeeded: token.range.lowerBound))
                    let literal = bytes[token.range]
                    literals.append(JSONNumber(literal: String(decoding: literal, as: UTF8.self)))
                    if JSONNumber.isLiteral(literal) { mask(token.range.lowerBound - start, token.range.count) }
                }
            }
        }
    }

    private mutating func mask(_ offset: Int, _ count: Int) {
        text[offset] = UInt8(ascii: "0")
        for index in offset + 1..<offset + count { text[index] = UInt8(ascii: " ") }
    }
}

/// Makes values of jansson's tree, in the order of the text.
private struct JSONTreeWalk {
    /// The literals of the numbers to come.
    var literals: ArraySlice<JSONNumber>

    mutating func value(of tree: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch tree.pointee.type {
        case JSON_TRUE: return .boolean(true)
        case JSON_FALSE: return .boolean(false)
        case JSON_INTEGER, JSON_REAL: return .number(literals.popFirst() ?? JSONNumber(json_number_value(tree)))
        case JSON_STRING: return .string(Self.text(json_string_value(tree), json_string_length(tree)))
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            elements.reserveCapacity(json_array_size(tree))
            for index in 0..<json_array_size(tree) {
                guard let element = json_array_get(tree, index) else { break }
                elements.append(value(of: element))
            }
            return .array(elements)
        case JSON_OBJECT:
            var members: [(key: String, value: JSONValue)] = []
            members.reserveCapacity(json_object_size(tree))
            var iterator = json_object_iter(tree)
            while let member = iterator, let content = json_object_iter_value(member) {
                let key = Self.text(json_object_iter_key(member), json_object_iter_key_len(member))
                members.append((key, value(of: content)))
                iterator = json_object_iter_next(tree, member)
            }
            return .object(JSONObject(unique: members))
        default: return .null
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
