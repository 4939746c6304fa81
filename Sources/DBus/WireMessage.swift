internal import CDBus

/// An answer or a signal as it goes out (D-Bus specification, "Message Format").
///
/// It is made here and not by libdbus, which makes a header field by field, takes a body but value by value, and looks over
/// every byte of what is handed to it as a whole.
struct WireMessage {
    private(set) var bytes: [UInt8]

    private enum Kind: UInt8 {
        case reply = 2
        case error = 3
        case signal = 4
    }

    private enum Field: UInt8 {
        case path = 1
        case interface = 2
        case member = 3
        case errorName = 4
        case replySerial = 5
        case destination = 6
        case signature = 8
    }

    private static let noReplyExpected: UInt8 = 1
    private static let version: UInt8 = 1
    private static let bodyLengthPlace = 4
    private static let serialPlace = 8
    private static let fieldsLengthPlace = 12
    /// Of the fixed part of a header.
    private static let size = 16

    /// Makes a signal.
    ///
    /// - Throws: as `Message.append` does.
    static func signal(
        path: ObjectPath, interface: InterfaceName, member: MemberName, _ values: [Value]
    ) throws(BusError) -> WireMessage {
        try WireMessage(
            .signal,
            [
                (.path, .objectPath(path)), (.interface, .string(interface.rawValue)), (.member, .string(member.rawValue)),
            ], values)
    }

    /// Makes the good answer to a call that came in.
    ///
    /// - Throws: as `Message.append` does.
    static func reply(to call: Message, _ values: [Value]) throws(BusError) -> WireMessage {
        try WireMessage(.reply, addressing(call), values)
    }

    /// Makes the error that answers a call that came in; its message ends at a NUL, if it has one.
    static func error(replyingTo call: Message, _ error: BusError) throws(BusError) -> WireMessage {
        let text = String(decoding: error.message.utf8.prefix { $0 != 0 }, as: UTF8.self)
        return try WireMessage(.error, [(.errorName, .string(error.name.rawValue))] + addressing(call), [.string(text)])
    }

    private static func addressing(_ call: Message) -> [(Field, Value)] {
        precondition(call.serial != 0, "Only a message that was sent can be answered.")
        return [(.replySerial, .uint32(call.serial))] + (call.sender.map { [(.destination, .string($0))] } ?? [])
    }

    private init(_ kind: Kind, _ fields: [(Field, Value)], _ values: [Value]) throws(BusError) {
        var start: [UInt8] = [Self.byteOrder, kind.rawValue, Self.noReplyExpected, Self.version]
        start.reserveCapacity(256)
        start += [UInt8](repeating: 0, count: Self.size - start.count)
        var writer = BodyWriter(bytes: start)
        for (field, value) in fields { try writer.addField(field.rawValue, value) }
        if !values.isEmpty {
            var types = ""
            for value in values { types.append(value.signature.rawValue) }
            // Each value's own type is good, but together they may be too long.
            guard types.utf8.count <= 255 else { throw .invalidArgs("\"\(types)\" is not a D-Bus signature") }
            try writer.addField(Field.signature.rawValue, .signature(Signature(valid: types)))
        }
        let headerEnd = writer.bytes.count
        writer.align(to: 8)
        let bodyStart = writer.bytes.count
        for value in values { try writer.add(value, depth: 0) }
        bytes = writer.bytes
        bytes.replaceNumber(at: Self.fieldsLengthPlace, with: UInt32(clamping: headerEnd - Self.size))
        bytes.replaceNumber(at: Self.bodyLengthPlace, with: UInt32(clamping: bytes.count - bodyStart))
    }

    #if _endian(little)
        private static let byteOrder = UInt8(ascii: "l")
    #else
        private static let byteOrder = UInt8(ascii: "B")
    #endif

    /// Gives the message its number.
    mutating func setSerial(_ serial: UInt32) { bytes.replaceNumber(at: Self.serialPlace, with: serial) }
}

extension OpaquePointer {
    /// Takes a whole message for libdbus's own.
    ///
    /// - Throws: what libdbus says about one that breaks a rule.
    init(message bytes: [UInt8]) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let message = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { dbus_message_demarshal($0.baseAddress, Int32(clamping: $0.count), &error) }
        }
        guard let message else { throw BusError(error) }
        self = message
    }
}
