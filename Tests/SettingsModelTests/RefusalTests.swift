import SettingsModel
import Testing

/// What is refused, with which error, and which fault comes first.
@Suite struct RefusalTests {
    @Test(arguments: [
        (Action("SelectProvider"), "SelectProvider needs the argument provider (a string)"),
        (Action("SetSupportLink", ["link": "help"]), "SetSupportLink needs the argument url (a string)"),
        (Action("SetValues"), "SetValues needs the argument values (a dictionary of named values)"),
        (Action("ResetValues"), "ResetValues needs the argument keys (a list of strings)"),
        (Action("Undo", ["steps": .integer(2)]), "Undo has no argument \"steps\"; it takes none"),
        (Action("UpdateProfile", ["phone": "1"]), "UpdateProfile has no argument \"phone\"; it takes name, email, avatar"),
        (Action("LinkAccount", ["account": .boolean(true)]), "LinkAccount: the argument account is a string, not a boolean"),
        (Action("UpdateProfile", ["name": .integer(1)]), "UpdateProfile: the argument name is a string, not an integer"),
        (Action("ResetValues", ["keys": "profile.name"]), "ResetValues: the argument keys is a list of strings, not a string"),
        (
            Action("ResetValues", ["keys": .list(element: .integer, [])]),
            "ResetValues: the argument keys is a list of strings, not a list"
        ),
        (
            Action("SetValues", ["values": .strings([])]),
            "SetValues: the argument values is a dictionary of named values, not a list of strings"
        ),
    ])
    func aFaultyArgumentIsAnInvalidArgument(_ action: Action, _ message: String) {
        #expect(Fixture(["provider.id": "tidal"]).refusal(of: [action]) == SettingsError(.invalidArgument, message))
    }

    @Test(arguments: Schema.builtIn.keys)
    func aWronglyTypedValueIsAnInvalidValue(_ key: String) {
        for (value, words) in [
            (.boolean(true), "a boolean"), (.integer(1), "an integer"), (.number(0.5), "a number"),
            (.strings(["x"]), "a list of strings"),
            (.list(element: .integer, []), "a list"), (.record([:]), "a dictionary of named values"),
        ] as [(SettingValue, String)] {
            #expect(
                Fixture().refusal(.setValues([key: value]))
                    == SettingsError(.invalidValue, "\(key): it takes a string, not \(words)"))
        }
    }

    @Test func undoAndRedoStandAlone() {
        for name in ["Undo", "Redo"] {
            let error = SettingsError(.invalidArgument, "\(name) stands alone in its transaction; send it by itself")
            let other = SettingsAction.updateProfile(name: "x").action
            #expect(Fixture().refusal(of: [Action(name), other]) == error)
            #expect(Fixture().refusal(of: [other, Action(name)]) == error)
            #expect(Fixture().refusal(of: [Action(name), Action(name)]) == error)
            #expect(Fixture().refusal(of: [Action(name)])?.name == .nothingToUndo)
        }
        #expect(Fixture().refusal(.undo)?.message == "there is no transaction to undo")
        #expect(Fixture().refusal(.redo)?.message == "there is no undone transaction to redo")
    }

    @Test func theFirstFaultyActionIsTheOneThatIsTold() {
        let fixture = Fixture()
        let unknownKey = SettingsAction.resetValues(["nothing"])
        let unknownAction = Action("Nothing")
        let invalidValue = SettingsAction.updateProfile(email: "x")
        let invalidArgument = SettingsAction.linkAccount("x")
        let faults: [(Action, SettingsError.Name)] = [
            (unknownKey.action, .unknownKey), (unknownAction, .unknownAction), (invalidValue.action, .invalidValue),
            (invalidArgument.action, .invalidArgument),
        ]
        for (first, name) in faults {
            for (second, _) in faults { #expect(fixture.refusal(of: [first, second])?.name == name) }
        }
    }

    @Test func aLockComesAfterEveryOtherFault() {
        let fixture = Fixture(layers: .admin(["profile.name": "Corp"], locked: ["profile.name"]))
        let locked = SettingsAction.updateProfile(name: "Ada")
        #expect(fixture.refusal(locked)?.name == .locked)
        #expect(fixture.refusal(locked, .updateProfile(email: "x"))?.name == .invalidValue)
        #expect(fixture.refusal(locked, .resetValues(["nothing"]))?.name == .unknownKey)
        #expect(fixture.refusal(locked, .linkAccount("x"))?.name == .invalidArgument)
        #expect(fixture.refusal(of: [locked.action, Action("Nothing")])?.name == .unknownAction)
        #expect(fixture.refusal(.setValues(["profile.name": "Ada", "profile.email": "x"]))?.name == .invalidValue)
        #expect(fixture.refusal(.setValues(["profile.name": "a\nb"]))?.name == .invalidValue)
    }

    @Test func everyErrorNameHasASummary() {
        for name in SettingsError.Name.allCases { #expect(name.summary.hasSuffix(".")) }
        #expect(
            SettingsError.Name.allCases.map(\.rawValue).sorted() == [
                "Conflict", "DocumentDamaged", "InvalidArgument", "InvalidValue", "Locked", "NothingToUndo", "ReadOnly",
                "StorageFailed", "TooLarge", "UnknownAction", "UnknownKey",
            ])
    }

    @Test func aTextIsQuotedForOneLineOfAMessage() {
        #expect("Ada".quoted() == "\"Ada\"")
        #expect("a\"b\\c\n\u{1B}\u{202E}\u{2028}é👩‍👩‍👧‍👦".quoted() == "\"a\\\"b\\\\c\\n\\u{1B}\\u{202E}\\u{2028}é👩‍👩‍👧‍👦\"")
        #expect(String(repeating: "x", count: 60).quoted() == "\"\(String(repeating: "x", count: 60))\"")
        #expect(String(repeating: "x", count: 61).quoted() == "\"\(String(repeating: "x", count: 60))…\"")
        #expect("".quoted() == "\"\"")
        // One character may be as long as a value; the message stays short all the same.
        #expect(("a" + String(repeating: "\u{301}", count: 30_000)).quoted().utf8.count < 1000)
    }
}
