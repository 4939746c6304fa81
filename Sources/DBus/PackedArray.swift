/// An array or a dictionary that is as on the wire until somebody asks for its elements (D-Bus specification, "Marshaling"):
/// a `Value` for each would take up to twenty-four times the memory, and time for whatever is refused by its type alone.
public struct PackedArray: Sendable {
    /// The type of the elements; `{sv}` and the like for a dictionary's entries.
    let element: Signature
    /// The elements one behind the other, in this machine's byte order; `start` bytes before them fill a multiple of 8.
    private let bytes: [UInt8]
    private let start: Int

    /// Copies the elements from where a cursor stands.
    init(element: Signature, from cursor: inout WireCursor, to end: Int) {
        self.element = element
        start = cursor.position & 7
        bytes = Array(cursor.bytes(from: cursor.position - start, to: end))
    }

    /// How many elements there are.
    public var count: Int {
        var types = element.rawValue
        return types.withUTF8 { types in
            bytes.withUnsafeBytes { bytes in
                let cursor = WireCursor(bytes: bytes, position: start)
                return WireSurvey(ofArray: WireCursor.Types(types), 0..<types.count, from: cursor, to: bytes.count).elements
            }
        }
    }

    /// The same as an `array` or a `dictionary`.
    public var unpacked: Value { bytes.withUnsafeBytes { BodyReader.array(of: element, in: $0, from: start) } }

    /// The elements as they are on the wire wherever they begin; nil for a type whose looks depend on the place.
    var anywhere: ArraySlice<UInt8>? { element.isFixed ? bytes[start...] : nil }
}
