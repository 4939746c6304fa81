/// Looks values over before libdbus sees them, since libdbus ends the process, or the bus the connection, where they
/// break a rule. It walks as the marshalling does (D-Bus specification, "Marshaling"), so that it also knows the size.
struct BodyCheck {
    private var offset: Int

    /// The size of a body in bytes once the values are added.
    ///
    /// - Parameters:
    ///   - size: the body's size now.
    ///   - signature: the body's types now.
    /// - Throws: `InvalidArgs`, saying what is wrong.
    static func size(of values: [Value], after size: Int, signature: String) throws(BusError) -> Int {
        let types = signature + values.map(\.signature.rawValue).joined()
        guard Signature.isValid(types) else { throw .invalidArgs("\"\(types)\" is not a D-Bus signature") }
        var check = BodyCheck(offset: size)
        for value in values { try check.add(value, depth: 0) }
        return check.offset
    }

    private static let maximumDepth = 64
    private static let maximumArray = 64 << 20
    /// A message may have 128 MiB; the header's share is far below the rest.
    private static let maximumBody = 127 << 20

    private mutating func add(_ value: Value, depth: Int) throws(BusError) {
        guard depth <= Self.maximumDepth else {
            throw .invalidArgs("values are nested deeper than \(Self.maximumDepth) levels")
        }
        switch value {
        case .byte: offset += 1
        case .int16, .uint16: align(to: 2, adding: 2)
        case .boolean, .int32, .uint32: align(to: 4, adding: 4)
        case .int64, .uint64, .double: align(to: 8, adding: 8)
        case .string(let text):
            guard !text.hasNUL else { throw .invalidArgs("a string on the bus cannot contain a NUL") }
            align(to: 4, adding: 4 + text.utf8.count + 1)
        case .objectPath(let path): align(to: 4, adding: 4 + path.rawValue.utf8.count + 1)
        case .signature(let signature): offset += 1 + signature.rawValue.utf8.count + 1
        case .array(let element, let values): try addArray(of: element, values, depth: depth)
        case .dictionary(let key, let value, let entries): try addDictionary(key, value, entries, depth: depth)
        case .structure(let fields):
            align(to: 8, adding: 0)
            for field in fields { try add(field, depth: depth + 1) }
        case .variant(let content): try addVariant(content, depth: depth)
        }
        guard offset <= Self.maximumBody else { throw .invalidArgs("the values do not fit into one message") }
    }

    private mutating func align(to boundary: Int, adding size: Int) {
        offset = (offset + boundary - 1) / boundary * boundary + size
    }

    private mutating func addArray(of element: Signature, _ values: [Value], depth: Int) throws(BusError) {
        guard element.isSingle else { throw .invalidArgs("\"\(element)\" is not the type of an array's elements") }
        align(to: 4, adding: 4)
        align(to: element.alignment, adding: 0)
        let start = offset
        for value in values {
            guard value.hasType(element) else {
                throw .invalidArgs("an array of \"\(element)\" has an element of type \"\(value.signature)\"")
            }
            try add(value, depth: depth + 1)
            try checkArray(from: start)
        }
    }

    private mutating func addDictionary(
        _ key: Signature, _ value: Signature, _ entries: [Value.Entry], depth: Int
    ) throws(BusError) {
        guard key.isBasic, value.isSingle else {
            throw .invalidArgs("\"\(key)\" to \"\(value)\" is not a dictionary's type")
        }
        align(to: 4, adding: 4)
        align(to: 8, adding: 0)
        let start = offset
        for entry in entries {
            guard entry.key.hasType(key), entry.value.hasType(value) else {
                throw .invalidArgs(
                    "a dictionary from \"\(key)\" to \"\(value)\" has an entry from \"\(entry.key.signature)\" to "
                        + "\"\(entry.value.signature)\"")
            }
            align(to: 8, adding: 0)
            try add(entry.key, depth: depth + 2)
            try add(entry.value, depth: depth + 2)
            try checkArray(from: start)
        }
    }

    private func checkArray(from start: Int) throws(BusError) {
        guard offset - start <= Self.maximumArray else {
            throw .invalidArgs("an array on the bus cannot have more than 64 MiB")
        }
    }

    private mutating func addVariant(_ content: Value, depth: Int) throws(BusError) {
        let type = content.signature.rawValue
        guard type.utf8.count == 1 || Signature.isValid(type) && content.signature.isSingle else {
            throw .invalidArgs("\"\(type)\" is not the type of a variant's content")
        }
        offset += 1 + type.utf8.count + 1
        try add(content, depth: depth + 1)
    }
}

extension Value {
    fileprivate func hasType(_ type: Signature) -> Bool { signature == type }
}

extension Signature {
    /// The boundary that a value of this type begins at.
    fileprivate var alignment: Int {
        switch rawValue.utf8.first {
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "s"), UInt8(ascii: "o"),
            UInt8(ascii: "a"):
            4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("): 8
        default: 1
        }
    }
}
