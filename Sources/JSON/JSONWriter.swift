/// Writes JSON text: UTF-8, only what must be escaped is escaped, numbers as their literals.
public enum JSONWriter {
    /// The text with a member or element a line, two spaces of indent a level, and one newline at the end.
    public static func pretty(_ value: JSONValue) -> [UInt8] {
        var output = JSONOutput(style: .pretty)
        output.write(value, level: 0)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    /// The text in one line without a newline at the end, members in the object's order.
    public static func line(_ value: JSONValue) -> [UInt8] {
        var output = JSONOutput(style: .line)
        output.bytes.reserveCapacity(512)
        output.write(value, level: 0)
        return output.bytes
    }

    /// The text in one line without a newline at the end, members sorted by the bytes of their keys.
    public static func sortedLine(_ value: JSONValue) -> [UInt8] {
        var output = JSONOutput(style: .sortedLine)
        output.write(value, level: 0)
        return output.bytes
    }
}

/// The text that is being written.
struct JSONOutput {
    enum Style { case pretty, line, sortedLine }

    let style: Style
    var bytes: [UInt8] = []

    init(style: Style) { self.style = style }

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: write(literally: "null")
        case .boolean(let flag): write(literally: flag ? "true" : "false")
        case .number(let number): write(plain: number.text)
        case .string(let text): write(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for index in elements.indices {
                beginItem(index, level: level + 1)
                write(elements[index], level: level + 1)
            }
            end(elements.isEmpty, with: UInt8(ascii: "]"), level: level)
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            let members = style == .sortedLine ? object.members.sorted(by: Self.isBefore) : object.members
            for index in members.indices {
                beginItem(index, level: level + 1)
                write(members[index].key)
                bytes.append(UInt8(ascii: ":"))
                if style == .pretty { bytes.append(UInt8(ascii: " ")) }
                write(members[index].value, level: level + 1)
            }
            end(members.isEmpty, with: UInt8(ascii: "}"), level: level)
        }
    }

    private static func isBefore(_ a: (key: String, value: JSONValue), _ b: (key: String, value: JSONValue)) -> Bool {
        a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
    }

    private mutating func beginItem(_ index: Int, level: Int) {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        breakLine(level)
    }

    private mutating func end(_ isEmpty: Bool, with bracket: UInt8, level: Int) {
        if !isEmpty { breakLine(level) }
        bytes.append(bracket)
    }

    private mutating func breakLine(_ level: Int) {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * level) { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func write(literally text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(plain text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if UnsafeRawBufferPointer(utf8).plainCount() == utf8.count {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { writeEscaped(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func write(_ number: UInt64) {
        let end = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[end...].reverse()
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x08: write(literally: "\\b")
        case 0x09: write(literally: "\\t")
        case 0x0A: write(literally: "\\n")
        case 0x0C: write(literally: "\\f")
        case 0x0D: write(literally: "\\r")
        case 0..<0x20: write(plain: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}

extension JSONValue {
    /// The number of bytes that `JSONWriter.pretty` writes for the value, its newline left out.
    ///
    /// - Parameter level: how deep the value is nested.
    public func prettySize(level: Int = 0) -> Int {
        switch self {
        case .array(let elements):
            elements.reduce(Self.bracketsSize(elements.count, level)) { $0 + $1.prettySize(level: level + 1) }
        case .object(let object):
            object.members.reduce(Self.bracketsSize(object.count, level)) {
                $0 + Self.quotedSize($1.key) + 2 + $1.value.prettySize(level: level + 1)
            }
        case .null: 4
        case .boolean(let flag): flag ? 4 : 5
        case .number(let number): number.text.utf8.count
        case .string(let text): Self.quotedSize(text)
        }
    }

    private static func quotedSize(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { utf8 in
            let plain = UnsafeRawBufferPointer(utf8).plainCount()
            return utf8[plain...].reduce(2 + plain) { $0 + escapedSize($1) }
        }
    }

    private static func escapedSize(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// The bytes of brackets, commas, line breaks and indents.
    private static func bracketsSize(_ count: Int, _ level: Int) -> Int {
        count == 0 ? 2 : 2 + (count - 1) + count * (1 + 2 * (level + 1)) + 1 + 2 * level
    }
}
