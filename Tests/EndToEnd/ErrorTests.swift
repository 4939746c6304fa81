import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite(.logsOnFailure) struct ErrorTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    private func start() throws -> Caller { try Caller(session, keeping: session.startDaemon()) }

    private func write(_ key: String, _ value: Value) -> [Value] { [.variants([(key, value)]), .variants([])] }

    @Test func unknownNamesComeWithTheNearestKnownOne() throws {
        let caller = try start()
        for (member, arguments, interface, name, hint) in [
            ("Read", [.string("profile.nam")], SettingsNames.interface, "UnknownKey", "profile.name"),
            ("Write", write("provider.acount", .string("x")), SettingsNames.interface, "UnknownKey", "provider.account"),
            ("Reset", [.strings(["support.hlp"]), .variants([])], SettingsNames.interface, "UnknownKey", "support.help"),
            ("Describe", [.strings(["profile.emial"])], SettingsNames.interface, "UnknownKey", "profile.email"),
            (
                "SetSupportLink", [.string("hepl"), .string("")], SettingsNames.actionsInterface, "UnknownKey", "help"
            ),
            ("Write", write("provider.id", .string("spotfy")), SettingsNames.interface, "InvalidValue", "spotify"),
            (
                "Dispatch", [[Action("SelectProvder")].wire, .variants([])], SettingsNames.interface, "UnknownAction",
                "SelectProvider"
            ),
            ("ReadAl", [], SettingsNames.interface, "UnknownMethod", "ReadAll"),
        ] as [(MemberName, [Value], InterfaceName, String, String)] {
            let refusal = try caller.refusal(member, arguments, interface)
            #expect(refusal.shortName == name)
            #expect(refusal.message.contains("\"\(hint)\""), "\(refusal)")
        }
    }

    @Test func standardErrorsAnswerWhatIsNotThere() throws {
        let caller = try start()
        #expect(try caller.refusal("Read", [.string("a")], "org.settingsd.Settings1.Nothing").shortName == "UnknownInterface")
        #expect(try caller.refusal("Nothing").shortName == "UnknownMethod")
        #expect(try caller.refusal("Get", [.string("org.x.Y"), .string("Name")], .properties).shortName == "UnknownInterface")
        let property: [Value] = [.string(InterfaceName.profile.rawValue), .string("Nme")]
        let refusal = try caller.refusal("Get", property, .properties)
        #expect(refusal.shortName == "UnknownProperty")
        #expect(refusal.message.contains("Name"))
    }

    @Test(arguments: [
        ("expected_revison", Value.uint64(0)), ("expected_revision", .uint32(0)), ("expected_revision", .string("0")),
    ])
    func optionsThatAreUnknownOrWronglyTypedAreInvalidArgs(name: String, value: Value) throws {
        let caller = try start()
        let options = Value.variants([(name, value)])
        for arguments in [[.variants([("nonsense", .byte(1))]), options], [.variants([]), options]] as [[Value]] {
            let refusal = try caller.refusal("Write", arguments)
            #expect(refusal.shortName == "InvalidArgs")
            #expect(refusal.message.contains(name))
        }
        #expect(try caller.refusal("Dispatch", [[Action("Nonsense")].wire, options]).shortName == "InvalidArgs")
        #expect(try caller.refusal("Reset", [.strings(["x"]), options]).shortName == "InvalidArgs")
    }

    @Test func argumentsThatDoNotFitAreInvalidArgument() throws {
        let caller = try start()
        let actions: [Action] = [
            Action("SelectProvider"), Action("SelectProvider", ["provder": "mpd"]),
            Action("SelectProvider", ["provider": .integer(1)]), Action("LinkAccount", ["account": "ada"]),
            Action("OpenSupportLink", ["link": "help"]),
        ]
        for action in actions {
            #expect(try caller.refusal("Dispatch", [[action].wire, .variants([])]).shortName == "InvalidArgument", "\(action)")
        }
        let twice = Value.variants([("provider", .string("mpd")), ("provider.id", .string("mpd"))])
        #expect(try caller.refusal("Write", [twice, .variants([])]).shortName == "InvalidArgument")
        let undo = [Action("Undo"), Action("SignOut")]
        #expect(try caller.refusal("Dispatch", [undo.wire, .variants([])]).shortName == "InvalidArgument")
        let fields = Value.variants([("nme", .string("x"))])
        let refusal = try caller.refusal("UpdateProfile", [fields], SettingsNames.actionsInterface)
        #expect(refusal.shortName == "InvalidArgument")
        #expect(refusal.message.contains("name"))
    }

    @Test func thereIsNothingToUndoInANewHome() throws {
        let caller = try start()
        #expect(try caller.refusal("Undo", [], SettingsNames.actionsInterface).shortName == "NothingToUndo")
        #expect(try caller.refusal("Redo", [], SettingsNames.actionsInterface).shortName == "NothingToUndo")
    }

    @Test func aLockedKeyIsRefusedNamingTheFile() throws {
        try session.folder.write(
            "{\"profile\": {\"name\": \"Boss\"}, \"locked\": [\"profile.name\"]}", to: TestSession.adminLayer)
        let caller = try start()
        let refusal = try caller.refusal("Write", write("profile.name", .string("Ada")))
        #expect(refusal.shortName == "Locked")
        #expect(refusal.message.contains(session.folder.path(TestSession.adminLayer)))
        #expect(try caller.read("profile.name") == .string("Boss"))
    }

    @Test func aDocumentThatDoesNotParseRefusesChangesNamingThePlace() throws {
        let text = "{\n  \"profile\": {\"name\": \"Ada\",}\n}\n"
        try session.folder.write(text, to: TestSession.document)
        let caller = try start()
        let refusal = try caller.refusal("Write", write("profile.name", .string("Bob")))
        #expect(refusal.shortName == "DocumentDamaged")
        #expect(refusal.message.contains("2"))
        #expect(refusal.message.contains(session.folder.path(TestSession.document)))
        #expect(session.folder.read(TestSession.document) == text)
    }

    @Test func aDocumentOfANewerFormatIsReadOnly() throws {
        try session.folder.write("{\"format\": 99, \"profile\": {\"name\": \"Ada\"}}", to: TestSession.document)
        let caller = try start()
        #expect(try caller.read("profile.name") == .string("Ada"))
        let refusal = try caller.refusal("Write", write("profile.name", .string("Bob")))
        #expect(refusal.shortName == "ReadOnly")
        #expect(refusal.message.contains(session.folder.path(TestSession.document)))
    }

    @Test func aChangeThatCannotBeStoredIsRefusedAndTheNextOneWorksWhenItCan() throws {
        let state = try session.folder.write("in the way", to: "home/.local/state/settingsd")
        let caller = try start()
        let refusal = try caller.refusal("Write", write("profile.name", .string("Ada")))
        #expect(refusal.shortName == "StorageFailed")
        #expect(refusal.message.contains(state))
        #expect(try caller.read("profile.name") == .string(""))
        #expect(try caller.revision() == 0)
        try FileManager.default.removeItem(atPath: state)
        #expect(try caller.write([("profile.name", .string("Ada"))]) == 1)
    }

    @Test func checksComeInTheOrderThatIsPromised() throws {
        try session.folder.write("{\"locked\": [\"profile.name\"]}", to: TestSession.adminLayer)
        try session.folder.write("{\"profile\": }", to: TestSession.document)
        let caller = try start()
        let stale = Value.variants([("expected_revision", .uint64(77))])
        let name = { (text: String) in Value.variants([("profile.name", .string(text))]) }
        let large = String(repeating: "x", count: Limits.stringBytes + 1)
        let unknown = Value.variants([("nonsense", .byte(1))])
        for (arguments, expected) in [
            ([name(large), unknown], "TooLarge"), ([name("\n"), unknown], "InvalidArgs"), ([name("\n"), stale], "InvalidValue"),
            ([name("Ada"), stale], "Locked"), ([.variants([("profile.email", .string("a@b"))]), stale], "Conflict"),
            ([.variants([("profile.email", .string("a@b"))]), .variants([])], "DocumentDamaged"),
        ] as [([Value], String)] {
            #expect(try caller.refusal("Write", arguments).shortName == expected)
        }
    }

    @Test func tooLargeCallsAreRefusedAndTheLargestAllowedOnesAreNot() throws {
        let caller = try start()
        let fits = String(repeating: "x", count: Limits.stringBytes)
        // Within the limits it is the setting's own rule that refuses.
        #expect(try caller.refusal("Write", write("profile.name", .string(fits))).shortName == "InvalidValue")
        for arguments in [
            write("profile.name", .string(fits + "x")), write(fits + "x", .string("")),
            write("profile.name", .structure([.strings([fits + "x"])])),
        ] {
            let refusal = try caller.refusal("Write", arguments)
            #expect(refusal.shortName == "TooLarge")
            #expect(refusal.message.contains("\(Limits.stringBytes + 1)"))
        }
        let many = Value.variants((0..<17).map { ("key\($0)", .string(fits)) })
        #expect(try caller.refusal("Write", [many, .variants([])]).shortName == "TooLarge")
        #expect(try caller.refusal("Read", [.string(String(repeating: "x", count: 1 << 20))]).shortName == "TooLarge")
        let actions = { (count: Int) in (0..<count).map { SettingsAction.linkAccount("\($0)").action } }
        for member in ["Dispatch", "Preview"] as [MemberName] {
            let arguments: [Value] = member == "Dispatch" ? [actions(1001).wire, .variants([])] : [actions(1001).wire]
            #expect(try caller.refusal(member, arguments).shortName == "TooLarge")
        }
        #expect(try caller.dispatch([SettingsAction.selectProvider(.mpd).action] + actions(999)) == 1)
        #expect(try caller.read("provider.account") == .string("998"))
    }

    @Test func aRefusedChangeLeavesOneLineInTheLogWithoutItsValue() throws {
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        _ = try caller.refusal("Write", write("profile.email", .string("secret person")))
        _ = try caller.refusal(
            "SetSupportLink", [.string("help"), .string("javascript:secret")], SettingsNames.actionsInterface)
        _ = try caller.refusal(
            "UpdateProfile", [.variants([("email", .string("secret person"))])], SettingsNames.actionsInterface)
        _ = try caller.refusal("Write", write("profile.name", .uint32(1)))
        try daemon.waitForLog("Write")
        let lines = daemon.stderr.split(separator: "\n").filter { $0.contains("refused") }
        #expect(lines.count == 4)
        for (line, part) in zip(lines, ["profile.email", "support.help", "profile.email", "profile.name"]) {
            #expect(line.contains(part))
            #expect(line.contains("InvalidValue"))
            #expect(line.contains(ProcessInfo.processInfo.processName))
        }
        #expect(!daemon.stderr.contains("secret"))
    }
}
