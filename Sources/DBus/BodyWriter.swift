/// Writes values as they are on the wire (D-Bus specification, "Marshaling"), in this machine's byte order.
///
/// Each is looked over first, since the bus closes the connection of whoever breaks a rule. libdbus has its own way of
/// adding values to a message, which writes the header anew for each of them and ends the process at a bad one.
struct BodyWriter {
    /// The message so far, or a body; it begins at a multiple of 8.
    private(set) var bytes: [UInt8] = []

    /// What is there once the values are added to it.
    ///
    /// - Throws: `InvalidArgs`, saying what is wrong.
    static func bytes(of values: [Value], after bytes: [UInt8] = []) throws(BusError) -> [UInt8] {
        var writer = BodyWriter(bytes: bytes)
        for value in values { try writer.add(value, depth: 0) }
        return writer.bytes
    }

    /// Adds a field of a message's header.
    mutating func addField(_ code: UInt8, _ value: Value) throws(BusError) {
        align(to: 8)
        bytes.append(code)
        try addVariant(value, depth: 0)
    }

    private static let maximumDepth = 64
    private static let maximumArray = 64 << 20
    /// A message may have 128 MiB; the header's share is far below the rest.
    private static let maximumBody = 127 << 20

    mutating func add(_ value: Value, depth: Int) throws(BusError) {
        guard depth <= Self.maximumDepth else {
            throw .invalidArgs("values are nested deeper than \(Self.maximumDepth) levels")
        }
        switch value {
        case .byte(let value): bytes.append(value)
        case .boolean(let value): append(value ? 1 as UInt32 : 0)
        case .int16(let value): append(value)
        case .uint16(let value): append(value)
        case .int32(let value): append(value)
        case .uint32(let value): append(value)
        case .int64(let value): append(value)
        case .uint64(let value): append(value)
        case .double(let value): append(value.bitPattern)
        case .string(let text):
            guard !text.hasNUL else { throw .invalidArgs("a string on the bus cannot contain a NUL") }
            append(UInt32(clamping: text.utf8.count))
            append(terminated: text)
        case .objectPath(let path):
            append(UInt32(clamping: path.rawValue.utf8.count))
            append(terminated: path.rawValue)
        case .signature(let signature): append(signature)
        case .array(let element, let values): try addArray(of: element, values, depth: depth)
        case .packed(let array):
            guard let bytes = array.anywhere else { return try add(array.unpacked, depth: depth) }
            append(arrayAlignedTo: array.element.alignment) { writer in writer.append(bytes) }
        case .ready(let array): try addArray(array, depth: depth)
        case .dictionary(let key, let value, let entries): try addDictionary(key, value, entries, depth: depth)
        case .structure(let fields):
            align(to: 8)
            for field in fields { try add(field, depth: depth + 1) }
        case .variant(let content): try addVariant(content, depth: depth)
        }
        guard bytes.count <= Self.maximumBody else { throw .invalidArgs("the values do not fit into one message") }
    }

    mutating func align(to boundary: Int) {
        while !bytes.count.isMultiple(of: boundary) { bytes.append(0) }
    }

