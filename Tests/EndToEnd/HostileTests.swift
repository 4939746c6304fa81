import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite(.logsOnFailure) struct HostileTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session)
    }

    private static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(Value.string("x")) { value, _ in .variant(value) }
    }

    private static let bodies: [[Value]] = [
        [], [.byte(1)], [.string("x")], [.string("x"), .string("y"), .string("z")], [nested(60)], [.strings(["a"])],
        [.objectPath("/a")], [.signature("a{sv}")], [.double(.nan)], [.structure([.string("a"), nested(50)])],
        [.variants([("a", nested(50))])], [.variants([]), .variants([]), .variants([])], [.array(element: "v", [nested(50)])],
        [.string(String(repeating: "x", count: 1 << 20))], [.array(element: "y", Array(repeating: .byte(7), count: 100_000))],
    ]

    @Test(arguments: SettingsInterfaces.interfaces(for: .builtIn).map(\.name) + [.properties, .introspectable, .peer])
    func everyBadCallIsAnsweredByAnErrorAndTheDaemonLivesOn(interface: InterfaceName) throws {
        let declared = SettingsInterfaces.interfaces(for: .builtIn).first { $0.name == interface }?.methods ?? []
        for body in Self.bodies {
            let signature = body.map(\.signature.rawValue).joined()
            for method in declared where method.inputs.map(\.signature.rawValue).joined() != signature {
                let refusal = try caller.refusal(method.name, body, interface)
                #expect(["InvalidArgs", "TooLarge"].contains(refusal.shortName), "\(method.name) \(refusal)")
            }
            let refusal = try caller.refusal("NoSuchMember", body, interface)
            let expected: Set<String> =
                declared.isEmpty ? ["UnknownMethod", "UnknownInterface", "TooLarge"] : ["UnknownMethod", "TooLarge"]
            #expect(expected.contains(refusal.shortName), "\(refusal)")
        }
        #expect(try caller.revision() == 0)
        #expect(daemon.isRunning)
    }

    @Test func everyBadPropertyCallIsAnsweredByAnError() throws {
        for body in Self.bodies {
            for member in ["Get", "Set", "GetAll"] as [MemberName] {
                let signature = body.map(\.signature.rawValue).joined()
                if member == "GetAll", signature == "s" { continue }
                _ = try caller.refusal(member, body, .properties)
            }
            let value = Value.variant(body.first ?? .byte(0))
            let refusal = try caller.refusal(
                "Set", [.string(InterfaceName.profile.rawValue), .string("Email"), value], .properties)
            #expect(["InvalidValue", "TooLarge"].contains(refusal.shortName), "\(refusal)")
        }
        #expect(try caller.revision() == 0)
    }

    @Test func variantsSixtyDeepAreRefusedWhereverTheyStand() throws {
        let deep = Self.nested(50)
        #expect(try caller.refusal("Write", [.variants([("profile.name", deep)]), .variants([])]).shortName == "InvalidValue")
        #expect(
            try caller.refusal("Write", [.variants([]), .variants([("expected_revision", deep)])]).shortName == "InvalidArgs")
        let action = Value.structure([.string("SelectProvider"), .variants([("provider", deep)])])
        let actions = Value.array(element: "(sa{sv})", [action])
        #expect(try caller.refusal("Dispatch", [actions, .variants([])]).shortName == "InvalidArgument")
        #expect(try caller.refusal("Preview", [actions]).shortName == "InvalidArgument")
    }

    @Test func randomCallsAreAllAnsweredAndNeverEndTheDaemon() throws {
        var random = SeededGenerator(seed: 20_240_229)
        for _ in 0..<400 {
            let key = random.pick(["profile.name", "provider", "support.help", "", "x", "profile.", "é"])
            let values = Value.variants([
                (key, random.value(depth: 4)), (random.pick(["profile.name", "b"]), random.value(depth: 2)),
            ])
            let name = random.pick(["SetValues", "UpdateProfile", "LinkAccount", "", "ResetValues", "OpenSupportLink"])
            let argument = random.pick(["values", "keys", "name", "account", "link"])
            let action = Value.structure([.string(name), .variants([(argument, random.value(depth: 4))])])
            let actions = Value.array(element: "(sa{sv})", [action])
            for (member, arguments) in [
                ("Write", [values, .variants([])]), ("Dispatch", [actions, .variants([])]), ("Preview", [actions]),
            ] as [(MemberName, [Value])] {
                do {
                    try caller.ask(member, arguments)
                } catch let error as BusError {
                    #expect(error.name.rawValue.hasPrefix("org.settingsd.Settings1.Error."), "\(error)")
                }
            }
        }
        #expect(daemon.isRunning)
    }

    @Test func bytesThatAreNoTextDoNotReachTheDaemon() throws {
        let script = """
            import sys
            from jeepney import DBusAddress, new_method_call
            from jeepney.io.blocking import open_dbus_connection
            name = 'org.settingsd.Settings1'
            address = DBusAddress('/org/settingsd/Settings1', name, name)
            for bad in (b'\\xff\\xfe', b'\\xed\\xa0', b'\\x00A'):
                connection = open_dbus_connection('SESSION')
                call = new_method_call(address, 'Write', 'a{sv}a{sv}', ({'profile.name': ('s', 'QQ')}, {}))
                connection.sock.sendall(call.serialise(serial=next(connection.outgoing_serial)).replace(b'QQ', bad))
                try:
                    while connection.receive(timeout=10): pass
                except ConnectionError: print('thrown out')
            """
        let client = try RunningProcess("/usr/bin/python3", ["-c", script], environment: session.environment)
        try client.waitForExit()
        #expect(client.stdout == "thrown out\nthrown out\nthrown out\n", "\(client.log)")
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
    }

    @Test func aCallerThatDoesNotWaitForTheAnswerIsServed() throws {
        try caller.listen()
        let gone = try RunningProcess(
            "busctl",
            [
                "--user", "--expect-reply=no", "call", "org.settingsd.Settings1", "/org/settingsd/Settings1",
                "org.settingsd.Settings1", "Write", "a{sv}a{sv}", "1", "profile.name", "s", "Ada", "0",
            ], environment: session.environment)
        try gone.waitForExit()
        try caller.wait("the change") { caller.events.contains { $0.name == "Changed" } }
        #expect(try caller.read("profile.name") == .string("Ada"))
    }

    @Test func aSubscriberThatNeverReadsCostsOthersNothing() throws {
        let session = try TestSession(limits: ["max_outgoing_bytes": 1_000_000])
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        // The history has its own bound, which this reaches.
        for number in 1...200 { try caller.write([("support.help", .string(Self.link(number)))]) }
        let deaf = try Caller(session)
        try deaf.listen()
        for _ in 0..<200 { try deaf.connection.send(try Caller.message("ReadAll")) }
        deaf.connection.flush()
        let before = try Self.memory(of: daemon)
        for number in 201...600 { try caller.write([("support.help", .string(Self.link(number)))]) }
        // Some 50 MB of signals went out.
        let growth = try Self.memory(of: daemon) - before
        #expect(growth < 32 << 20)
        #expect(try caller.read("support.help") == .string(Self.link(600)))
    }

    private static func link(_ number: Int) -> String {
        "https://example.org/\(number)/" + String(repeating: "x", count: 30_000)
    }

    /// Bytes of resident memory.
    private static func memory(of process: RunningProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(separator: " ")[1])) * 1024
    }
}

extension SeededGenerator {
    fileprivate mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &self) {
        case 0: .byte(UInt8.random(in: 0...255, using: &self))
        case 1: .boolean(Bool.random(using: &self))
        case 2: .int64(pick([.min, -1, 0, .max]))
        case 3: .double(pick([.nan, .infinity, -0.0, 1e300]))
        case 4, 5:
            .string(pick(["", "mpd", "a\u{1F}b", "\u{202E}", "e\u{301}", "mailto:x", String(repeating: "é", count: 3000)]))
        case 6: .objectPath("/a/b")
        case 7: .uint32(7)
        case 8: .variant(value(depth: depth - 1))
        case 9: .structure([value(depth: depth - 1), value(depth: depth - 1)])
        case 10: .variants([("a", value(depth: depth - 1)), ("a", value(depth: depth - 1))])
        default: .array(element: "v", [.variant(value(depth: depth - 1)), .variant(value(depth: depth - 1))])
        }
    }
}
