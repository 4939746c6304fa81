import DBus
import EventLoop
import SettingsBus
import SettingsModel
import TestSupport

/// What somebody can see of the settings at one moment.
struct Snapshot: Hashable, CustomStringConvertible {
    var revision: UInt64
    /// Every effective value that is not its default.
    var values: [String: String]

    /// The state after one more transaction.
    func setting(_ values: [String: String]) -> Snapshot {
        Snapshot(revision: revision + 1, values: self.values.merging(values) { $1 })
    }

    var description: String { "\(revision): \(values)" }
}

/// A client of the daemon that outlives it. Used on one thread.
final class Client {
    let loop: EventLoop
    private let connection: Connection

    /// - Parameter loop: one to share with another client.
    init(_ session: TestSession, loop: EventLoop? = nil) throws {
        self.loop = try loop ?? EventLoop()
        connection = try Connection.open(address: session.bus.address, loop: self.loop)
    }

    func close() { connection.close() }

    private static func message(
        _ member: MemberName, _ arguments: [Value], _ interface: InterfaceName = SettingsNames.interface,
        at path: ObjectPath = SettingsNames.path
    ) throws -> Message {
        let message = Message.methodCall(
            to: SettingsNames.busName, path: path, interface: interface, member: member)
        try message.append(arguments)
        return message
    }

    private static func write(_ values: [String: String], expecting revision: UInt64?) throws -> Message {
        let options = revision.map { [("expected_revision", Value.uint64($0))] } ?? []
        return try message("Write", [.variants(values.map { ($0, .string($1)) }), .variants(options)])
    }

    @discardableResult
    func ask(
        _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface,
        at path: ObjectPath = SettingsNames.path
    ) throws -> [Value] {
        try connection.callAndWait(Self.message(member, arguments, interface, at: path), timeout: .seconds(20)).body()
    }

    /// Whether a daemon has the name.
    func isServed() throws -> Bool {
        let call = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameHasOwner")
        try call.append([.string(SettingsNames.busName.rawValue)])
        return try connection.callAndWait(call, timeout: .seconds(20)).body() == [.boolean(true)]
    }

    /// Sets values in one transaction and returns its revision.
    @discardableResult
    func set(_ values: [String: String], expecting revision: UInt64? = nil) throws -> UInt64 {
        let answer = try connection.callAndWait(Self.write(values, expecting: revision), timeout: .seconds(20)).body()
        guard let revision = answer.first?.uint64 else { throw TestFailure("Write answered \(answer).") }
        return revision
    }

    /// Calls a method without waiting for the answer.
    func begin(
        _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = SettingsNames.path,
        completion: @escaping (Result<Message, BusError>) -> Void
    ) throws {
        connection.call(try Self.message(member, arguments, at: path), completion: completion)
    }

    /// Sets values without waiting for the answer.
    func send(_ values: [String: String], completion: @escaping (Result<UInt64, BusError>) -> Void) throws {
        connection.call(try Self.write(values, expecting: nil)) { answer in
            completion(answer.map { (try? $0.body())?.first?.uint64 ?? 0 })
        }
    }

    func snapshot() throws -> Snapshot {
        let answer = try ask("ReadAll")
        guard let revision = answer.first?.uint64, let values = answer.last?.variants else {
            throw TestFailure("ReadAll answered \(answer).")
        }
        var seen: [String: String] = [:]
        for (key, value) in values {
            let text = value.string ?? ""
            if text != (Schema.builtIn.setting(named: key)?.defaultValue.string ?? "") { seen[key] = text }
        }
        return Snapshot(revision: revision, values: seen)
    }

    func value(_ key: String) throws -> String { try ask("Read", [.string(key)]).first?.unwrapped.string ?? "" }

    func problems() throws -> [String] {
        let arguments: [Value] = [.string(SettingsNames.interface.rawValue), .string("Problems")]
        return try ask("Get", arguments, "org.freedesktop.DBus.Properties").first?.unwrapped.strings ?? []
    }

    /// Lets the daemon read all files again.
    func reload() throws { try ask("Reload") }

    /// The new effective values of each transaction after a revision, by its own; nil where the history does not reach back.
    func changes(since revision: UInt64) throws -> [UInt64: [String: String]]? {
        let answer = try ask("ChangesSince", [.uint64(revision)])
        guard answer.count == 3, answer[1] == .boolean(true), case .array(_, let changes) = answer[2] else { return nil }
        var seen: [UInt64: [String: String]] = [:]
        for case .structure(let fields) in changes {
            guard let revision = fields.first?.uint64, fields.count == 3, let values = fields[1].variants else { return nil }
            seen[revision] = Dictionary(uniqueKeysWithValues: values.map { ($0, $1.string ?? "") })
        }
        return seen
    }

    /// Calls `handler` with the arguments of each `Changed` from now on.
    func listen(_ handler: @escaping (SettingsChange) -> Void) throws {
        connection.subscribe(
            MatchRule(sender: SettingsNames.busName, interface: SettingsNames.interface, member: "Changed")
        ) { signal in
            if let change = SettingsChange(changed: (try? signal.body()) ?? []) { handler(change) }
        }
        try ask("Ping", [], "org.freedesktop.DBus.Peer")
    }

    /// Serves the loop until the condition holds.
    func wait(_ what: String, _ limit: Duration = .seconds(20), _ condition: () throws -> Bool) throws {
        // Files change behind the loop's back, so that nothing else might end its sleep.
        let loop = loop
        var stop = {}
        func tick() { stop = loop.schedule(after: .milliseconds(2), handler: tick).cancel }
        tick()
        defer { stop() }
        var failure: (any Error)?
        let holds = {
            do {
                failure = nil
                return try condition()
            } catch {
                failure = error
                return false
            }
        }
        guard loop.run(until: holds, timeout: limit) else {
            throw TestFailure("Not within \(limit): \(what). \(failure.map { "\($0)" } ?? "")")
        }
    }
}
