import CDBus
import SettingsBus
import Synchronization

@testable import DBus

/// Messages: whatever comes over the bus is decoded or refused, by the daemon and by a client alike.
///
/// The bytes are messages as on the wire, one after the other, or else choices of which such messages are made.
enum MessageCheck {
    static func check(_ bytes: [UInt8]) throws {
        let isWire = bytes.first.map { "lB".utf8.contains($0) } ?? false
        var maker = MessageMaker(bytes)
        let messages = isWire ? WireMessages.parse(bytes) : maker.messages()
        for message in messages { try checkBody(of: message) }
        try turn.withLock { _ in
            let (bus, service, client) = try ends.get()
            bus.adopt()
            // Each end gets messages of its own, since it may change them.
            try service.check(messages.map(WireMessages.copy))
            try client.check(messages.map(WireMessages.copy))
        }
    }

    /// Made once, since each check leaves them as they were; used by who has the turn.
    nonisolated(unsafe) private static let ends = Result {
        let bus = try MuteBus()
        return (bus, try ServiceCheck(bus), ClientCheck(bus))
    }
    private static let turn = Mutex(())

    /// What was decoded is the same message once it is encoded.
    private static func checkBody(of message: Message) throws {
        _ = (message.kind, message.path, message.destination, message.error, message.firstString)
        let body: [Value]
        do {
            body = try message.body()
        } catch {
            try promise(error.name == .invalidArgs, "\(error)")
            do { _ = try message.body(packs: true) } catch let again { return try promise(again.name == error.name, "\(again)") }
            throw BrokenPromise(description: "What is refused was decoded in part")
        }
        let types = body.map(\.signature.rawValue).joined()
        try promise(types == message.signature, "\(types) was decoded from \(message.signature)")
        for value in body { checkValue(value) }
        let again = Message.signal(path: "/", interface: "a.b", member: "c")
        do {
            try again.append(body)
        } catch {
            throw BrokenPromise(description: "What was decoded cannot be sent: \(error)")
        }
        let (old, new) = (WireMessages.body(of: message), WireMessages.body(of: again))
        try promise(old == nil || old == new, "Another body was encoded")
        let packed = Message.signal(path: "/", interface: "a.b", member: "c")
        do {
            try packed.append(try message.body(packs: true))
        } catch {
            throw BrokenPromise(description: "What was decoded in part cannot be sent: \(error)")
        }
        try promise(new == WireMessages.body(of: packed), "Another body was decoded in part")
        try checkAnswers(to: message, body)
    }

    /// What goes out without libdbus's looking at it is what libdbus takes and reads as the same.
    private static func checkAnswers(to message: Message, _ body: [Value]) throws {
        // What was never sent has no number, and none of these is ever answered.
        let call = WireMessages.copy(message)
        let text = body.lazy.compactMap(\.string).first ?? "none"
        do {
            var answers = [
                try WireMessage.signal(path: "/", interface: "a.b", member: "c", body), try .reply(to: call, body),
                try .error(replyingTo: call, .failed(text)),
            ]
            for index in answers.indices { answers[index].setSerial(7) }
            let read = try answers.map { try Message(adopting: OpaquePointer(message: $0.bytes)).body() }
            // A double that is no number equals nothing, so that bytes are compared.
            for (answer, values) in zip(answers, read) {
                let again = Message.signal(path: "/", interface: "a.b", member: "c")
                try again.append(values)
                let sent = answer.bytes.suffix((WireMessages.body(of: again) ?? []).count)
                try promise(WireMessages.body(of: again).map { sent.elementsEqual($0) } ?? true, "Another answer was sent")
            }
            try promise(read[0].count == body.count && read[1].count == body.count, "Values of an answer are lost")
            try promise(read[2] == [.string(text)], "An error says \(read[2])")
        } catch let error as BusError {
            throw BrokenPromise(description: "An answer cannot be sent: \(error)")
        }
    }

    private static func checkValue(_ value: Value) {
        _ = value.hashValue
        _ = value == value.unwrapped
        if let setting = value.unwrapped.settingValue() { _ = Value(setting).signature }
    }
}

/// Messages as bytes.
enum WireMessages {
    /// The messages at the beginning of the bytes, up to the first that is none.
    static func parse(_ bytes: [UInt8]) -> [Message] {
        var messages: [Message] = []
        var rest = bytes[...]
        while !rest.isEmpty, messages.count < 16, let (message, count) = first(in: Array(rest)) {
            messages.append(message)
            rest = rest.dropFirst(count)
        }
        return messages
    }

    private static func first(in bytes: [UInt8]) -> (Message, Int)? {
        bytes.withUnsafeBytes { bytes in
            let characters = bytes.bindMemory(to: CChar.self)
            let count = Int(dbus_message_demarshal_bytes_needed(characters.baseAddress, Int32(bytes.count)))
            guard count > 0, count <= bytes.count,
                let raw = dbus_message_demarshal(characters.baseAddress, Int32(count), nil)
            else { return nil }
            return (Message(adopting: raw), count)
        }
    }

    static func copy(_ message: Message) -> Message {
        guard let raw = dbus_message_copy(message.raw) else { preconditionFailure("Out of memory for a message.") }
        dbus_message_set_serial(raw, max(1, message.serial))
        return Message(adopting: raw)
    }

    /// The whole message.
    static func bytes(of message: Message) -> [UInt8] {
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(message.raw, &bytes, &count) != 0 else { return [] }
        defer { dbus_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// The body, whose length stands in the header (specification, "Message Format"); nil in the other byte order.
    static func body(of message: Message) -> [UInt8]? {
        let bytes = bytes(of: message)
        guard bytes.count >= 16, bytes[0] == UInt8(ascii: "l") else { return nil }
        return Array(bytes.suffix(bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }))
    }
}
