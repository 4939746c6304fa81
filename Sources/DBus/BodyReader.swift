internal import CDBus

/// The type codes that libdbus and the wire use (dbus-protocol.h writes them as casts, which Swift cannot import).
enum TypeCode {
    static let byte = Int32(UInt8(ascii: "y"))
    static let boolean = Int32(UInt8(ascii: "b"))
    static let int16 = Int32(UInt8(ascii: "n"))
    static let uint16 = Int32(UInt8(ascii: "q"))
    static let int32 = Int32(UInt8(ascii: "i"))
    static let uint32 = Int32(UInt8(ascii: "u"))
    static let int64 = Int32(UInt8(ascii: "x"))
    static let uint64 = Int32(UInt8(ascii: "t"))
    static let double = Int32(UInt8(ascii: "d"))
    static let string = Int32(UInt8(ascii: "s"))
    static let objectPath = Int32(UInt8(ascii: "o"))
    static let signature = Int32(UInt8(ascii: "g"))
    static let array = Int32(UInt8(ascii: "a"))
    static let variant = Int32(UInt8(ascii: "v"))
    /// Structures and dictionary entries have a code of their own beside the brackets of the signature.
    static let structure = Int32(UInt8(ascii: "r"))
    static let dictionaryEntry = Int32(UInt8(ascii: "e"))
}

/// Decodes a body that libdbus has checked; its nesting is bounded there (64 levels), so recursion is too.
struct BodyReader {
    typealias Iterator = DBusMessageIter

    /// A value takes far more memory than the byte that it may be on the wire, where a message has up to 128 MiB.
    static let maximumCount = 1 << 20
    private var count = 0

    /// The values from the iterator's position to the end of its container.
    ///
    /// - Throws: `InvalidArgs` for a file descriptor, `LimitsExceeded` for more than `maximumCount` values.
    static func values(at iterator: inout Iterator) throws(BusError) -> [Value] {
        var reader = BodyReader()
        return try reader.values(at: &iterator)
    }

    private mutating func values(at iterator: inout Iterator) throws(BusError) -> [Value] {
        var values: [Value] = []
        while dbus_message_iter_get_arg_type(&iterator) != 0 {
            count += 1
            guard count <= Self.maximumCount else { throw Self.tooMany }
            values.append(try value(at: &iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    /// The text of a string, an object path or a signature.
    static func text(at iterator: inout Iterator) -> String {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text.map { String(copying: $0) } ?? ""
    }

    private mutating func value(at iterator: inout Iterator) throws(BusError) -> Value {
        switch dbus_message_iter_get_arg_type(&iterator) {
        case TypeCode.byte: return .byte(Self.number(at: &iterator))
        case TypeCode.boolean: return .boolean(Self.number(at: &iterator) as UInt32 != 0)
        case TypeCode.int16: return .int16(Self.number(at: &iterator))
        case TypeCode.uint16: return .uint16(Self.number(at: &iterator))
        case TypeCode.int32: return .int32(Self.number(at: &iterator))
        case TypeCode.uint32: return .uint32(Self.number(at: &iterator))
        case TypeCode.int64: return .int64(Self.number(at: &iterator))
        case TypeCode.uint64: return .uint64(Self.number(at: &iterator))
        case TypeCode.double: return .double(Double(bitPattern: Self.number(at: &iterator)))
        case TypeCode.string: return .string(Self.text(at: &iterator))
        case TypeCode.objectPath: return .objectPath(ObjectPath(valid: Self.text(at: &iterator)))
        case TypeCode.signature: return .signature(Signature(valid: Self.text(at: &iterator)))
        case TypeCode.array: return try array(at: &iterator)
        case TypeCode.structure: return .structure(try contents(of: &iterator))
        case TypeCode.variant:
            guard let content = try contents(of: &iterator).first else { throw Self.fileDescriptorRefused }
            return .variant(content)
        default: throw Self.fileDescriptorRefused
        }
    }

    private static func number<Number: FixedWidthInteger>(at iterator: inout Iterator) -> Number {
        var number: Number = 0
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    private mutating func contents(of iterator: inout Iterator) throws(BusError) -> [Value] {
        var content = Iterator()
        dbus_message_iter_recurse(&iterator, &content)
        return try values(at: &content)
    }

    private mutating func array(at iterator: inout Iterator) throws(BusError) -> Value {
        guard let codes = dbus_message_iter_get_signature(&iterator) else { throw .noMemory }
        defer { dbus_free(codes) }
        let element = String(copying: codes + 1)
        guard !element.utf8.contains(UInt8(ascii: "h")) else { throw Self.fileDescriptorRefused }
        switch dbus_message_iter_get_element_type(&iterator) {
        case TypeCode.byte: return .bytes(Self.numbers(of: &iterator))
        case TypeCode.dictionaryEntry: break
        case let type: return .array(element: Signature(valid: element), try items(of: &iterator, type))
        }
        // "{kv}", where the key is one code.
        let key = Signature(valid: String(element.dropFirst().prefix(1)))
        let value = Signature(valid: String(element.dropFirst(2).dropLast()))
        return .dictionary(key: key, value: value, try entries(of: &iterator))
    }

    private mutating func items(of iterator: inout Iterator, _ type: Int32) throws(BusError) -> [Value] {
        switch type {
        case TypeCode.boolean: try values(Self.numbers(of: &iterator) as [UInt32]) { .boolean($0 != 0) }
        case TypeCode.int16: try values(Self.numbers(of: &iterator), Value.int16)
        case TypeCode.uint16: try values(Self.numbers(of: &iterator), Value.uint16)
        case TypeCode.int32: try values(Self.numbers(of: &iterator), Value.int32)
        case TypeCode.uint32: try values(Self.numbers(of: &iterator), Value.uint32)
        case TypeCode.int64: try values(Self.numbers(of: &iterator), Value.int64)
        case TypeCode.uint64: try values(Self.numbers(of: &iterator), Value.uint64)
        case TypeCode.double: try values(Self.numbers(of: &iterator)) { .double(Double(bitPattern: $0)) }
        default: try contents(of: &iterator)
        }
    }

    private mutating func values<Number>(_ numbers: [Number], _ value: (Number) -> Value) throws(BusError) -> [Value] {
        count += numbers.count
        guard count <= Self.maximumCount else { throw Self.tooMany }
        return numbers.map(value)
    }

    /// All at once: of these a message may have most.
    private static func numbers<Number: FixedWidthInteger>(of iterator: inout Iterator) -> [Number] {
        var content = Iterator()
        dbus_message_iter_recurse(&iterator, &content)
        var start: UnsafePointer<Number>?
        var length: Int32 = 0
        dbus_message_iter_get_fixed_array(&content, &start, &length)
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    private mutating func entries(of iterator: inout Iterator) throws(BusError) -> [Value.Entry] {
        var content = Iterator()
        dbus_message_iter_recurse(&iterator, &content)
        var entries: [Value.Entry] = []
        while dbus_message_iter_get_arg_type(&content) != 0 {
            let pair = try contents(of: &content)
            entries.append(Value.Entry(key: pair[0], value: pair[1]))
            dbus_message_iter_next(&content)
        }
        return entries
    }

    private static let fileDescriptorRefused = BusError.invalidArgs("file descriptors are not accepted")
    private static let tooMany = BusError(
        name: .limitsExceeded, message: "a message with more than \(maximumCount) values is not read")
}
