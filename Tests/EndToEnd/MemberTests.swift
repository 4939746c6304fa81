import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite(.logsOnFailure) struct MemberTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session)
    }

    @Test func readAllAnswersEveryEffectiveValueAtARevision() throws {
        let empty = try caller.ask("ReadAll")
        #expect(empty[0] == .uint64(0))
        #expect(empty[1].variants?.map(\.0) == Schema.builtIn.keys)
        #expect(empty[1].settings?["provider.id"] == "none")
        try caller.write([("profile.name", .string("Ada")), ("provider.id", .string("mpd"))])
        let full = try caller.ask("ReadAll")
        #expect(full[0] == .uint64(1))
        #expect(full[1].settings?["profile.name"] == "Ada")
        #expect(full[1].settings?["provider.id"] == "mpd")
        #expect(full[1].settings?["profile.email"] == "")
    }

    @Test func anAliasWorksWhereverAKeyDoes() throws {
        try caller.write([("provider", .string("mpd"))])
        #expect(try caller.read("provider") == .string("mpd"))
        #expect(try caller.read("provider.id") == .string("mpd"))
        #expect(try caller.ask("Describe", [.strings(["provider"])])[1].named?.map(\.0) == ["provider.id"])
        #expect(try caller.ask("Reset", [.strings(["provider"]), .variants([])]) == [.uint64(2)])
        #expect(try caller.read("provider") == .string("none"))
    }

    @Test func writeSetsAllOrNone() throws {
        #expect(try caller.write([("profile.name", .string("Ada")), ("profile.email", .string("ada@example.org"))]) == 1)
        let refusal = try caller.refusal(
            "Write", [.variants([("profile.name", .string("Bob")), ("profile.email", .string("nobody"))]), .variants([])])
        #expect(refusal.shortName == "InvalidValue")
        #expect(try caller.read("profile.name") == .string("Ada"))
        #expect(try caller.revision() == 1)
    }

    @Test func expectedRevisionGuardsEveryWayOfChanging() throws {
        try caller.write([("profile.name", .string("Ada"))], options: [("expected_revision", .uint64(0))])
        let stale = Value.variants([("expected_revision", .uint64(0))])
        for (member, argument) in [
            ("Write", Value.variants([("profile.name", .string("Bob"))])),
            ("Write", .variants([("profile.name", .string("Ada"))])),
            ("Reset", .strings(["profile.name"])), ("Dispatch", [Action("SignOut")].wire), ("Dispatch", [Action]().wire),
        ] as [(MemberName, Value)] {
            let refusal = try caller.refusal(member, [argument, stale])
            #expect(refusal.shortName == "Conflict")
            #expect(refusal.message.contains("0") && refusal.message.contains("1"))
        }
        #expect(try caller.revision() == 1)
    }

    @Test func dispatchCarriesOutActionsInOrderAsOneTransaction() throws {
        let revision = try caller.dispatch([
            SettingsAction.selectProvider(.spotify).action, SettingsAction.linkAccount("ada").action,
            SettingsAction.updateProfile(name: "Ada", email: "").action,
        ])
        #expect(revision == 1)
        #expect(try caller.read("provider.account") == .string("ada"))
        #expect(try caller.dispatch([]) == 1)
    }

    @Test func previewAnswersWhatDispatchWouldChangeAndChangesNothing() throws {
        try caller.dispatch([SettingsAction.selectProvider(.spotify).action, SettingsAction.linkAccount("ada").action])
        let values = try caller.ask("Preview", [[SettingsAction.selectProvider(.deezer).action].wire])[0].settings
        #expect(values == ["provider.id": "deezer", "provider.account": ""])
        #expect(try caller.refusal("Preview", [[Action("SelectProvidr")].wire]).shortName == "UnknownAction")
        #expect(try caller.read("provider.id") == .string("spotify"))
        #expect(try caller.revision() == 1)
    }

    @Test func describeSaysEverythingAboutASettingAndItsSource() throws {
        try session.folder.write("{\"profile\": {\"name\": \"Vendor\"}}", to: TestSession.vendorLayer)
        try caller.ask("Reload")
        let all = try caller.ask("Describe", [.strings([])])
        #expect(all[0] == .uint64(try #require(try caller.revision())))
        #expect(all[1].named?.map(\.0) == Schema.builtIn.keys)
        let one = try caller.ask("Describe", [.strings(["profile.name"])])[1].named
        let name = try #require(one?.first.flatMap { SettingDescription($0.1) })
        #expect(name.value == "Vendor")
        #expect(name.source == "vendor")
        #expect(name.sourceFile == session.folder.path(TestSession.vendorLayer))
        #expect(name.rule.maximumLength == 100)
        #expect(name.rule.type == "s")
        #expect(try caller.refusal("Describe", [.strings(["profile.nam"])]).shortName == "UnknownKey")
    }

    @Test func listActionsNamesEveryActionWithItsTypes() throws {
        let actions = try #require(try caller.ask("ListActions")[0].named)
        #expect(actions.map(\.0) == Schema.builtIn.actions.map(\.name))
        let update = try #require(actions.first { $0.0 == "UpdateProfile" }.flatMap { ActionDescription($0.1) })
        #expect(update.arguments.map(\.name) == ["name", "email", "avatar"])
        #expect(update.arguments.map(\.type) == ["s", "s", "s"])
    }

    @Test func everyActionIsAMethod() throws {
        let calls: [(MemberName, [Value], [Value])] = [
            ("SetValues", [.variants([("profile.name", .string("Ada"))])], [.uint64(1)]),
            ("SelectProvider", [.string("spotify")], [.uint64(2)]),
            ("LinkAccount", [.string("ada")], [.uint64(3)]),
            ("UnlinkAccount", [], [.uint64(4)]),
            ("Undo", [], [.uint64(5)]),
            ("Redo", [], [.uint64(6)]),
            ("DisconnectProvider", [], [.uint64(7)]),
            ("UpdateProfile", [.variants([("email", .string("ada@example.org"))])], [.uint64(8)]),
            ("UpdateProfile", [.variants([])], [.uint64(8)]),
            ("SetSupportLink", [.string("help"), .string("https://example.org/")], [.uint64(9)]),
            ("OpenSupportLink", [.string("help")], [.uint64(9), .string("https://example.org/")]),
            ("SignOut", [], [.uint64(10)]),
            ("ResetValues", [.strings(["support.help"])], [.uint64(11)]),
            ("ResetAll", [], [.uint64(11)]),
        ]
        for (member, arguments, expected) in calls {
            #expect(try caller.ask(member, arguments, SettingsNames.actionsInterface) == expected, "\(member)")
        }
        #expect(Set(calls.map(\.0.rawValue)) == Set(Schema.builtIn.actions.map(\.name)))
        let refusal = try caller.refusal("OpenSupportLink", [.string("help")], SettingsNames.actionsInterface)
        #expect(refusal.shortName == "InvalidArgument")
    }

    @Test func changesSinceAnswersWhatTheSignalsSaid() throws {
        try caller.listen()
        try caller.record("Write", [.variants([("profile.name", .string("Ada"))]), .variants([])])
        try caller.record("SelectProvider", [.string("mpd")], SettingsNames.actionsInterface)
        let signalled = caller.events.compactMap(\.change)
        let answer = try #require(ChangesAnswer(try caller.ask("ChangesSince", [.uint64(0)])))
        #expect(answer == ChangesAnswer(revision: 2, isComplete: true, changes: signalled))
        #expect(try caller.ask("ChangesSince", [.uint64(2)]) == ChangesAnswer(revision: 2, isComplete: true, changes: []).wire)
        #expect(try caller.ask("ChangesSince", [.uint64(9)]) == ChangesAnswer(revision: 2, isComplete: false, changes: []).wire)
    }

    @Test func reloadReturnsWhenWhatTheFilesSayIsInForceAndProblemsAreTold() throws {
        try caller.listen()
        try session.folder.write(
            "{\"provider\": {\"id\": \"mpd\"}, \"locked\": [\"provider.id\", \"profile.nam\"]}", to: TestSession.adminLayer)
        try caller.ask("Reload")
        #expect(try caller.read("provider.id") == .string("mpd"))
        let problems = try #require(try caller.property("Problems").strings)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("profile.nam") == true)
        try caller.wait("PropertiesChanged of Problems") {
            caller.events.contains {
                $0.name == "PropertiesChanged" && $0.arguments[0] == .string("org.settingsd.Settings1")
                    && $0.arguments[1] == .variants([("Problems", .strings(problems))])
            }
        }
    }

    @Test func thePropertiesSayWhoServesWhat() throws {
        try caller.write([("profile.name", .string("Ada"))])
        let all = try #require(try caller.ask("GetAll", [.string(SettingsNames.interface.rawValue)], .properties)[0].variants)
        #expect(all.map(\.0) == ["Revision", "Version", "Instance", "Files", "Problems"])
        #expect(all[0].1 == .uint64(1))
        #expect(all[1].1 == .string(SettingsVersion.current))
        #expect(all[2].1.string?.count == 32)
        #expect(all[4].1 == .strings([]))
        guard case .dictionary("s", "s", let files) = all[3].1 else { throw TestFailure("Files is \(all[3].1)") }
        let found = Dictionary(uniqueKeysWithValues: files.map { ($0.key.string ?? "", $0.value.string ?? "") })
        let folder = session.folder
        #expect(
            found == [
                "document": folder.path(TestSession.document), "journal": folder.path(TestSession.journal),
                "lock": folder.path("home/.local/state/settingsd/lock"), "admin": folder.path(TestSession.adminLayer),
                "vendor": folder.path(TestSession.vendorLayer),
            ])
        for interface in [InterfaceName.profile, .provider, SettingsNames.interface(forSection: "support")] {
            let section = try caller.ask("GetAll", [.string(interface.rawValue)], .properties)[0].variants
            #expect(section?.isEmpty == false)
        }
    }

    @Test func theInstanceIsNewAtEachStart() throws {
        let first = try caller.property("Instance")
        #expect(try daemon.end() == .exited(0))
        let next = try session.startDaemon()
        #expect(try caller.property("Instance") != first)
        #expect(next.isRunning)
    }

    @Test func settingAPropertyIsAWriteOfItsKey() throws {
        let set: (String, Value) -> [Value] = { [.string(InterfaceName.profile.rawValue), .string($0), .variant($1)] }
        #expect(try caller.ask("Set", set("Name", .string("Ada")), .properties) == [])
        #expect(try caller.read("profile.name") == .string("Ada"))
        #expect(try caller.refusal("Set", set("Email", .string("x")), .properties).shortName == "InvalidValue")
        #expect(try caller.refusal("Set", set("Email", .uint32(1)), .properties).shortName == "InvalidValue")
        #expect(try caller.refusal("Set", set("Nme", .string("x")), .properties).shortName == "UnknownProperty")
        let version = [Value.string(SettingsNames.interface.rawValue), .string("Version"), .variant(.string("2"))]
        #expect(try caller.refusal("Set", version, .properties).shortName == "PropertyReadOnly")
        #expect(try caller.revision() == 1)
    }

    @Test func introspectionIsTheCommittedFileAndNamesTheWayThere() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = try String(contentsOf: root.appending(path: "dbus/org.settingsd.Settings1.xml"), encoding: .utf8)
        let printed = try RunningProcess(
            Products.path("settingsd"), ["--print-interface"], environment: session.environment)
        #expect(try printed.waitForExit() == .exited(0))
        #expect(printed.stdout == file)
        let elements = try #require(file.range(of: "  <!-- ")).lowerBound..<(try #require(file.range(of: "</node>")).lowerBound)
        let answered = try #require(try caller.ask("Introspect", [], .introspectable)[0].string)
        #expect(answered.contains(file[elements]))
        for (path, child) in [("/", "org"), ("/org", "settingsd"), ("/org/settingsd", "Settings1")] as [(ObjectPath, String)] {
            let text = try caller.ask("Introspect", [], .introspectable, path: path)[0].string
            #expect(text?.contains("<node name=\"\(child)\"/>") == true)
            try caller.ask("Ping", [], .peer, path: path)
            #expect(try caller.refusal("ReadAll", [], path: path).shortName == "UnknownObject")
        }
        try caller.ask("Ping", [], .peer, path: "/nowhere")
        #expect(try caller.refusal("ReadAll", [], path: "/nowhere").shortName == "UnknownObject")
    }
}
