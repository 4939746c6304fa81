import CDBus
import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite(.logsOnFailure)
struct ServerTests {
    private static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
    private static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

    @Test func whatIsNotDeclaredIsRefusedByTheStandardErrors() throws {
        let fixture = try Fixture()
        #expect(try fixture.refusal("Echo", path: "/org/example/Nothing")?.name == .unknownObject)
        #expect(try fixture.refusal("Echo", path: "/org/example")?.name == .unknownObject)
        #expect(try fixture.refusal("GetAll", [.string("")], interface: Self.properties, path: "/")?.name == .unknownObject)
        #expect(try fixture.refusal("Echo", interface: "org.example.Other")?.name == .unknownInterface)
        let member = try #require(try fixture.refusal("Ehco"))
        #expect(member.name == .unknownMethod)
        #expect(member.message == "org.example.Test1 has no method \"Ehco\"; did you mean \"Echo\"?")
        #expect(try fixture.refusal("Introspekt", interface: Self.introspectable, path: "/")?.name == .unknownMethod)
    }

    @Test func argumentsOfOtherTypesAreRefusedNamingBoth() throws {
        let fixture = try Fixture()
        let error = try #require(try fixture.refusal("Describe", [.string("x"), .byte(1)]))
        #expect(error.name == .invalidArgs)
        #expect(error.message == "Describe takes arguments of type \"sa{sv}\" (name, details); the call has \"sy\"")
        #expect(try fixture.refusal("Describe")?.message.hasSuffix("the call has none") == true)
        #expect(try fixture.refusal("Describe", [.string("x"), .variants([]), .byte(1)])?.name == .invalidArgs)
        #expect(
            try fixture.refusal("Fail", [.byte(1)])?.message == "Fail takes no arguments; the call has \"y\"")
        #expect(try fixture.refusal("Get", [.string("x")], interface: Self.properties)?.name == .invalidArgs)
    }

    @Test(arguments: ["/", "/org", "/org/example/Test1", "/nowhere/at/all"])
    func peerIsAnsweredOnEveryPath(path: String) throws {
        let fixture = try Fixture()
        let path = try #require(ObjectPath(path))
        #expect(try fixture.ask("Ping", interface: Self.peer, path: path) == [])
        #expect(try fixture.ask("GetMachineId", interface: Self.peer, path: path).first?.string?.count == 32)
    }

    @Test func aConnectionWithoutObjectsAnswersPeerAndRefusesTheRest() throws {
        let fixture = try Fixture()
        let name = try #require(fixture.client.uniqueName.flatMap { BusName($0) })
        let ping = Message.methodCall(to: name, path: "/", interface: Self.peer, member: "Ping")
        #expect(try fixture.service.callAndWait(ping).body() == [])
        let other = Message.methodCall(to: name, path: "/", interface: "a.b", member: "C")
        let error = #expect(throws: BusError.self) { try fixture.service.callAndWait(other) }
        #expect(error?.name == .unknownObject)
    }

    @Test func aCallWithoutAnInterfaceFindsItsMember() throws {
        let fixture = try Fixture()
        for member in ["Fail", "Ping", "Introspect"] as [MemberName] {
            let call = try fixture.message(member)
            dbus_message_set_interface(call.raw, nil)
            let answer = Result { () throws(BusError) in try fixture.client.callAndWait(call).body() }
            switch answer {
            case .success: #expect(member != "Fail")
            case .failure(let error): #expect(error.message == "Not today.")
            }
        }
        let unknown = try fixture.message("Nothing")
        dbus_message_set_interface(unknown.raw, nil)
        let error = #expect(throws: BusError.self) { try fixture.client.callAndWait(unknown) }
        #expect(error?.name == .unknownMethod)
    }

    @Test func propertiesAreReadAndSetThroughTheStandardInterface() throws {
        let fixture = try Fixture()
        let name = Value.string(TestObject.name.rawValue)
        let ask = { try fixture.ask($0, $1, interface: Self.properties) }
        let all = Value.variants([("Label", .string("first")), ("Version", .uint32(7))])
        #expect(try ask("Get", [name, .string("Label")]) == [.variant(.string("first"))])
        #expect(try ask("Get", [.string(""), .string("Version")]) == [.variant(.uint32(7))])
        #expect(try ask("GetAll", [name]) == [all])
        #expect(try ask("GetAll", [.string("")]) == [all])
        #expect(try ask("GetAll", [.string(Self.peer.rawValue)]) == [.variants([])])
        #expect(try ask("Set", [name, .string("Label"), .variant(.string("second"))]) == [])
        #expect(try ask("Get", [name, .string("Label")]) == [.variant(.string("second"))])
    }

    @Test func propertiesAreRefusedByTheStandardErrors() throws {
        let fixture = try Fixture()
        let name = Value.string(TestObject.name.rawValue)
        let refusal = { try fixture.refusal($0, $1, interface: Self.properties) }
        let unknown = try #require(try refusal("Get", [name, .string("label")]))
        #expect(unknown.name == .unknownProperty)
        #expect(unknown.message == "there is no property \"label\"; did you mean \"Label\"?")
        #expect(try refusal("Get", [.string("a.b"), .string("Label")])?.name == .unknownInterface)
        #expect(try refusal("GetAll", [.string("no name")])?.name == .unknownInterface)
        let byte = Value.variant(.byte(1))
        #expect(try refusal("Set", [name, .string("Version"), byte])?.name == .propertyReadOnly)
        #expect(try refusal("Set", [name, .string("Label"), byte])?.message == "Label takes a string, not y.")
    }

    @Test func changesOfPropertiesAreAnnouncedOnce() throws {
        let fixture = try Fixture()
        var received: [[Value]] = []
        fixture.client.subscribe(MatchRule(path: TestObject.path, interface: Self.properties)) { signal in
            received.append((try? signal.body()) ?? [])
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        try fixture.server.propertiesChanged(at: TestObject.path, interface: TestObject.name, changed: [])
        try fixture.server.propertiesChanged(
            at: TestObject.path, interface: TestObject.name, changed: [("Label", .string("x"))], invalidated: ["Size"])
        try fixture.wait { !received.isEmpty }
        #expect(
            received == [
                [.string(TestObject.name.rawValue), .variants([("Label", .string("x"))]), .strings(["Size"])]
            ])
    }

    @Test func whatTheServiceRefusesNeverReachesAnObject() throws {
        let fixture = try Fixture()
        fixture.server.refuse = { message in
            message.wireSize > 1 << 20 ? BusError(name: "org.example.Error.TooLarge", message: "Too large.") : nil
        }
        let large = Value.variant(.string(String(repeating: "x", count: 1 << 20)))
        #expect(try fixture.refusal("Echo", [large])?.message == "Too large.")
        let small = Value.variant(.string(String(repeating: "x", count: 1 << 19)))
        #expect(try fixture.ask("Echo", [small]) == [small])
    }

    @Test func aWithdrawnObjectIsGone() throws {
        let fixture = try Fixture()
        fixture.server.withdraw(TestObject.path)
        #expect(try fixture.refusal("Fail")?.name == .unknownObject)
    }

    /// The content of the variant is a file descriptor, or an array that ends in such a variant, which only libdbus itself can put there.
    @Test(arguments: [nil, 0, 1000] as [Int?]) func fileDescriptorsAreRefused(behindOthers count: Int?) throws {
        let fixture = try Fixture()
        let call = try fixture.message("Echo")
        var body = DBusMessageIter()
        var content = DBusMessageIter()
        var array = DBusMessageIter()
        func add(_ code: UnicodeScalar, to iterator: inout DBusMessageIter) {
            var variant = DBusMessageIter()
            var number: Int32 = 0
            dbus_message_iter_open_container(&iterator, TypeCode.variant, String(code), &variant)
            dbus_message_iter_append_basic(&variant, Int32(code.value), &number)
            dbus_message_iter_close_container(&iterator, &variant)
        }
        dbus_message_iter_init_append(call.raw, &body)
        if let count {
            dbus_message_iter_open_container(&body, TypeCode.variant, "av", &content)
            dbus_message_iter_open_container(&content, Int32(UInt8(ascii: "a")), "v", &array)
            for _ in 0..<count { add("i", to: &array) }
            add("h", to: &array)
            dbus_message_iter_close_container(&content, &array)
            dbus_message_iter_close_container(&body, &content)
        } else {
            add("h", to: &body)
        }
        let error = #expect(throws: BusError.self) { try fixture.client.callAndWait(call) }
        #expect(error?.message == "file descriptors are not accepted")
    }

    @Test func timersAndOtherSourcesAreServedDuringAFloodOfCalls() throws {
        let fixture = try Fixture()
        var answered = 0
        for _ in 0..<5000 {
            fixture.client.call(try fixture.message("Echo", [.variant(.byte(1))])) { _ in answered += 1 }
        }
        var answeredAtTimer: Int?
        fixture.loop.schedule(after: .zero) { answeredAtTimer = answered }
        try fixture.wait { answered == 5000 }
        #expect(try #require(answeredAtTimer) < 1000)
    }
}
