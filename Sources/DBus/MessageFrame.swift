internal import CDBus

/// A message that gets more of a body (D-Bus specification, "Message Format").
struct MessageFrame {
    /// From the first byte to the last field, the signature's left out.
    private let header: [UInt8]
    /// The body so far, which may be libdbus's own, as an error's text is.
    private let body: [UInt8]
    private let serial: UInt32

    private static let bodyLengthPlace = 4
    private static let serialPlace = 8
    private static let fieldsLengthPlace = 12
    private static let fieldsPlace = 16

    /// - Parameter signature: that of the body that the message has; its field is the last one then.
    init(of raw: OpaquePointer, signature: String) throws(BusError) {
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(raw, &start, &count) != 0, let start else { throw .noMemory }
        defer { dbus_free(start) }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
        let length = Int(bytes.load(fromByteOffset: Self.fieldsLengthPlace, as: UInt32.self))
        serial = dbus_message_get_serial(raw)
        let own = signature.isEmpty ? 0 : Self.field(signature).count
        header = Array(bytes[..<(Self.fieldsPlace + length - own)])
        body = Array(bytes[((Self.fieldsPlace + length + 7) / 8 * 8)...])
    }

    /// A field stands at a multiple of 8; the code of this one is 8, a variant of type `g`.
    private static func field(_ signature: String) -> [UInt8] {
        [8, 1, UInt8(ascii: "g"), 0, UInt8(clamping: signature.utf8.count)] + Array(signature.utf8) + [0]
    }

    /// Makes the whole message, not sent yet.
    ///
    /// - Parameters:
    ///   - types: those of the whole body.
    ///   - values: what is added to the body.
    /// - Throws: `InvalidArgs` for values that cannot be added, `Failed` for what libdbus takes for no message.
    func message(types: String, adding values: [Value]) throws(BusError) -> OpaquePointer {
        var bytes = header
        if !types.isEmpty {
            bytes.pad()
            bytes += Self.field(types)
        }
        bytes.replaceNumber(at: Self.fieldsLengthPlace, with: UInt32(clamping: bytes.count - Self.fieldsPlace))
        bytes.pad()
        let start = bytes.count
        bytes = try BodyWriter.bytes(of: values, after: bytes + body)
        bytes.replaceNumber(at: Self.bodyLengthPlace, with: UInt32(clamping: bytes.count - start))
        // No message on the wire has the number 0, which says that it was not sent.
        if serial == 0 { bytes.replaceNumber(at: Self.serialPlace, with: 1) }
        let message = try OpaquePointer(message: bytes)
        if serial == 0 { dbus_message_set_serial(message, 0) }
        return message
    }
}

extension [UInt8] {
    fileprivate mutating func pad() {
        while !count.isMultiple(of: 8) { append(0) }
    }
}
