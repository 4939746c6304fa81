import CDBus
import SettingsBus
import SettingsModel

@testable import DBus

/// Makes well-formed messages of the members that there are, of the types that they have or of others.
///
/// Each choice takes bytes from the front, so that a byte that changes changes one choice.
struct MessageMaker {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    static let interfaces =
        SettingsInterfaces.interfaces(for: .builtIn) + [Properties.interface, Peer.interface, Introspection.interface]

    mutating func messages() -> [Message] {
        var messages: [Message] = []
        while !bytes.isEmpty, messages.count < 8 {
            let message = message()
            dbus_message_set_serial(message.raw, UInt32(messages.count + 1))
            dbus_message_set_sender(message.raw, pick([":1.7", ":1.7", ":1.7", ":1.8", "org.freedesktop.DBus"]))
            messages.append(message)
        }
        return messages
    }

    // MARK: Choices

    private mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    private mutating func below(_ limit: Int) -> Int { Int(byte()) % max(limit, 1) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    private mutating func number() -> UInt64 {
        switch below(4) {
        case 0: UInt64(byte())
        case 1: .max - UInt64(byte())
        case 2: 1 << UInt64(below(64))
        default: (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
        }
    }

    private static let words =
        Schema.builtIn.keys + Schema.builtIn.actions.map(\.name) + Schema.builtIn.actions.flatMap { $0.arguments.map(\.name) }
        + interfaces.map(\.name.rawValue) + interfaces.flatMap { $0.properties.map(\.name.rawValue) }
        + [
            "", "provider", "help", "mpd", "spotify", "custom:a", "ada@example.org", "https://example.org/", "mailto:a@b",
            SettingsNames.expectedRevision, "previous", "actions", "origin", "application", "time", "bus", "file",
            "type", "kind", "default", "value", "source", "locked", "summary", "choices", "pattern", "schemes", "minimum",
            "maximum", "maximum_length", "choice_details", "name", "links", "mpris", "arguments", ":1.7", ":1.8",
            SettingsNames.busName.rawValue, "\u{202E}", "e\u{301}", "a\nb",
        ]

    private mutating func text() -> String {
        switch below(4) {
        case 0:
            let raw = (0..<below(40)).map { _ in byte() }.filter { $0 != 0 }
            return String(decoding: raw, as: UTF8.self)
        case 1: return String(repeating: pick(Self.words), count: 1 << below(10))
        default: return Self.words[(Int(byte()) << 8 | Int(byte())) % Self.words.count]
        }
    }

    // MARK: Values

    private static let types: [Signature] = [
        "s", "b", "x", "d", "t", "as", "a{sv}", "v", "u", "y", "n", "q", "i", "o", "g", "ax", "ab", "ad", "aas", "(sv)", "a{ss}",
        "a{sa{sv}}", "a(sa{sv})", "av", "a{us}", "((s))", "aa{sv}",
    ]

    private mutating func value(_ type: Signature, depth: Int = 0) -> Value {
        switch type.rawValue.utf8.first.map(Unicode.Scalar.init) {
        case "y": return .byte(byte())
        case "b": return .boolean(byte() & 1 == 1)
        case "n": return .int16(Int16(truncatingIfNeeded: number()))
        case "q": return .uint16(UInt16(truncatingIfNeeded: number()))
        case "i": return .int32(Int32(truncatingIfNeeded: number()))
        case "u": return .uint32(UInt32(truncatingIfNeeded: number()))
        case "x": return .int64(Int64(truncatingIfNeeded: number()))
        case "t": return .uint64(number())
        case "d": return .double(Double(bitPattern: number()))
        case "o": return .objectPath(pick(["/", SettingsNames.path, "/a/b"]))
        case "g": return .signature(pick(Self.types))
        case "v": return .variant(value(depth < 20 ? pick(Self.types) : "s", depth: depth + 1))
        case "(": return structure(type, depth: depth)
        case "a": return array(type, depth: depth)
        default: return .string(text())
        }
    }

    private mutating func structure(_ type: Signature, depth: Int) -> Value {
        let fields = Signature(valid: String(type.rawValue.dropFirst().dropLast())).elements
        return .structure(fields.map { value($0, depth: depth + 1) })
    }

    private mutating func array(_ type: Signature, depth: Int) -> Value {
        let count = bytes.isEmpty ? 0 : below(depth < 3 ? 5 : 2)
        let element = String(type.rawValue.dropFirst())
        guard element.hasPrefix("{") else {
            let element = Signature(valid: element)
            return .array(element: element, (0..<count).map { _ in value(element, depth: depth + 1) })
        }
        let pair = Signature(valid: String(element.dropFirst().dropLast())).elements
        let entries = (0..<count).map { _ in
            Value.Entry(key: value(pair[0], depth: depth + 1), value: value(pair[1], depth: depth + 1))
        }
        return .dictionary(key: pair[0], value: pair[1], entries)
    }

    // MARK: Messages

    private mutating func message() -> Message {
        let interface = pick(Self.interfaces)
        switch below(5) {
        case 0: return signal(interface)
        case 1: return reply(interface)
        case 2: return error()
        default: return call(interface)
        }
    }

    private mutating func fill(_ message: Message, _ declared: [Interface.Argument]) -> Message {
        let types = below(6) == 0 ? (0..<below(4)).map { _ in pick(Self.types) } : declared.map(\.signature)
        let body = types.map { value($0) }
        do {
            try message.append(body)
        } catch {
            // A body that is not to be sent: the message stays without one.
        }
        return message
    }

    private mutating func call(_ interface: Interface) -> Message {
        let method = interface.methods.isEmpty ? Interface.Method("Missing") : pick(interface.methods)
        let message = Message.methodCall(
            to: SettingsNames.busName,
            path: pick([SettingsNames.path, SettingsNames.path, SettingsNames.path, "/", "/org", "/x"]),
            interface: interface.name, member: method.name)
        message.expectsNoReply = below(8) == 7
        return fill(message, method.inputs)
    }

    private mutating func signal(_ interface: Interface) -> Message {
        if below(3) == 0 {
            let message = Message.signal(
                path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
            let names = [.init("name", "s"), .init("old", "s"), .init("new", "s")] as [Interface.Argument]
            return fill(message, names)
        }
        let signal = interface.signals.isEmpty ? Self.interfaces[0].signals[0] : pick(interface.signals)
        return fill(.signal(path: SettingsNames.path, interface: interface.name, member: signal.name), signal.arguments)
    }

    private mutating func reply(_ interface: Interface) -> Message {
        let method = interface.methods.isEmpty ? Interface.Method("Missing") : pick(interface.methods)
        return fill(.reply(to: Self.called(by: UInt32(byte()) + 1)), method.outputs)
    }

    private mutating func error() -> Message {
        let names =
            SettingsError.Name.allCases.map(\.errorName)
            + [.unknownMethod, .failed, .noReply, .serviceUnknown, .nameHasNoOwner, .disconnected, .noServer, .accessDenied]
        let error = BusError(name: pick(names), message: text())
        return .error(replyingTo: Self.called(by: UInt32(byte()) + 1), error)
    }

    /// A call with a serial of its own, to be answered.
    private static func called(by serial: UInt32) -> Message {
        let call = Message.methodCall(to: SettingsNames.busName, path: "/", interface: "a.b", member: "c")
        dbus_message_set_serial(call.raw, serial)
        return call
    }
}
