/// Reads a JSON text in one pass.
///
/// It takes what jansson takes (but for U+0000 behind the end, which jansson takes for the end), and stops without a word at anything else; what that is, `JSONParser` asks jansson.
struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let depthLimit: Int
    private var next: Int
    /// Where each value begins in the text.
    private var starts: [UInt32] = []

    /// - Parameters:
    ///   - start: the offset behind a byte order mark.
    ///   - depthLimit: the number of levels that arrays and objects may be nested.
    /// - Returns: nil where the text is not valid.
    static func document(_ bytes: [UInt8], from start: Int, depthLimit: Int) -> JSONDocument? {
        let reading = bytes.withUnsafeBufferPointer { buffer -> (root: JSONValue, starts: [UInt32])? in
            var reader = JSONReader(bytes: buffer, depthLimit: depthLimit, next: start)
            guard let root = reader.value(depth: 0) else { return nil }
            reader.skipSpace()
            return reader.next == buffer.count ? (root, reader.starts) : nil
        }
        return reading.map { JSONDocument(root: $0.root, bytes: bytes, starts: $0.starts) }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, next: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.next = next
    }

    /// - Parameter depth: the number of arrays and objects around it.
    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard next < bytes.count else { return nil }
        starts.append(UInt32(truncatingIfNeeded: next))
        switch bytes[next] {
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "{"): return depth < depthLimit ? object(depth: depth + 1) : nil
        case UInt8(ascii: "["): return depth < depthLimit ? array(depth: depth + 1) : nil
        case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        next += 1
        var members: [(key: String, value: JSONValue)] = []
        if take(UInt8(ascii: "}")) { return .object(JSONObject()) }
        repeat {
            skipSpace()
            guard let key = string(isKey: true), take(UInt8(ascii: ":")), let value = value(depth: depth)
            else { return nil }
            members.append((key, value))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { return nil }
        return JSONObject(unique: members).map { .object($0) }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        next += 1
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            guard let element = value(depth: depth) else { return nil }
            elements.append(element)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(elements) : nil
    }

    /// - Parameter isKey: whether it is a key, which jansson takes without U+0000 only.
    private mutating func string(isKey: Bool = false) -> String? {
        guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else { return nil }
        let text = UnsafeRawBufferPointer(bytes)
        let start = next
        var isPlain = true
        next += 1
        while true {
            next += text.plainCount(from: next)
            guard next < bytes.count else { return nil }
            if bytes[next] == UInt8(ascii: "\"") { break }
            guard bytes[next] == UInt8(ascii: "\\"), next + 1 < bytes.count else { return nil }
            isPlain = false
            next += 2
        }
        next += 1
        if isPlain { return Self.valid(UnsafeRawBufferPointer(rebasing: text[start + 1..<next - 1])) }
        guard let meant = JSONParser.decoded(string: text[start..<next]), !isKey || !meant.contains(0) else { return nil }
        return meant.withUnsafeBytes(Self.valid)
    }

    /// The text that some bytes are; nil where they are not UTF-8. `String(validating:as:)` takes ten times as long.
    private static func valid(_ bytes: UnsafeRawBufferPointer) -> String? {
        var text = String(decoding: bytes, as: UTF8.self)
        // What is no UTF-8 has been replaced.
        return text.withUTF8 { bytes.hasSameContent(as: UnsafeRawBufferPointer($0)) } ? text : nil
    }

    private mutating func number() -> JSONNumber? {
        let start = next
        while next < bytes.count, JSONScan.isNumberPart(bytes[next]) { next += 1 }
        let literal = bytes[start..<next]
        return JSONNumber.isLiteral(literal) ? JSONNumber(literal: String(decoding: literal, as: UTF8.self)) : nil
    }

    /// Passes over a word, if it is there.
    private mutating func take(_ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[next...].starts(with: word) else { return false }
        next += word.count
        return true
    }

    /// Passes over space and the byte, if that is there.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next < bytes.count, bytes[next] == byte else { return false }
        next += 1
        return true
    }

    private mutating func skipSpace() {
        while next < bytes.count, JSONScan.isSpace(bytes[next]) { next += 1 }
    }
}
