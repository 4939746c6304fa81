import DBus
import SettingsBus
import SettingsModel
import Testing

@Suite struct ActionTests {
    let schema = Schema.builtIn

    @Test func actionsAreTheSameOnTheOtherSide() throws {
        let actions: [SettingsAction] = [
            .setValues(["profile.name": "Ada", "provider": "mpd"]), .resetValues(["support.help"]), .resetAll,
            .updateProfile(name: "", email: nil, avatar: "file:///a"), .setSupportLink(.help, url: ""), .undo,
        ]
        let wire = actions.map(\.action).wire
        #expect(wire.signature == "a(sa{sv})")
        #expect([Action]().wire.signature == "a(sa{sv})")
        #expect(try schema.actions(wire: wire) == actions.map(\.action))
    }

    @Test(arguments: [
        Value.byte(1), .int32(1), .uint64(1), .boolean(true), .double(1), .objectPath("/a"), .signature("s"),
        .array(element: "y", [.byte(1)]), .strings(["a"]), .variants([]), .structure([.string("a")]), .variant(.string("a")),
    ])
    func aValueOfAnotherTypeIsRefusedNamingBothTypes(wire: Value) {
        let error = #expect(throws: SettingsError.self) {
            try schema.action("SetValues", wire: [("values", .variants([("profile.name", wire)]))])
        }
        #expect(error?.name == .invalidValue)
        #expect(error?.message == "profile.name takes the D-Bus type s (a string), got \(wire.signature)")
    }

    @Test(arguments: [
        ("SetValues", "values", Value.string("x")), ("ResetValues", "keys", .string("x")),
        ("ResetValues", "keys", .array(element: "o", [])), ("SelectProvider", "provider", .uint32(1)),
        ("UpdateProfile", "name", .boolean(false)),
    ])
    func anArgumentOfAnotherTypeIsRefused(action: String, argument: String, wire: Value) {
        let error = #expect(throws: SettingsError.self) { try schema.action(action, wire: [(argument, wire)]) }
        #expect(error?.name == .invalidArgument)
        #expect(error?.message.contains(", got \(wire.signature)") == true)
    }

    @Test func whatIsGivenTwiceIsRefused() {
        for arguments in [
            [("provider", Value.string("mpd")), ("provider", .string("mpd"))],
            [("values", .variants([("profile.name", .string("a")), ("profile.name", .string("a"))]))],
        ] {
            let error = #expect(throws: SettingsError.self) {
                try schema.action(arguments.count == 2 ? "SelectProvider" : "SetValues", wire: arguments)
            }
            #expect(error?.name == .invalidArgument)
        }
    }

    @Test func whatIsUnknownIsLeftForTheReducerToRefuse() throws {
        let reducer = Reducer(schema: schema, layers: Layers())
        let cases: [(String, [(String, Value)], SettingsError.Name)] = [
            ("SetValues", [("values", .variants([("profile.nam", .byte(1))]))], .unknownKey),
            ("SelectProvider", [("provder", .byte(1)), ("provider", .string("mpd"))], .invalidArgument),
            ("SelectProvider", [], .invalidArgument),
        ]
        for (name, arguments, expected) in cases {
            let action = try schema.action(name, wire: arguments)
            let error = #expect(throws: SettingsError.self) {
                try reducer.reduce(Document(), history: History(), [action], facts: Facts(time: 0, seed: (0, 0)))
            }
            #expect(error?.name == expected)
        }
        let error = #expect(throws: SettingsError.self) { try schema.action("SelectProvder", wire: []) }
        #expect(error?.name == .unknownAction)
    }
}
