internal import CDBus

/// One message, going out or come in.
///
/// Loop-confined. A message that came in is well-formed (libdbus has checked it), but holds whatever its sender liked:
/// look at `signature`, or let `body()` tell the types.
public final class Message {
    public enum Kind: String, Hashable, Sendable {
        case methodCall = "method_call"
        case methodReturn = "method_return"
        case error
        case signal
    }

    private(set) var raw: OpaquePointer
    /// The size on the wire, once it was asked for.
    private var knownSize: Int?
    /// Whether all values were looked at, and none of them is one that reading refuses.
    var isSurveyed = false
    /// libdbus locks a message that was sent and ends the process at an attempt to change it.
    var isSent = false
    /// Held until the call is answered; see `CallQueue`.
    var ticket: Ticket?

    /// Takes over the caller's reference to a libdbus message.
    init(adopting raw: OpaquePointer) {
        self.raw = raw
    }

    /// libdbus makes no message when a name is bad, which the types exclude, or when memory has run out, which ends
    /// every Swift program.
    private convenience init(made raw: OpaquePointer?) {
        guard let raw else { preconditionFailure("Out of memory for a message.") }
        self.init(adopting: raw)
    }

    deinit {
        dbus_message_unref(raw)
    }

    /// Makes a call of a method.
    public static func methodCall(
        to destination: BusName, path: ObjectPath, interface: InterfaceName, member: MemberName
    ) -> Message {
        destination.rawValue.withCString { destination in
            withCStrings(path, interface, member) { path, interface, member in
                Message(made: dbus_message_new_method_call(destination, path, interface, member))
            }
        }
    }

    /// Makes a signal.
    public static func signal(path: ObjectPath, interface: InterfaceName, member: MemberName) -> Message {
        withCStrings(path, interface, member) { Message(made: dbus_message_new_signal($0, $1, $2)) }
    }

    /// Makes the good answer to a call that came in.
    public static func reply(to call: Message) -> Message {
        precondition(call.serial != 0, "Only a message that was sent can be answered.")
        return Message(made: dbus_message_new_method_return(call.raw))
    }

    /// Makes the error that answers a call that came in; its message ends at a NUL, if it has one.
    public static func error(replyingTo call: Message, _ error: BusError) -> Message {
        precondition(call.serial != 0, "Only a message that was sent can be answered.")
        return error.name.rawValue.withCString { name in
            error.message.withCString { Message(made: dbus_message_new_error(call.raw, name, $0)) }
        }
    }

