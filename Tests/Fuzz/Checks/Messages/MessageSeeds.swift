import CDBus
import SettingsBus
import SettingsModel

@testable import DBus

/// Good messages to begin with: a call, an answer and a signal of every member that there is, and what a client hears.
enum MessageSeeds {
    /// The messages by name, as on the wire; made of the interfaces, so that a new member has its own at once.
    static let all: [(name: String, bytes: [UInt8])] = members + errors + conversations

    private static let members = MessageMaker.interfaces.flatMap { interface in
        interface.methods.flatMap { method in
            let name = "\(interface.name).\(method.name)"
            return [
                ("call-\(name)", bytes([call(interface, method)])),
                ("reply-\(name)", bytes([reply(method)])),
            ]
        } + interface.signals.map { ("signal-\(interface.name).\($0.name)", bytes([signal(interface, $0)])) }
    }

    private static let errors = SettingsError.Name.allCases.map { name in
        ("error-\(name.rawValue)", bytes([error(BusError(SettingsError(name, "what: why; what to do")))]))
    }

    /// Hello, both subscriptions and ReadAll are answered in their order; then come changes.
    private static let conversations: [(String, [UInt8])] = {
        let main = MessageMaker.interfaces[0]
        let readAll = main.methods.first { $0.name == "ReadAll" }.map { reply($0, serial: 1) }
        let start = [
            answer([.string(":1.5")], serial: 4, from: "org.freedesktop.DBus"),
            answer([], serial: 3, from: "org.freedesktop.DBus"),
            answer([], serial: 2, from: "org.freedesktop.DBus"),
        ]
        let changed = main.signals.map { signal(main, $0) }
        let left = ownerChanged(from: ":1.7", to: "")
        let came = ownerChanged(from: "", to: ":1.8")
        return [
            ("follow", bytes(start + [readAll].compactMap { $0 } + changed)),
            ("owners", bytes(start + [readAll].compactMap { $0 } + [left, came])),
        ]
    }()

    // MARK: Messages

    private static func bytes(_ messages: [Message]) -> [UInt8] {
        for (number, message) in messages.enumerated() where message.serial == 0 {
            dbus_message_set_serial(message.raw, UInt32(number + 1))
        }
        return messages.flatMap(WireMessages.bytes)
    }

    private static func filled(_ message: Message, _ values: [Value], from sender: String = ":1.7") -> Message {
        do { try message.append(values) } catch { preconditionFailure("A seed cannot be sent: \(error)") }
        dbus_message_set_sender(message.raw, sender)
        return message
    }

    private static func call(_ interface: Interface, _ method: Interface.Method) -> Message {
        let message = Message.methodCall(
            to: SettingsNames.busName, path: SettingsNames.path, interface: interface.name, member: method.name)
        return filled(message, method.inputs.map(value))
    }

    private static func answer(_ values: [Value], serial: UInt32 = 3, from sender: String = ":1.7") -> Message {
        filled(.reply(to: asked(by: serial)), values, from: sender)
    }

    private static func reply(_ method: Interface.Method, serial: UInt32 = 3) -> Message {
        answer(method.outputs.map(value), serial: serial)
    }

    private static func error(_ error: BusError) -> Message {
        filled(.error(replyingTo: asked(by: 3), error), [])
    }

    private static func signal(_ interface: Interface, _ signal: Interface.Signal) -> Message {
        filled(.signal(path: SettingsNames.path, interface: interface.name, member: signal.name), signal.arguments.map(value))
    }

    private static func ownerChanged(from old: String, to new: String) -> Message {
        let message = Message.signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
        return filled(message, [SettingsNames.busName.rawValue, old, new].map(Value.string), from: "org.freedesktop.DBus")
    }

    private static func asked(by serial: UInt32) -> Message {
        let call = Message.methodCall(to: ":1.5", path: "/", interface: "a.b", member: "c")
        dbus_message_set_serial(call.raw, serial)
        return call
    }

    // MARK: Values

    private static let values = Value.variants([("profile.name", .string("Ada")), ("provider.id", .string("mpd"))])
    private static let change = SettingsChange(
        revision: 3, values: ["profile.name": "Bob"], previous: ["profile.name": "Ada"], actions: ["SetValues"], origin: .bus,
        application: "bar", time: 1)

    private static func value(_ argument: Interface.Argument) -> Value {
        switch (argument.name, argument.signature) {
        case ("key", _): .string("profile.name")
        case ("keys", _): .strings(["profile.name", "provider"])
        case ("values", _): values
        case ("options", _): .variants([(SettingsNames.expectedRevision, .uint64(2))])
        case ("details", _): change.wire[2]
        case ("fields", _): .variants([("name", .string("Bob")), ("email", .string("bob@example.org"))])
        case ("actions", "a(sa{sv})"): [Action("SetValues", ["values": .record(["profile.name": "Bob"])]), Action("Undo")].wire
        case ("actions", _):
            .named(Schema.builtIn.actions.map { ($0.name, ActionDescription($0).wire) })
        case ("settings", _):
            .named(Schema.builtIn.settings.map { ($0.key, SettingDescription($0, Layers().resolve($0, user: nil)).wire) })
        case ("changes", _): ChangesAnswer(revision: 3, isComplete: true, changes: [change]).wire[2]
        case ("link", _): .string("help")
        case ("url", _): .string("https://example.org/help")
        case ("provider", _): .string("spotify")
        case ("interface_name", _): .string(SettingsNames.interface(forSection: "profile").rawValue)
        case ("property_name", _): .string("Name")
        default: ordinary(argument.signature)
        }
    }

    private static func ordinary(_ type: Signature) -> Value {
        switch type {
        case "t": .uint64(3)
        case "b": .boolean(true)
        case "as": .strings(["a"])
        case "a{sv}": values
        case "v": .variant(.string("Ada"))
        default: .string("Ada")
        }
    }
}
