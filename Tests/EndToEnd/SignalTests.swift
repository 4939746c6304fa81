import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite(.logsOnFailure) struct SignalTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session)
        try caller.listen()
    }

    @Test func aTransactionIsAnsweredThenAnnouncedInTheFixedOrder() throws {
        let events = try caller.record(
            "Dispatch",
            [
                [
                    SettingsAction.selectProvider(.spotify).action, SettingsAction.linkAccount("ada").action,
                    SettingsAction.updateProfile(name: "Ada").action,
                ].wire, .variants([]),
            ])
        #expect(
            events.map(\.name) == [
                "reply", "Changed", "PropertiesChanged", "PropertiesChanged", "ActionDispatched", "ActionDispatched",
                "ActionDispatched",
            ])
        #expect(events[0].arguments == [.uint64(1)])
        let change = try #require(events[1].change)
        #expect(change.revision == 1)
        #expect(change.values == ["profile.name": "Ada", "provider.id": "spotify", "provider.account": "ada"])
        #expect(change.previous == ["profile.name": "", "provider.id": "none", "provider.account": ""])
        #expect(change.actions == ["SelectProvider", "LinkAccount", "UpdateProfile"])
        #expect(change.origin == .bus)
        #expect(change.application == ProcessInfo.processInfo.processName)
        let now = UInt64(Date().timeIntervalSince1970 * 1_000_000)
        #expect(change.time <= now && change.time > now - 60_000_000)
        #expect(
            events[2].arguments == [
                .string("org.settingsd.Settings1.Profile"), .variants([("Name", .string("Ada"))]), .strings([]),
            ])
        #expect(
            events[3].arguments == [
                .string("org.settingsd.Settings1.Provider"),
                .variants([("Id", .string("spotify")), ("Account", .string("ada"))]), .strings([]),
            ])
        #expect(
            events[4].arguments == [
                .string("SelectProvider"), .variants([("provider", .string("spotify"))]), .uint64(1),
            ])
        #expect(events[6].arguments == [.string("UpdateProfile"), .variants([("name", .string("Ada"))]), .uint64(1)])
    }

    @Test func theValueInEverySignalAndAnswerIsTheSameOfTheSameType() throws {
        let names = ["Zoë", "e\u{301}", "👩‍👩‍👧‍👦", "", " padded "]
        for name in names {
            let events = try caller.record("Write", [.variants([("profile.name", .string(name))]), .variants([])])
            let changed = try #require(events.first { $0.name == "Changed" }?.arguments[1].variants?.first)
            let property = try #require(events.first { $0.name == "PropertiesChanged" }?.arguments[1].variants?.first)
            let action = try #require(events.first { $0.name == "ActionDispatched" }?.arguments[1].variants?.first)
            let everywhere = [
                changed.1, property.1, try #require(action.1.variants?.first).1, try caller.read("profile.name"),
                try caller.property("Name", .profile), try caller.ask("ReadAll")[1].variants?.first { $0.0 == "profile.name" }?.1,
                try #require(ChangesAnswer(try caller.ask("ChangesSince", [.uint64(0)])).flatMap(\.changes.last))
                    .values["profile.name"].map(Value.init),
            ]
            for value in everywhere { #expect(value == .string(name)) }
        }
    }

    @Test func settingTheValueThatIsThereSaysAndWritesNothing() throws {
        try caller.record("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        let journal = session.folder.read(TestSession.journal)
        for (member, arguments, interface) in [
            ("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])], SettingsNames.interface),
            ("Write", [.variants([]), .variants([])], SettingsNames.interface),
            ("Reset", [.strings(["profile.email"]), .variants([])], SettingsNames.interface),
            ("Dispatch", [[Action]().wire, .variants([])], SettingsNames.interface),
            ("UpdateProfile", [.variants([])], SettingsNames.actionsInterface),
            ("UnlinkAccount", [], SettingsNames.actionsInterface),
        ] as [(MemberName, [Value], InterfaceName)] {
            #expect(try caller.record(member, arguments, interface) == [.reply([.uint64(1)])], "\(member)")
        }
        let set: [Value] = [.string("org.settingsd.Settings1.Profile"), .string("Name"), .variant(.string("Ada"))]
        #expect(try caller.record("Set", set, .properties) == [.reply([])])
        #expect(session.folder.read(TestSession.journal) == journal)
    }

    @Test func pinningADefaultIsATransactionWithoutNewValues() throws {
        let events = try caller.record("Write", [.variants([("provider.id", .string("none"))]), .variants([])])
        #expect(events.map(\.name) == ["reply", "Changed", "ActionDispatched"])
        #expect(events[1].change?.values == [:])
        #expect(events[1].change?.revision == 1)
    }

    @Test func aRefusedChangeSaysNothing() throws {
        let refused = try caller.record("Write", [.variants([("profile.email", .string("x"))]), .variants([])])
        #expect(refused == [.refusal("org.settingsd.Settings1.Error.InvalidValue")])
        #expect(try caller.revision() == 0)
    }

    @Test func openSupportLinkIsAnnouncedWithoutATransaction() throws {
        try caller.record("SetSupportLink", [.string("help"), .string("https://example.org/")], SettingsNames.actionsInterface)
        let opened = Caller.Event.signal(
            "ActionDispatched", [.string("OpenSupportLink"), .variants([("link", .string("help"))]), .uint64(1)])
        #expect(
            try caller.record("OpenSupportLink", [.string("help")], SettingsNames.actionsInterface) == [
                .reply([.uint64(1), .string("https://example.org/")]), opened,
            ])
        let noOp = [SettingsAction.openSupportLink(.help).action, SettingsAction.unlinkAccount.action]
        #expect(try caller.record("Dispatch", [noOp.wire, .variants([])]) == [.reply([.uint64(1)]), opened])
        let missing = try caller.record("OpenSupportLink", [.string("terms")], SettingsNames.actionsInterface)
        #expect(missing == [.refusal("org.settingsd.Settings1.Error.InvalidArgument")])
        #expect(try caller.revision() == 1)
    }

    @Test func settingAPropertyIsAnnouncedAsSetValues() throws {
        let set: [Value] = [.string("org.settingsd.Settings1.Provider"), .string("Id"), .variant(.string("mpd"))]
        let events = try caller.record("Set", set, .properties)
        #expect(events.map(\.name) == ["reply", "Changed", "PropertiesChanged", "ActionDispatched"])
        #expect(events[1].change?.actions == ["SetValues"])
        #expect(events[3].arguments[1] == .variants([("values", .variants([("provider.id", .string("mpd"))]))]))
    }

    @Test func aHandEditAndALayerAreAnnouncedWithTheirOrigin() throws {
        try caller.record("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        try session.folder.write(
            "{\"format\": 1, \"revision\": 1, \"profile\": {\"name\": \"Bob\"}}", to: TestSession.document)
        try caller.wait("the edit") { caller.events.contains { $0.change?.origin == .file } }
        let edit = try #require(caller.events.last { $0.change?.origin == .file }?.change)
        #expect(edit.values == ["profile.name": "Bob"])
        #expect(edit.actions == [])
        #expect(edit.application == "")
        try session.folder.write("{\"provider\": {\"id\": \"mpd\"}}", to: TestSession.adminLayer)
        try caller.ask("Reload")
        try caller.wait("the layer") { caller.events.contains { $0.change?.origin == .layer } }
        let layer = try #require(caller.events.last { $0.change?.origin == .layer }?.change)
        #expect(layer.values == ["provider.id": "mpd"])
        #expect(layer.revision == edit.revision + 1)
        let dispatched = caller.events.filter { $0.name == "ActionDispatched" }
        #expect(dispatched.count == 1)
        let properties = caller.events.filter { $0.name == "PropertiesChanged" }.map { $0.arguments[1] }
        #expect(
            properties == [
                .variants([("Name", .string("Ada"))]), .variants([("Name", .string("Bob"))]),
                .variants([("Id", .string("mpd"))]),
            ])
    }

    @Test func aTransactionOfAnotherBusesDaemonIsAnnouncedHereWithItsOriginAndActions() throws {
        let other = try TestSession(folder: session.folder)
        let otherCaller = try Caller(other, keeping: other.startDaemon())
        try otherCaller.ask("SelectProvider", [.string("mpd")], SettingsNames.actionsInterface)
        try caller.wait("the change") { caller.events.contains { $0.name == "ActionDispatched" } }
        #expect(caller.events.map(\.name) == ["Changed", "PropertiesChanged", "ActionDispatched"])
        let change = try #require(caller.events.first?.change)
        #expect(change.origin == .bus)
        #expect(change.application == ProcessInfo.processInfo.processName)
        #expect(change.values == ["provider.id": "mpd"])
        #expect(try caller.read("provider.id") == .string("mpd"))
    }

    @Test func changesOfManyClientsComeOnceAndInOrder() throws {
        let others = try (0..<4).map { _ in try Caller(session, loop: caller.loop) }
        var answers = 0
        for round in 0..<25 {
            for (index, other) in others.enumerated() {
                let values = Value.variants([("profile.name", .string("\(index) \(round)"))])
                other.connection.call(try Caller.message("Write", [values, .variants([])])) { answer in
                    if case .success = answer { answers += 1 }
                }
            }
        }
        try caller.wait("all answers") { answers == 100 }
        try caller.wait("all signals") { caller.events.compactMap(\.change).count == 100 }
        #expect(caller.events.compactMap(\.change?.revision) == Array(1...100))
    }
}
