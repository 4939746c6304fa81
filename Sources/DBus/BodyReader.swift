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

    private mutating func values(at iterator: inout Iterator, inArray: Bool = false) throws(BusError) -> [Value] {
        var values: [Value] = []
        var type = dbus_message_iter_get_arg_type(&iterator)
        while type != 0 {
            count += 1
            guard count <= Self.maximumCount else { throw Self.tooMany }
            values.append(try value(of: type, at: &iterator))
            if dbus_message_iter_next(&iterator) == 0 { break }
            // Asking takes as long as reading does, and all of an array are of one type.
            if !inArray { type = dbus_message_iter_get_arg_type(&iterator) }
        }
        return values
    }

    /// The text of a string, an object path or a signature.
    static func text(at iterator: inout Iterator) -> String {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text.map { String(copying: $0) } ?? ""
    }

    private mutating func value(of type: Int32, at iterator: inout Iterator) throws(BusError) -> Value {
        switch type {
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

    private mutating func contents(of iterator: inout Iterator, inArray: Bool = false) throws(BusError) -> [Value] {
        var content = Iterator()
        dbus_message_iter_recurse(&iterator, &content)
        return try values(at: &content, inArray: inArray)
    }

    private mutating func array(at iterator: inout Iterator) throws(BusError) -> Value {
        guard let codes = dbus_message_iter_get_signature(&iterator) else { throw .noMemory }
        defer { dbus_free(codes) }
        let element = String(copying: codes + 1)
        guard !element.utf8.contains(UInt8(ascii: "h")) else { throw Self.fileDescriptorRefused }
        let type = dbus_message_iter_get_element_type(&iterator)
        if dbus_type_is_fixed(type) != 0 { return .fixed(try numbers(at: &iterator, element)) }
        guard type == TypeCode.dictionaryEntry else {
            return .array(element: Signature(valid: element), try contents(of: &iterator, inArray: true))
        }
        // "{kv}", where the key is one code.
        let key = Signature(valid: String(element.dropFirst().prefix(1)))
        let value = Signature(valid: String(element.dropFirst(2).dropLast()))
        return .dictionary(key: key, value: value, try entries(of: &iterator))
    }

    private mutating func numbers(at iterator: inout Iterator, _ element: String) throws(BusError) -> FixedArray {
        let array = FixedArray(element: Signature(valid: element), at: &iterator)
        // Of bytes nobody makes a value each.
        if array.element != "y" { count += array.count }
        guard count <= Self.maximumCount else { throw Self.tooMany }
        return array
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
