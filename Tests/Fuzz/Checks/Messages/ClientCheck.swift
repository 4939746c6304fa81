import CDBus
import Glibc
import SettingsBus
import SettingsModel

@testable import DBus
@testable import SettingsClient

/// A client's end: answers are understood or refused, and what it is told by whomever is one consistent state.
final class ClientCheck {
    private let bus: MuteBus

    init(_ bus: MuteBus) { self.bus = bus }

    func check(_ messages: [Message]) throws {
        for message in messages { try decode(message) }
        try follow(messages)
    }

    /// Reads an answer as that of each call that there is.
    private func decode(_ message: Message) throws {
        if let error = message.error { _ = ClientError(error).description }
        _ = (message.settingsChange, message.dispatchedAction)
        try decode(message, .readAll)
        try decode(message, .read("profile.name"))
        try decode(message, .describe())
        try decode(message, .listActions)
        try decode(message, .changes(since: 0))
        try decode(message, .status)
        try decode(message, .preview([]))
        try decode(message, .openSupportLink("help"))
        try decode(message, SettingsCall<UInt64>.dispatch([]))
    }

    private func decode<Answer>(_ message: Message, _ call: SettingsCall<Answer>) throws {
        let body: [Value]
        do { body = try message.body() } catch { return }
        guard let answer = call.decode(body) else { return }
        if let changes = answer as? ChangesAnswer {
            try promise(ChangesAnswer(changes.wire) == changes, "The changes have another wire form: \(changes)")
        }
    }

    /// Lets somebody follow the settings, with the messages as what the bus delivers.
    private func follow(_ messages: [Message]) throws {
        var copy = SettingsCopy(SettingsSnapshot(revision: 0, values: [:]), schema: .builtIn)
        var broken: String?
        let buffer = EventBuffer(limit: 2)
        let follower = SettingsFollower(loop: bus.loop, address: bus.address) { event in
            if case .changed(let change) = event, change.revision <= copy.snapshot.revision { broken = "\(event)" }
            copy = copy.after(event)
            _ = buffer.receive(event, copy)
        }
        try follower.start()
        let end = bus.takeEnd()
        defer {
            follower.stop()
            close(end)
        }
        guard let connection = follower.connection?.bus else { return }
        for message in messages { take(message, by: connection) }
        try promise(broken == nil, "The revision does not grow with \(broken ?? "")")
        try promise(
            copy.loss != nil || copy.snapshot.values["profile.name"] == nil || copy["profile.name"] != nil, "A value is lost")
    }

    /// Makes an answer one to a call that waits for it; which one is chosen by its own number.
    private func take(_ message: Message, by connection: Connection) {
        if message.sender == nil { dbus_message_set_sender(message.raw, ":1.7") }
        let waiting = connection.pendingCalls.inOrder
        if message.replySerial != 0, !waiting.isEmpty {
            let call = waiting[Int(message.replySerial) % waiting.count]
            dbus_message_set_reply_serial(message.raw, call.serial)
        }
        connection.take(message)
    }
}
