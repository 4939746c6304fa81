import DBus
import EventLoop
import Foundation
import SettingsBus
import TestSupport

/// A settings service on a bus of its own, and one caller: settingsd, or the floor in its place.
final class Service {
    enum Kind {
        case settingsd
        /// In memory only.
        case memory
        /// With a flush before each answer.
        case disk
    }

    let kind: Kind
    let session: TestSession
    let connection: Connection
    private var count = 0

    /// Makes the bus, lets it start the service, and waits for its first answer.
    ///
    /// - Parameter keys: how many keys the document of settingsd has.
    init(_ kind: Kind, keys: Int = 1) throws {
        self.kind = kind
        session = try TestSession(activatable: kind == .settingsd)
        switch kind {
        case .settingsd: if keys > 1 { try session.folder.write(Self.document(keys: keys), to: TestSession.document) }
        case .memory: try session.bus.addService(Self.floorName.rawValue, exec: "\(Products.path("Floor")) \(Self.floorName)")
        case .disk:
            try session.bus.addService(
                Self.floorName.rawValue,
                exec: "\(Products.path("Floor")) \(Self.floorName) \(session.folder.path("floor"))")
        }
        connection = try Connection.open(address: session.bus.address, loop: try EventLoop())
        try set()
    }

    private static let floorName: BusName = "org.settingsd.Floor"

    /// A document with a name and, beside it, keys that no schema knows.
    private static func document(keys: Int) -> String {
        let others = (1..<keys).map { "\"k\($0)\": \"v\($0)-abcdefghijklmnop\"" }.joined(separator: ",\n")
        return "{ \"format\": 1, \"revision\": 1, \"profile\": { \"name\": \"Ada\" }, \"bench\": {\n\(others)\n} }\n"
    }

    var name: BusName { kind == .settingsd ? SettingsNames.busName : Self.floorName }

    private func call(_ member: MemberName, _ arguments: [Value]) throws -> Message {
        let (path, interface) =
            kind == .settingsd
            ? (SettingsNames.path, SettingsNames.interface) : ("/" as ObjectPath, "org.settingsd.Floor" as InterfaceName)
        let message = Message.methodCall(to: name, path: path, interface: interface, member: member)
        try message.append(arguments)
        return message
    }

    private func getting() throws -> Message {
        kind == .settingsd ? try call("Read", [.string("profile.name")]) : try call("Get", [])
    }

    private func setting() throws -> Message {
        count += 1
        let value = "v\(count)-abcdefghijklmnop"
        return kind == .settingsd
            ? try call("Write", [.variants([("profile.name", .string(value))]), .variants([])])
            : try call("Set", [.string(value)])
    }

    func get() throws { _ = try connection.callAndWait(try getting()) }

    func set() throws { _ = try connection.callAndWait(try setting()) }

    /// Sends many calls and waits for all of their answers.
    func pipeline(_ number: Int, setting isSetting: Bool) throws {
        var failure: BusError?
        var answered = 0
        for _ in 0..<number {
            connection.call(isSetting ? try setting() : try getting()) { answer in
                answered += 1
                if case .failure(let error) = answer { failure = error }
            }
        }
        connection.loop.run(until: { answered == number })
        if let failure { throw failure }
    }

    /// The signal that follows a set.
    var changed: MatchRule {
        MatchRule(
            kind: .signal, sender: name, interface: kind == .settingsd ? SettingsNames.interface : "org.settingsd.Floor",
            member: "Changed")
    }

    /// The service's process.
    func processID() throws -> Int32 {
        var answer: Result<Int32, BusError>?
        connection.processID(of: name.rawValue) { answer = $0 }
        connection.loop.run(until: { answer != nil })
        return try answer!.get()
    }

    /// Ends the service; the next call starts it again.
    func end() throws {
        kill(try processID(), SIGTERM)
        try session.bus.waitForOwner(of: name, isOwned: false)
    }

    /// KiB of memory that the service's process has mapped.
    func memory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(processID())/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Double($0.filter(\.isNumber)) } ?? .nan
    }
}