    mutating func append(_ number: some FixedWidthInteger) {
        align(to: number.bitWidth / 8)
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(terminated text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
        bytes.append(0)
    }

    private mutating func append(_ signature: Signature) {
        bytes.append(UInt8(clamping: signature.rawValue.utf8.count))
        append(terminated: signature.rawValue)
    }

    /// Writes an array: its length, and what `fill` puts there.
    private mutating func append<Failure: Error>(
        arrayAlignedTo boundary: Int, _ fill: (inout BodyWriter) throws(Failure) -> Void
    ) throws(Failure) {
        append(0 as UInt32)
        let place = bytes.count - 4
        align(to: boundary)
        let start = bytes.count
        try fill(&self)
        bytes.replaceNumber(at: place, with: UInt32(clamping: bytes.count - start))
    }

    private mutating func addArray(of element: Signature, _ values: [Value], depth: Int) throws(BusError) {
        guard element.isSingle else { throw .invalidArgs("\"\(element)\" is not the type of an array's elements") }
        try append(arrayAlignedTo: element.alignment) { writer throws(BusError) in
            let start = writer.bytes.count
            for value in values {
                try writer.add(value, of: element, depth: depth + 1)
                try writer.checkArray(from: start)
            }
        }
    }

    /// Adds an element of an array; its depth is that of those in a `ReadyArray` where none is given.
    mutating func add(_ value: Value, of element: Signature, depth: Int = ReadyArray.depth + 1) throws(BusError) {
        guard value.hasType(element) else {
            throw .invalidArgs("an array of \"\(element)\" has an element of type \"\(value.signature)\"")
        }
        try add(value, depth: depth)
    }

    /// Adds what is as on the wire already.
    mutating func append(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }

    private mutating func addArray(_ array: ReadyArray, depth: Int) throws(BusError) {
        guard depth <= ReadyArray.depth else {
            throw .invalidArgs("an array that is ready is nested deeper than \(ReadyArray.depth) levels")
        }
        try append(arrayAlignedTo: array.element.alignment) { writer throws(BusError) in
            let start = writer.bytes.count
            let (head, rest) = array.bytes(at: start)
            writer.append(head[...])
            writer.append(rest)
            try writer.checkArray(from: start)
        }
    }

    private mutating func addDictionary(
        _ key: Signature, _ value: Signature, _ entries: [Value.Entry], depth: Int
    ) throws(BusError) {
        guard key.isBasic, value.isSingle else {
            throw .invalidArgs("\"\(key)\" to \"\(value)\" is not a dictionary's type")
        }
        try append(arrayAlignedTo: 8) { writer throws(BusError) in
            let start = writer.bytes.count
            for entry in entries {
                guard entry.key.hasType(key), entry.value.hasType(value) else {
                    throw .invalidArgs(
                        "a dictionary from \"\(key)\" to \"\(value)\" has an entry from \"\(entry.key.signature)\" to "
                            + "\"\(entry.value.signature)\"")
                }
                writer.align(to: 8)
                try writer.add(entry.key, depth: depth + 2)
                try writer.add(entry.value, depth: depth + 2)
                try writer.checkArray(from: start)
            }
        }
    }

    private func checkArray(from start: Int) throws(BusError) {
        guard bytes.count - start <= Self.maximumArray else {
            throw .invalidArgs("an array on the bus cannot have more than 64 MiB")
        }
    }

    private mutating func addVariant(_ content: Value, depth: Int) throws(BusError) {
        if let code = content.basicTypeCode {
            bytes.append(1)
            bytes.append(code)
            bytes.append(0)
            return try add(content, depth: depth + 1)
        }
        let type = content.signature
        guard type.isSingle else { throw .invalidArgs("\"\(type)\" is not the type of a variant's content") }
        append(type)
        try add(content, depth: depth + 1)
    }
}

extension [UInt8] {
    /// Overwrites bytes with a number in this machine's order.
    mutating func replaceNumber(at place: Int, with number: UInt32) {
        withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: place, as: UInt32.self) }
    }
}

extension Value {
    fileprivate func hasType(_ type: Signature) -> Bool {
        if let basicTypeCode { return type.rawValue.utf8.count == 1 && type.rawValue.utf8.first == basicTypeCode }
        return signature == type
    }

    /// The type of what is no array, dictionary, structure or variant.
    fileprivate var basicTypeCode: UInt8? {
        switch self {
        case .string: UInt8(ascii: "s")
        case .boolean: UInt8(ascii: "b")
        case .uint64: UInt8(ascii: "t")
        case .int64: UInt8(ascii: "x")
        case .double: UInt8(ascii: "d")
        case .byte: UInt8(ascii: "y")
        case .int16: UInt8(ascii: "n")
        case .uint16: UInt8(ascii: "q")
        case .int32: UInt8(ascii: "i")
        case .uint32: UInt8(ascii: "u")
        case .objectPath: UInt8(ascii: "o")
        case .signature: UInt8(ascii: "g")
        case .array, .packed, .ready, .dictionary, .structure, .variant: nil
        }
    }
}

extension Signature {
    /// The boundary that a value of this type begins at.
    var alignment: Int { rawValue.utf8.first.map(Self.alignment) ?? 1 }

    /// True for the type of a number or a boolean, which looks the same wherever it stands (specification, "Summary of types").
    var isFixed: Bool { rawValue.utf8.count == 1 && rawValue.utf8.first.map(Self.isFixed) == true }

    static func isFixed(_ code: UInt8) -> Bool { "ybnqiuxtd".utf8.contains(code) }

    /// The largest boundary that anything in a value of this type may need.
    var largestAlignment: Int {
        rawValue.utf8.map { $0 == UInt8(ascii: "v") ? 8 : Self.alignment($0) }.max() ?? 1
    }

    /// The boundary that a value begins at whose type begins with a letter.
    static func alignment(_ code: UInt8) -> Int {
        switch Unicode.Scalar(code) {
        case "n", "q": 2
        case "b", "i", "u", "s", "o", "a": 4
        case "x", "t", "d", "(", "{": 8
        default: 1
        }
    }
}
