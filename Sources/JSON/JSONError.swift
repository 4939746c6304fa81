/// A place in a text for people: lines end with a line feed, columns count characters (grapheme clusters), both from 1.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of a byte of a text; a byte order mark at the start takes no column.
    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? JSONScan.start(of: bytes)
        line = before.count { $0 == newline } + 1
        column = lineStart < before.endIndex ? String(decoding: before[lineStart...], as: UTF8.self).count + 1 : 1
    }

    public var description: String { "line \(line), column \(column)" }
}

/// What is wrong with a text that should be JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public var position: JSONPosition
    /// What was found and what was expected, for people: a clause without a capital, a full stop and the position.
    public var message: String
    /// Where a duplicate key stood first.
    public var otherPosition: JSONPosition?

    public init(position: JSONPosition, message: String, otherPosition: JSONPosition? = nil) {
        self.position = position
        self.message = message
        self.otherPosition = otherPosition
    }

    public var description: String { "\(position): \(message)" }
}
