/// A parsed text: its value, and where each part of it stands.
///
/// Holds the text, for positions are worked out when asked for.
public struct JSONDocument: Sendable {
    public let root: JSONValue
    private let bytes: [UInt8]
    /// Where each value begins, in the order of the text: an array or object before what it holds.
    private let starts: [UInt32]

    init(root: JSONValue, bytes: [UInt8], starts: [UInt32]) {
        self.root = root
        self.bytes = bytes
        self.starts = starts
    }

    /// Where a value begins, or nil where there is none at the path.
    ///
    /// - Parameter path: keys, and for arrays indexes as decimal numbers, from the outside in; empty for the whole.
    public func position(of path: [String]) -> JSONPosition? {
        start(of: path).map { JSONPosition(offset: $0, in: bytes) }
    }

    /// Where the key of a member begins, or nil where there is none at the path; of what has no key, where the value does.
    ///
    /// - Parameter path: as for `position(of:)`.
    public func keyPosition(of path: [String]) -> JSONPosition? {
        guard var offset = start(of: path) else { return nil }
        let quote = UInt8(ascii: "\"")
        func skipSpace() { while offset > 0, JSONScan.isSpace(bytes[offset - 1]) { offset -= 1 } }
        let value = offset
        skipSpace()
        guard offset > 0, bytes[offset - 1] == UInt8(ascii: ":") else { return JSONPosition(offset: value, in: bytes) }
        offset -= 1
        skipSpace()
        // Before the colon stands a string, whose own quotation marks have an odd number of backslashes before them.
        offset -= 1
        repeat {
            offset -= 1
        } while bytes[offset] != quote || bytes[..<offset].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
        return JSONPosition(offset: offset, in: bytes)
    }

    /// The offset of the first byte of a value.
    private func start(of path: [String]) -> Int? {
        var value = root
        var ordinal = 0
        for name in path {
            switch value {
            case .object(let object):
                guard let place = object.position(of: name) else { return nil }
                ordinal += 1 + object.members[..<place].reduce(0) { $0 + $1.value.valueCount }
                value = object.members[place].value
            case .array(let elements):
                guard let place = Int(name), elements.indices.contains(place) else { return nil }
                ordinal += 1 + elements[..<place].reduce(0) { $0 + $1.valueCount }
                value = elements[place]
            default: return nil
            }
        }
        return Int(starts[ordinal])
    }
}

extension JSONValue {
    /// The number of values that this one consists of, itself included.
    fileprivate var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}
