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
        return JSONPosition(offset: Int(starts[ordinal]), in: bytes)
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
