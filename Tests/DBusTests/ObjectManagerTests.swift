import DBus
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct ObjectManagerTests {
    private static let manager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
    private static let below: ObjectPath = "/org/example/Test1/items/one"

    private func fixture() throws -> Fixture {
        let fixture = try Fixture()
        fixture.server.export(
            TestObject.path, interfaces: [TestObject.interface], object: fixture.object, isManager: true)
        return fixture
    }

    private func managed(_ fixture: Fixture) throws -> [String: Value] {
        let answer = try fixture.ask("GetManagedObjects", interface: Self.manager)
        guard case .dictionary("o", "a{sa{sv}}", let entries) = try #require(answer.first) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: entries.compactMap { entry in
                if case .objectPath(let path) = entry.key { (path.rawValue, entry.value) } else { nil }
            })
    }

    private static let interfacesAndProperties = Value.dictionary(
        key: "s", value: "a{sv}",
        [
            Value.Entry(
                key: .string(TestObject.name.rawValue), value: .variants([("Label", .string("first")), ("Version", .uint32(7))]))
        ])

    @Test func itListsTheObjectsBelowItWithTheirProperties() throws {
        let fixture = try fixture()
        #expect(try managed(fixture) == [:])
        fixture.server.export(Self.below, interfaces: [TestObject.interface], object: fixture.object)
        fixture.server.export("/org/example/Test10", interfaces: [TestObject.interface], object: fixture.object)
        #expect(try managed(fixture) == [Self.below.rawValue: Self.interfacesAndProperties])
        #expect(
            try fixture.refusal("GetManagedObjects", interface: Self.manager, path: Self.below)?.name == .unknownInterface)
        let xml = try fixture.ask("Introspect", interface: "org.freedesktop.DBus.Introspectable").first?.string
        #expect(xml?.contains("<interface name=\"org.freedesktop.DBus.ObjectManager\">") == true)
    }

    @Test func itAnnouncesWhatComesAndGoes() throws {
        let fixture = try fixture()
        var signals: [(String?, [Value])] = []
        fixture.client.subscribe(MatchRule(sender: TestObject.busName, interface: Self.manager)) { signal in
            signals.append((signal.member, (try? signal.body()) ?? []))
        }
        _ = try managed(fixture)
        fixture.server.export(Self.below, interfaces: [TestObject.interface], object: fixture.object)
        try fixture.server.announceAdded(Self.below)
        fixture.server.withdraw(Self.below)
        try fixture.server.announceRemoved([TestObject.name], of: Self.below)
        // No manager is above this one.
        try fixture.server.announceRemoved([TestObject.name], of: "/org/example/Test10")
        try fixture.wait { signals.count == 2 }
        #expect(signals.map(\.0) == ["InterfacesAdded", "InterfacesRemoved"])
        #expect(signals.first?.1 == [.objectPath(Self.below), Self.interfacesAndProperties])
        #expect(signals.last?.1 == [.objectPath(Self.below), .strings([TestObject.name.rawValue])])
    }

    @Test func anObjectIsMadeOnceWhenSomebodyFirstAsksForIt() throws {
        let fixture = try fixture()
        var made: [ObjectPath] = []
        let paths: [ObjectPath] = [
            "/org/example/Test1/items/one", "/org/example/Test1/items/two", "/org/example/Test1/items/three",
        ]
        for path in paths {
            fixture.server.export(
                path,
                whenAsked: {
                    made.append(path)
                    fixture.server.export(path, interfaces: [TestObject.interface], object: fixture.object)
                })
        }
        let xml = try fixture.ask(
            "Introspect", interface: "org.freedesktop.DBus.Introspectable", path: "/org/example/Test1/items"
        ).first?.string
        for name in ["one", "two", "three"] { #expect(xml?.contains("<node name=\"\(name)\"/>") == true) }
        #expect(made == [])
        #expect(try fixture.ask("Echo", [.variant(.byte(1))], path: paths[1]) == [.variant(.byte(1))])
        #expect(made == [paths[1]])
        #expect(try managed(fixture).count == 3)
        #expect(Set(made) == Set(paths) && made.count == 3)
    }

    @Test func anObjectThatCannotBeMadeIsUnknownAndSaysWhy() throws {
        let fixture = try fixture()
        var attempts = 0
        fixture.server.export(Self.below, whenAsked: { attempts += 1 })
        fixture.server.reasonForAbsence = { $0 == Self.below ? "its file is broken" : nil }
        for _ in 0..<2 {
            let error = try #require(try fixture.refusal("Echo", [.variant(.byte(1))], path: Self.below))
            #expect(error.name == .unknownObject)
            #expect(error.message == "there is no object at \(Self.below): its file is broken")
        }
        #expect(attempts == 1)
        #expect(try managed(fixture) == [:])
    }
}
