import CJansson

/// Finds the place and the words for what is wrong with a text that jansson refused.
///
/// It follows the grammar from the start to the first token that does not fit.
struct JSONDiagnosis {
    private enum Expectation {
        case root, value, key, keyOrEnd, colon, element, elementOrEnd, memberSeparator, elementSeparator, nothing
    }

    private struct Container {
        let start: JSONToken
        /// An object's keys so far.
        var keys: [Range<Int>] = []
    }

    private let bytes: [UInt8]
    private let refusal: json_error_t
    /// The offset up to which jansson read.
    private let readEnd: Int
    private var open: [Container] = []
    private var expected = Expectation.root
    private var previous = JSONToken(kind: .end, range: 0..<0)

    /// - Parameters:
    ///   - start: the offset of the first byte that jansson saw.
    ///   - refusal: what jansson said.
    static func error(in bytes: [UInt8], from start: Int, _ refusal: json_error_t) -> JSONError {
        var diagnosis = JSONDiagnosis(bytes: bytes, refusal: refusal, readEnd: start + Int(refusal.position))
        return bytes.withUnsafeBufferPointer { diagnosis.firstFault(JSONScan($0, from: start)) }
    }

    private init(bytes: [UInt8], refusal: json_error_t, readEnd: Int) {
        self.bytes = bytes
        self.refusal = refusal
        self.readEnd = min(readEnd, bytes.count)
    }

