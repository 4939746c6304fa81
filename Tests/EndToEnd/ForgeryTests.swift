import CDBus
import EventLoop
import Glibc
import SettingsBus
import SettingsClient
import SettingsModel
import TestSupport
import Testing

@testable import DBus

/// Messages of peers who are not who they should be. A session bus delivers them all.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ForgeryTests {
    let session: TestSession
    let loop: EventLoop
    let forger: Connection

    init() throws {
        session = try TestSession()
        loop = try EventLoop()
        forger = try Connection.open(address: session.bus.address, loop: loop)
    }

    /// The connections that there can be: unique names are counted up.
    private let victims = (0..<8).map { ":1.\($0)" }

    private func send(_ message: Message, to victim: String) throws {
        dbus_message_set_destination(message.raw, victim)
        try forger.send(message)
    }

    /// Answers every call that a connection that counts its calls would have made by now.
    private func forgeReplies(_ values: [Value], _ error: BusError? = nil) throws {
        for victim in victims where victim != forger.uniqueName {
            for serial in 1...300 as ClosedRange<UInt32> {
                let call = Message.methodCall(to: .bus, path: "/", interface: "a.b", member: "c")
                dbus_message_set_serial(call.raw, serial)
                let reply = error.map { .error(replyingTo: call, $0) } ?? Message.reply(to: call)
                if error == nil { try reply.append(values) }
                try send(reply, to: victim)
            }
        }
        _ = try forger.callAndWait(
            .methodCall(to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Peer", member: "Ping"))
    }

    @Test func aReplyWithAGuessedSerialIsNoAnswer() throws {
        let service = try FakeService(session, loop: loop)
        var waiting: [Message] = []
        service.answer = { call in
            waiting.append(call)
            return .nothing
        }
        let client = try Connection.open(address: session.bus.address, loop: loop)
        var answers: [Result<Message, BusError>] = []
        for _ in 0..<20 { client.call(try Caller.message("ReadAll")) { answers.append($0) } }
        #expect(loop.run(until: { waiting.count == 20 }, timeout: .seconds(20)))
        try forgeReplies([.uint64(66), .variants([("profile.name", .string("Evil"))])])
        try forgeReplies([], BusError(name: .failed, message: "Evil"))
        #expect(answers.isEmpty)
        for call in waiting {
            let reply = Message.reply(to: call)
            try reply.append([.uint64(1), .variants([])])
            try service.connection.send(reply)
        }
        #expect(loop.run(until: { answers.count == 20 }, timeout: .seconds(20)))
        #expect(try answers.allSatisfy { try $0.get().body().first == .uint64(1) })
    }

    /// Who the bus says that a caller is stands in the history.
    @Test func nobodyAnswersInTheBusesPlace() throws {
        let call = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "GetId")
        let client = try Connection.open(address: session.bus.address, loop: loop)
        #expect(loop.run(until: { client.uniqueName != nil && forger.uniqueName != nil }, timeout: .seconds(20)))
        var answer: Result<Message, BusError>?
        session.bus.process.signal(SIGSTOP)
        client.call(call) { answer = $0 }
        let forged = Message.methodCall(to: .bus, path: "/", interface: "a.b", member: "c")
        dbus_message_set_serial(forged.raw, call.serial)
        let reply = Message.reply(to: forged)
        try reply.append([.string("Evil")])
        dbus_message_set_sender(reply.raw, forger.uniqueName)
        client.take(reply)
        #expect(answer == nil)
        session.bus.process.signal(SIGCONT)
        #expect(loop.run(until: { answer != nil }, timeout: .seconds(20)))
        #expect(try answer?.get().body().first != .string("Evil"))
    }

    @Test func aForgedChangeOfTheOwnerChangesNothing() throws {
        let service = try FakeService(session, loop: loop)
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        let looks = service.calls.count
        for victim in victims {
            for new in ["", forger.uniqueName ?? ""] {
                let signal = Message.signal(
                    path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
                try signal.append([.string(SettingsNames.busName.rawValue), .string(":1.1"), .string(new)])
                try send(signal, to: victim)
                let changed = Message.signal(
                    path: SettingsNames.path, interface: SettingsNames.interface, member: SettingsSignal.changed.member)
                try changed.append(FakeService.change(6, "Evil").wire)
                try send(changed, to: victim)
            }
        }
        try service.announce(6, name: "Bob")
        #expect(loop.run(until: { client.revision == 6 }, timeout: .seconds(20)))
        #expect(client.profile.name == "Bob" && client.loss == nil)
        #expect(service.calls.count == looks)
    }
}