    /// Stands for a call that came in and is not kept, so that it can be answered.
    static func call(serial: UInt32, by sender: String) -> Message {
        let call = Message(made: dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_CALL))
        dbus_message_set_serial(call.raw, serial)
        sender.withCString { _ = dbus_message_set_sender(call.raw, $0) }
        return call
    }

    /// Lends the texts themselves, where a call of C would make copies of them.
    private static func withCStrings(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
        _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Message
    ) -> Message {
        path.rawValue.withCString { path in
            interface.rawValue.withCString { interface in member.rawValue.withCString { body(path, interface, $0) } }
        }
    }

    // MARK: Header

    public var kind: Kind {
        switch dbus_message_get_type(raw) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: .error
        default: .signal
        }
    }

    /// False for the kinds of a protocol to come, which are to be ignored (specification, "Message Format").
    var isOfKnownKind: Bool {
        DBUS_MESSAGE_TYPE_METHOD_CALL...DBUS_MESSAGE_TYPE_SIGNAL ~= dbus_message_get_type(raw)
    }

    /// The sender's number for the message; 0 before it is sent.
    public var serial: UInt32 { dbus_message_get_serial(raw) }
    /// The number of the call that this answers; 0 for calls and signals.
    public var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
    /// The unique name that the bus put in.
    public var sender: String? { dbus_message_get_sender(raw).map { String(copying: $0) } }
    public var destination: String? { dbus_message_get_destination(raw).map { String(copying: $0) } }
    public var path: String? { dbus_message_get_path(raw).map { String(copying: $0) } }
    public var interface: String? { dbus_message_get_interface(raw).map { String(copying: $0) } }
    public var member: String? { dbus_message_get_member(raw).map { String(copying: $0) } }
    public var errorName: String? { dbus_message_get_error_name(raw).map { String(copying: $0) } }
    /// The types of the body; empty without one.
    public var signature: String { dbus_message_get_signature(raw).map { String(copying: $0) } ?? "" }

    /// The caller wants no answer (NO_REPLY_EXPECTED). Set it before sending.
    public var expectsNoReply: Bool {
        get { dbus_message_get_no_reply(raw) != 0 }
        set {
            precondition(!isSent, "A message that was sent cannot be changed.")
            dbus_message_set_no_reply(raw, newValue ? 1 : 0)
        }
    }

    /// The bus may start the destination (the opposite of NO_AUTO_START). Set it before sending.
    public var autoStart: Bool {
        get { dbus_message_get_auto_start(raw) != 0 }
        set {
            precondition(!isSent, "A message that was sent cannot be changed.")
            dbus_message_set_auto_start(raw, newValue ? 1 : 0)
        }
    }

    /// Bytes as on the wire, header and body.
    ///
    /// libdbus tells the size only by making a copy, so this costs as much as copying the message does, the first time.
    public var wireSize: Int {
        if let knownSize { return knownSize }
        let size = withWire { $0.count }
        knownSize = size
        return size
    }

    /// The message as on the wire.
    var wire: [UInt8] { withWire { Array($0) } }

    /// Lends the message as on the wire.
    func withWire<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(raw, &bytes, &count) != 0 else {
            preconditionFailure("Out of memory for a message.")
        }
        defer { dbus_free(bytes) }
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    // MARK: Body

    /// Adds values at the end of the body.
    ///
    /// - Throws: `InvalidArgs`, and the message is as before: for a NUL in a string, an element that is not of its
    ///   array's type, nesting deeper than 64, an array above 64 MiB or a body above 127 MiB. `Failed` when the message
    ///   was sent already.
    public func append(_ values: [Value]) throws(BusError) {
        guard !isSent else { throw .failed("a message that was sent cannot be changed") }
        if values.isEmpty { return }
        let signature = signature
        if signature.isEmpty, values.count == 1, values[0].isPlain {
            (knownSize, isSurveyed) = (nil, false)
            var iterator = DBusMessageIter()
            dbus_message_iter_init_append(raw, &iterator)
            guard values[0].append(to: &iterator) else { throw .noMemory }
            return
        }
        var types = signature
        for value in values { types.append(value.signature.rawValue) }
        guard Signature.isValid(types) else { throw .invalidArgs("\"\(types)\" is not a D-Bus signature") }
        let frame = try MessageFrame(of: raw, signature: signature)
        let whole = try frame.message(types: types, adding: values)
        (knownSize, isSurveyed) = (nil, false)
        dbus_message_unref(raw)
        raw = whole
    }

    /// The whole body, decoded.
    ///
    /// - Parameter packs: large arrays and dictionaries come `packed`, to be taken apart only when they are used.
    /// - Throws: `InvalidArgs` when there is a file descriptor in it, `LimitsExceeded` for more than a million values.
    public func body(packs: Bool = false) throws(BusError) -> [Value] {
        try BodyReader.values(of: self, packs: packs)
    }

    /// The first argument, if that is a string.
    var firstString: String? {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(raw, &iterator) != 0,
            dbus_message_iter_get_arg_type(&iterator) == TypeCode.string
        else { return nil }
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text.map { String(copying: $0) }
    }

    /// What an error message says: its name and first argument. Nil for every other kind.
    public var error: BusError? {
        guard kind == .error else { return nil }
        return BusError(name: errorName.flatMap { ErrorName($0) } ?? .failed, message: firstString ?? "")
    }
}

extension MatchRule {
    /// True for a message that the rule asks for, as far as the receiver can tell.
    public func matches(_ message: Message) -> Bool {
        (kind == nil || kind == message.kind)
            && (member == nil || member?.rawValue == message.member)
            && (interface == nil || interface?.rawValue == message.interface)
            && (path == nil || path?.rawValue == message.path)
            && (pathNamespace == nil || message.path.map { pathNamespace?.contains($0) == true } == true)
            && (comparableSender == nil || comparableSender == message.sender)
            && (arg0 == nil || message.firstString.map { arg0?.hasSameBytes(as: $0) == true } == true)
    }

    /// The name that messages from the wanted sender carry, if it is known.
    private var comparableSender: String? {
        guard let sender, sender.isUnique || sender == .bus else { return nil }
        return sender.rawValue
    }
}
