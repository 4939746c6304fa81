/// Decodes a body that libdbus has checked; its nesting is bounded there (64 levels), so recursion is too.
struct BodyReader {
    typealias Types = WireCursor.Types

    /// A value takes far more memory than the byte that it may be on the wire, where a message has up to 128 MiB.
    static let maximumCount = 1 << 20
    /// Bytes above which an array may stay packed.
    private static let packedSize = 128

    private var cursor: WireCursor
    private let packs: Bool
    /// Whether all that the values may be refused for was looked for before.
    private let isSurveyed: Bool
    private var count = 0

    private init(cursor: WireCursor, packs: Bool, isSurveyed: Bool = false) {
        self.cursor = cursor
        self.packs = packs
        self.isSurveyed = isSurveyed
    }

    /// All values of a message.
    ///
    /// - Parameter packs: leaves whatever array or dictionary is large as it is; those of numbers are left so anyway.
    /// - Throws: `InvalidArgs` for a file descriptor, `LimitsExceeded` for more than `maximumCount` values.
    static func values(of message: Message, packs: Bool) throws(BusError) -> [Value] {
        let values = try WireCursor.withBody(of: message) { cursor, types throws(BusError) in
            var reader = BodyReader(cursor: cursor, packs: packs, isSurveyed: message.isSurveyed)
            try reader.check(types)
            return try reader.values(of: types, 0..<types.count)
        }
        return values ?? []
    }

    /// An array that was packed; what is large in it stays so.
    ///
    /// - Parameters:
    ///   - bytes: begin at a multiple of 8 in the body; the elements begin at `start` there.
    static func array(of element: Signature, in bytes: UnsafeRawBufferPointer, from start: Int) -> Value {
        var reader = BodyReader(cursor: WireCursor(bytes: bytes, position: start), packs: true, isSurveyed: true)
        var types = element.rawValue
        return types.withUTF8 { types in
            do throws(BusError) {
                return try reader.array(of: Types(types), 0..<types.count, to: bytes.count)
            } catch {
                preconditionFailure("What was packed cannot be read: \(error)")
            }
        }
    }

    private func check(_ types: Types) throws(BusError) {
        guard !types.contains(UInt8(ascii: "h")) else { throw Self.fileDescriptorRefused }
    }

    private mutating func note(_ more: Int = 1) throws(BusError) {
        count += more
        guard count <= Self.maximumCount else {
            throw BusError(
                name: .limitsExceeded, message: "a message with more than \(Self.maximumCount) values is not read")
        }
    }

    private static let fileDescriptorRefused = BusError.invalidArgs("file descriptors are not accepted")

    /// A value of each type.
    private mutating func values(of types: Types, _ range: Range<Int>) throws(BusError) -> [Value] {
        var values: [Value] = []
        var place = range.lowerBound
        while place < range.upperBound { values.append(try value(of: types, at: &place)) }
        return values
    }

    /// The value of the type at a place, which moves behind it.
    private mutating func value(of types: Types, at place: inout Int) throws(BusError) -> Value {
        try note()
        let start = place
        place = types.endOfType(at: start)
        switch Unicode.Scalar(types[start]) {
        case "y": return .byte(cursor.number())
        case "b": return .boolean(cursor.number() as UInt32 != 0)
        case "n": return .int16(cursor.number())
        case "q": return .uint16(cursor.number())
        case "i": return .int32(cursor.number())
        case "u": return .uint32(cursor.number())
        case "x": return .int64(cursor.number())
        case "t": return .uint64(cursor.number())
        case "d": return .double(Double(bitPattern: cursor.number()))
        case "s": return .string(String(decoding: cursor.text(), as: UTF8.self))
        case "o": return .objectPath(ObjectPath(valid: String(decoding: cursor.text(), as: UTF8.self)))
        case "g": return .signature(cursor.signature().signature)
        case "a": return try array(of: types, start + 1..<place)
        case "(":
            cursor.align(to: 8)
            return .structure(try values(of: types, start + 1..<place - 1))
        default:
            let content = cursor.signature()
            try check(content)
            var start = 0
            return .variant(try value(of: content, at: &start))
        }
    }

    private mutating func array(of types: Types, _ element: Range<Int>) throws(BusError) -> Value {
        let end = cursor.beginArray(of: types[element.lowerBound])
        let isFixed = Signature.isFixed(types[element.lowerBound])
        guard isFixed || packs && end - cursor.position > Self.packedSize else {
            return try array(of: types, element, to: end)
        }
        if !isSurveyed {
            let survey = WireSurvey(ofArray: types, element, from: cursor, to: end)
            // Of bytes nobody makes a value each.
            if types[element.lowerBound] != UInt8(ascii: "y") { try note(survey.values) }
            guard !survey.hasFileDescriptor else { throw Self.fileDescriptorRefused }
        }
        return .packed(PackedArray(element: types[element].signature, from: &cursor, to: end))
    }

    /// An array or a dictionary whose first element the cursor has come to.
    private mutating func array(of types: Types, _ element: Range<Int>, to end: Int) throws(BusError) -> Value {
        guard types[element.lowerBound] == UInt8(ascii: "{") else {
            var values: [Value] = []
            while cursor.position < end {
                var place = element.lowerBound
                values.append(try value(of: types, at: &place))
            }
            return .array(element: types[element].signature, values)
        }
        // "{kv}", where the key is one code.
        let (key, value) = (element.lowerBound + 1, element.lowerBound + 2)
        var entries: [Value.Entry] = []
        while cursor.position < end {
            cursor.align(to: 8)
            var place = key
            let key = try self.value(of: types, at: &place)
            entries.append(Value.Entry(key: key, value: try self.value(of: types, at: &place)))
        }
        return .dictionary(
            key: types[key..<value].signature, value: types[value..<element.upperBound - 1].signature, entries)
    }
}
