import DBus
import EventLoop
import SettingsBus
import SettingsModel
import TestSupport

/// Owns the daemon's name and answers as a test likes. Lives on the test's own loop, beside the client.
final class FakeService {
    enum Answer {
        case values([Value])
        case error(BusError)
        case nothing
    }

    let connection: Connection
    /// The members that were called, in order.
    private(set) var calls: [String] = []
    /// What it answers; a well-behaved service without settings at first.
    var answer: (Message) -> Answer = { good($0, revision: 5) }

    init(_ session: TestSession, loop: EventLoop, name: BusName? = TestSession.daemonName) throws {
        connection = try Connection.open(address: session.bus.address, loop: loop)
        connection.onMethodCall = { [weak self] call in self?.take(call) }
        guard let name else { return }
        try own(name)
    }

    deinit { connection.close() }

    /// Asks for the name, and waits until it is there.
    func own(_ name: BusName = TestSession.daemonName) throws {
        var ownership: NameOwnership?
        connection.requestName(name) { if case .success(let answer) = $0 { ownership = answer } }
        guard connection.loop.run(until: { ownership == .owned }, timeout: .seconds(20)) else {
            throw TestFailure("The name \(name) is not to be had.")
        }
    }

    private func take(_ call: Message) {
        calls.append(call.member ?? "")
        do {
            switch answer(call) {
            case .values(let values):
                let reply = Message.reply(to: call)
                try reply.append(values)
                try connection.send(reply)
            case .error(let error): try connection.send(.error(replyingTo: call, error))
            case .nothing: break
            }
        } catch {
            // A client that has gone away.
        }
    }

    func announce(_ values: [Value], _ member: MemberName = "Changed") throws {
        let signal = Message.signal(path: SettingsNames.path, interface: SettingsNames.interface, member: member)
        try signal.append(values)
        try connection.send(signal)
    }

    func announce(_ revision: UInt64, name: String) throws { try announce(Self.change(revision, name).wire) }

    static func change(_ revision: UInt64, _ name: String) -> SettingsChange {
        SettingsChange(
            revision: revision, values: ["profile.name": .string(name)], previous: [:], actions: [], origin: .bus,
            application: "",
            time: 0)
    }

    /// What a service with one setting answers.
    static func good(_ call: Message, revision: UInt64, name: String = "Ada") -> Answer {
        switch call.member {
        case "ReadAll": .values([.uint64(revision), .variants([("profile.name", .string(name))])])
        case "ChangesSince": .values(ChangesAnswer(revision: revision, isComplete: false, changes: []).wire)
        case "Dispatch", "Write", "Reset": .values([.uint64(revision)])
        case "Preview": .values([.variants([])])
        default: .values([])
        }
    }
}