    private mutating func firstFault(_ scan: JSONScan) -> JSONError {
        var refusal = refusal
        let code = json_error_code(&refusal)
        if code == json_error_invalid_utf8, readEnd < bytes.count {
            let byte = String(bytes[readEnd], radix: 16, uppercase: true)
            return error(at: readEnd, "the byte 0x\(byte) is no UTF-8 here; save the text as UTF-8")
        }
        var scan = scan
        while true {
            let token = scan.token()
            let isKey = token.kind == .string && (expected == .key || expected == .keyOrEnd)
            if token.kind == .string, let fault = JSONStringFault.first(in: bytes[token.range], isKey: isKey) {
                return error(at: fault.offset, fault.message)
            }
            if !accept(token) { return misfit(token) }
            if token.range.upperBound >= readEnd {
                if code == json_error_duplicate_key, isKey { return duplicate(token) }
                if token.kind == .end { break }
            }
            previous = token
        }
        return error(at: readEnd, withUnsafeBytes(of: refusal.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }

    private func duplicate(_ key: JSONToken) -> JSONError {
        var error = error(at: key.range.lowerBound, "the key \(shown(key)) was given before")
        if let first = firstKey(like: key.range) {
            let place = position(first.lowerBound)
            error.message += " at \(place); give it once"
            error.otherPosition = place
        }
        return error
    }

    private func position(_ offset: Int) -> JSONPosition { JSONPosition(offset: offset, in: bytes) }

    private func error(at offset: Int, _ message: String) -> JSONError {
        JSONError(position: position(offset), message: message)
    }

    /// Takes a token that may stand where it does, and says whether it may.
    private mutating func accept(_ token: JSONToken) -> Bool {
        switch (expected, token.kind) {
        case (.keyOrEnd, .objectEnd), (.memberSeparator, .objectEnd), (.elementOrEnd, .arrayEnd), (.elementSeparator, .arrayEnd):
            open.removeLast()
            endValue()
        case (.keyOrEnd, .string), (.key, .string):
            open[open.count - 1].keys.append(token.range)
            expected = .colon
        case (.colon, .colon): expected = .value
        case (.memberSeparator, .comma): expected = .key
        case (.elementSeparator, .comma): expected = .element
        case (.root, _), (.value, _), (.element, _), (.elementOrEnd, _): return acceptValue(token)
        case (.nothing, .end): return true
        default: return false
        }
        return true
    }

    private mutating func acceptValue(_ token: JSONToken) -> Bool {
        switch token.kind {
        case .objectStart, .arrayStart:
            open.append(Container(start: token))
            expected = token.kind == .objectStart ? .keyOrEnd : .elementOrEnd
            return true
        case .number where isLiteral(token): break
        case .word where ["true", "false", "null"].contains(text(token)): break
        case .string: break
        default: return false
        }
        endValue()
        return true
    }

    private mutating func endValue() {
        switch open.last?.start.kind {
        case .objectStart: expected = .memberSeparator
        case .arrayStart: expected = .elementSeparator
        default: expected = .nothing
        }
    }

    /// What to say about the first token that may not stand where it does.
    private func misfit(_ token: JSONToken) -> JSONError {
        let offset = token.range.lowerBound
        let rest = bytes[offset...]
        if rest.first == UInt8(ascii: "#") || rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) {
            return error(at: offset, "a comment; JSON has none, remove it")
        }
        if token.kind == .end { return error(at: offset, unfinished) }
        if previous.kind == .comma, token.kind == .objectEnd || token.kind == .arrayEnd {
            return error(at: previous.range.lowerBound, "a stray comma before \(shown(token)); remove it")
        }
        if token.kind == .comma { return error(at: offset, "a stray comma; expected \(expectation)") }
        if isSeparated, token.kind != .objectEnd, token.kind != .arrayEnd, token.kind != .colon, token.kind != .other {
            return error(at: offset, "found \(shown(token)) without a comma before it; expected \(expectation)")
        }
        return error(at: offset, "found \(shown(token))\(hint(token)); expected \(expectation)")
    }

    private var isSeparated: Bool { expected == .memberSeparator || expected == .elementSeparator }

    /// What to say about a text that ends too early.
    private var unfinished: String {
        guard let container = open.last else { return "the text is empty; expected \(expectation)" }
        let name = container.start.kind == .objectStart ? "object" : "array"
        let place = position(container.start.range.lowerBound)
        return "the text ends, but the \(name) that begins at \(place) is not closed; expected \(expectation)"
    }

    private var expectation: String {
        switch expected {
        case .root: "an object or another JSON value"
        case .value, .element: "a value"
        case .key: "a key in quotation marks"
        case .keyOrEnd: "a key in quotation marks or \"}\""
        case .colon: "\":\" after the key"
        case .elementOrEnd: "a value or \"]\""
        case .memberSeparator: "\",\" or \"}\""
        case .elementSeparator: "\",\" or \"]\""
        case .nothing: "nothing after the end of the value"
        }
    }

    /// Why a token is not what its writer took it for.
    private func hint(_ token: JSONToken) -> String {
        let text = text(token)
        let wantsKey = expected == .key || expected == .keyOrEnd
        switch token.kind {
        case .word where ["true", "false", "null"].contains(text.lowercased()) && text != text.lowercased():
            return ", which is written \(text.lowercased())"
        case .word where !wantsKey: return ", which is no JSON value (text must be in quotes)"
        case .number where !wantsKey && !isLiteral(token): return ", which is no JSON number"
        case .other where text.allSatisfy({ "'`\u{2018}\u{2019}\u{201C}\u{201D}\u{201E}".contains($0) }):
            return ", but the only quotation mark of JSON is \""
        default: return ""
        }
    }

    private func isLiteral(_ token: JSONToken) -> Bool {
        bytes.withUnsafeBufferPointer { JSONNumber.isLiteral($0[token.range]) }
    }

    private func text(_ token: JSONToken) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// A token as a message shows it: strings, words and numbers as they stand, signs in quotation marks.
    private func shown(_ token: JSONToken) -> String {
        let text = text(token)
        switch token.kind {
        case .string: return text.count > 40 ? text.prefix(40) + "…\"" : text
        case .word, .number: return text.count > 40 ? text.prefix(40) + "…" : text
        default:
            guard let scalar = text.unicodeScalars.first, !scalar.isASCII || scalar.value < 0x20 || scalar.value == 0x7F else {
                return "\"\(text)\""
            }
            return JSONStringFault.reference(scalar)
        }
    }

    /// The earlier key of the innermost object that means the same text as one that jansson found to be there already.
    private func firstKey(like key: Range<Int>) -> Range<Int>? {
        let wanted = meaning(key)
        return open.last?.keys.dropLast().first { meaning($0) == wanted }
    }

    private func meaning(_ key: Range<Int>) -> ArraySlice<UInt8> {
        let written = bytes[key].dropFirst().dropLast()
        guard written.contains(UInt8(ascii: "\\")) else { return written }
        return JSONParser.decoded(string: bytes[key])
    }
}
