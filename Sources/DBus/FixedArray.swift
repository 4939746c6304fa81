internal import CDBus

/// An array of numbers or booleans, as one comes in: a `Value` for each would take up to twenty-four times the memory, and
/// time for whatever is refused by its type alone. (D-Bus specification, "Summary of types": the fixed types.)
public struct FixedArray: Sendable {
    /// The type of the elements.
    public let element: Signature
    /// The elements one behind the other, in this machine's byte order.
    private let bytes: [UInt8]

    /// Takes over the array that an iterator stands at.
    init(element: Signature, at iterator: inout DBusMessageIter) {
        var content = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &content)
        var start: UnsafeRawPointer?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&content, &start, &count)
        self.element = element
        bytes = Array(UnsafeRawBufferPointer(start: start, count: Int(count) * element.alignment))
    }

    /// How many elements there are.
    public var count: Int { bytes.count / element.alignment }

    /// Each element by itself.
    public var values: [Value] {
        switch element {
        case "b": map { (flag: UInt32) in .boolean(flag != 0) }
        case "n": map(Value.int16)
        case "q": map(Value.uint16)
        case "i": map(Value.int32)
        case "u": map(Value.uint32)
        case "x": map(Value.int64)
        case "t": map(Value.uint64)
        case "d": map { .double(Double(bitPattern: $0)) }
        default: bytes.map(Value.byte)
        }
    }

    private func map<Number: FixedWidthInteger>(_ value: (Number) -> Value) -> [Value] {
        bytes.withUnsafeBytes { $0.bindMemory(to: Number.self).map(value) }
    }

    /// Adds the elements to a body that has come to where they begin.
    func append(to writer: inout BodyWriter) { writer.append(bytes[...]) }
}

extension FixedArray: Hashable {
    /// As arrays of the single values are.
    public static func == (one: FixedArray, other: FixedArray) -> Bool {
        one.element == other.element && (one.element == "d" ? one.values == other.values : one.bytes == other.bytes)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
