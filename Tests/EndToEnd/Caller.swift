import DBus
import EventLoop
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// A client of the daemon that says and sees everything as it is on the wire. Used on one thread.
final class Caller {
    /// What came from the daemon, in the order in which it came.
    enum Event: Hashable {
        case reply([Value])
        case refusal(String)
        case signal(String, [Value])
    }

    let loop: EventLoop
    let connection: Connection
    private(set) var events: [Event] = []
    /// The object that it calls.
    let path: ObjectPath

    /// What it calls, kept running as long as the caller is there.
    private let daemon: RunningProcess?

    /// - Parameters:
    ///   - application: whose settings it is about; empty: the daemon's own.
    ///   - daemon: a daemon that nobody else keeps.
    ///   - loop: one to share with another caller.
    init(
        _ session: TestSession, application: String = "", keeping daemon: RunningProcess? = nil, loop: EventLoop? = nil
    ) throws {
        path = SettingsNames.path(ofApplication: application)
        self.daemon = daemon
        self.loop = try loop ?? EventLoop()
        connection = try Connection.open(address: session.bus.address, loop: self.loop)
    }

    // MARK: Calls

    static func message(
        _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface,
        path: ObjectPath = SettingsNames.path
    ) throws -> Message {
        let message = Message.methodCall(to: SettingsNames.busName, path: path, interface: interface, member: member)
        try message.append(arguments)
        return message
    }

    /// Calls and returns the answer.
    @discardableResult
    func ask(
        _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface,
        path: ObjectPath? = nil
    ) throws -> [Value] {
        let call = try Self.message(member, arguments, interface, path: path ?? self.path)
        return try connection.callAndWait(call, timeout: .seconds(20)).body()
    }

    /// Calls and returns the error that comes back.
    func refusal(
        _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface,
        path: ObjectPath? = nil
    ) throws -> BusError {
        do {
            let answer = try ask(member, arguments, interface, path: path)
            throw TestFailure("\(member) was not refused; it answered \(answer).")
        } catch let error as BusError {
            return error
        }
    }

    @discardableResult
    func write(_ values: [(String, Value)], options: [(String, Value)] = []) throws -> UInt64? {
        try ask("Write", [.variants(values), .variants(options)]).first?.uint64
    }

    @discardableResult
    func dispatch(_ actions: [Action], options: [(String, Value)] = []) throws -> UInt64? {
        try ask("Dispatch", [actions.wire, .variants(options)]).first?.uint64
    }

    func read(_ key: String) throws -> Value? { try ask("Read", [.string(key)]).first?.unwrapped }

    func revision() throws -> UInt64? { try property("Revision").uint64 }

    func property(_ name: String, _ interface: InterfaceName = SettingsNames.interface) throws -> Value {
        let answer = try ask("Get", [.string(interface.rawValue), .string(name)], .properties)
        return try #require(answer.first).unwrapped
    }

    // MARK: Events

    /// Keeps every signal of the daemon as an event from now on.
    func listen() throws {
        connection.subscribe(MatchRule(sender: SettingsNames.busName)) { [unowned self] signal in
            events.append(.signal(signal.member ?? "", (try? signal.body()) ?? []))
        }
        try ask("Ping", [], .peer)
        events = []
    }

    /// Calls, keeps the answer as an event, and waits until everything that follows from the call has come: what the
    /// daemon sends before it answers a later call.
    @discardableResult
    func record(
        _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface
    ) throws -> [Event] {
        let start = events.count
        connection.call(try Self.message(member, arguments, interface, path: path)) { [unowned self] answer in
            switch answer {
            case .success(let message): events.append(.reply((try? message.body()) ?? []))
            case .failure(let error): events.append(.refusal(error.name.rawValue))
            }
        }
        try wait("an answer to \(member)") { events.count > start }
        // The daemon sends a transaction's signals together with its answer.
        try ask("Ping", [], .peer)
        return Array(events[start...])
    }

    func wait(_ what: String, _ condition: () -> Bool) throws {
        guard loop.run(until: condition, timeout: .seconds(20)) else {
            throw TestFailure("Not within 20 s: \(what). Events: \(events)")
        }
    }
}

extension InterfaceName {
    static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
    static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    static let profile = SettingsNames.interface(forSection: "profile")
    static let provider = SettingsNames.interface(forSection: "provider")
}

extension Caller.Event {
    /// The member of a signal, `reply`, or the error's name.
    var name: String {
        switch self {
        case .reply: "reply"
        case .refusal(let name): name
        case .signal(let member, _): member
        }
    }

    /// The arguments of a signal or a reply.
    var arguments: [Value] {
        switch self {
        case .reply(let arguments), .signal(_, let arguments): arguments
        case .refusal: []
        }
    }

    /// The change that a signal `Changed` announces.
    var change: SettingsChange? { name == "Changed" ? SettingsChange(changed: arguments) : nil }
}

extension BusError {
    /// The name without the common beginning of the service's or the standard errors.
    var shortName: String {
        let name = name.rawValue
        for prefix in [SettingsNames.errorPrefix, "org.freedesktop.DBus.Error."] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }
}
