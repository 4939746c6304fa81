/// An array that is as on the wire already: it can go into any number of messages, and the next one that is like it in most
/// places is made of it.
///
/// What an element looks like on the wire depends on where it begins, up to a multiple of 8 (D-Bus specification,
/// "Marshaling"); from some element on the same bytes follow, mostly from the second one.
public struct ReadyArray: Hashable, Sendable {
    /// The type of the elements.
    public let element: Signature
    /// The elements as they are behind a multiple of 8.
    private var bytes: [UInt8] = []
    /// Where each element ends in `bytes`; the next one's padding is behind that.
    private var ends: [Int] = []
    /// The first elements as they are 4 bytes further on, up to the one from which `bytes` holds there, too.
    private var shiftedHead: [UInt8] = []
    private var headEnd = 0

    /// How deep in a message the array may be; its elements may be as deep again.
    static let depth = 32

    /// Makes the elements ready.
    ///
    /// - Parameters:
    ///   - element: the type of the elements.
    ///   - count: how many there are.
    ///   - other: an array that is ready, of the same type.
    ///   - shared: how many elements are the same as in `other`, from the start and from the end; the two do not overlap.
    ///   - value: the value of an element that is not the same, or whose place on the wire is not.
    /// - Throws: `InvalidArgs` as `Message.append` does.
    public init(
        of element: Signature, count: Int, like other: ReadyArray? = nil, shared: (start: Int, end: Int) = (0, 0),
        value: (Int) -> Value
    ) throws(BusError) {
        guard element.isSingle else { throw .invalidArgs("\"\(element)\" is not the type of an array's elements") }
        self.element = element
        let period = element.largestAlignment
        var writer = BodyWriter()
        if let other, shared.start > 0 {
            ends = Array(other.ends[..<shared.start])
            writer = BodyWriter(bytes: Array(other.bytes[..<other.ends[shared.start - 1]]))
        }
        for index in shared.start..<count {
            if let other, index >= count - shared.end {
                let place = other.ends.count - count + index
                let start = place == 0 ? 0 : other.ends[place - 1]
                let way = writer.bytes.count - start
                if way.isMultiple(of: period) {
                    writer.append(other.bytes[start...])
                    ends += other.ends[place...].lazy.map { $0 + way }
                    break
                }
            }
            try writer.add(value(index), of: element)
            ends.append(writer.bytes.count)
        }
        bytes = writer.bytes
        try makeHead(period: period, value)
    }

    private mutating func makeHead(period: Int, _ value: (Int) -> Value) throws(BusError) {
        guard period == 8, element.alignment < 8 else { return }
        let shift = 4
        var writer = BodyWriter(bytes: [UInt8](repeating: 0, count: shift))
        for (index, end) in ends.enumerated() {
            try writer.add(value(index), of: element)
            headEnd = end
            if (writer.bytes.count - end).isMultiple(of: period) { break }
        }
        shiftedHead = Array(writer.bytes[shift...])
    }

    /// The elements as they are from a place in a message on.
    func bytes(at place: Int) -> (head: [UInt8], rest: ArraySlice<UInt8>) {
        place.isMultiple(of: 8) || headEnd == 0 ? ([], bytes[...]) : (shiftedHead, bytes[headEnd...])
    }
}
