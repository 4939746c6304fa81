import DBus
import SettingsClient
import SettingsModel
import Testing

@testable import SettingsCommand

@Suite struct FailureTests {
    /// The contract's table.
    @Test(arguments: [
        (SettingsError.Name.unknownKey, 3 as Int32), (.unknownAction, 3), (.invalidValue, 4), (.invalidArgument, 4),
        (.tooLarge, 4),
        (.conflict, 6), (.locked, 7), (.readOnly, 7), (.storageFailed, 8), (.documentDamaged, 8), (.nothingToUndo, 1),
    ])
    func everyRefusalHasItsExitStatus(name: SettingsError.Name, status: Int32) {
        let failure = Failure(ClientError(.refused(name), "why"))
        #expect(failure.status.rawValue == status)
        #expect(failure.name == "org.settingsd.Settings1.Error.\(name.rawValue)")
        #expect(failure.message == "why")
    }

    @Test(arguments: [
        (Duration.seconds(10), "10 s"), (.milliseconds(500), "0.5 s"), (.milliseconds(1), "0.001 s"),
        (.microseconds(100), "100 µs"), (.nanoseconds(1), "1 µs"), (.zero, "0 s"),
    ])
    func noTimeLimitReadsAsNone(limit: Duration, text: String) {
        #expect(limit.inSeconds == text)
    }

    @Test(arguments: [
        (ClientError.Kind.noBus, "NoBus"), (.noDaemon, "NoDaemon"), (.timeout, "Timeout"),
        (.bus("org.freedesktop.DBus.Error.NoReply"), "org.freedesktop.DBus.Error.NoReply"),
    ])
    func whoCannotBeReachedIsStatusFive(kind: ClientError.Kind, name: String) {
        let failure = Failure(ClientError(kind, "why"))
        #expect(failure.status.rawValue == 5)
        #expect(failure.name == name)
    }
}

@Suite struct AssignmentTests {
    @Test(arguments: [("a=b", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("é=ü", "é", "ü")])
    func theFirstSignSeparates(word: String, name: String, value: String) throws {
        let found = try #require(word.assignment)
        #expect(found.name == name)
        #expect(found.value == value)
    }

    @Test(arguments: ["a", "", "=b", "="])
    func withoutANameOrASignThereIsNone(word: String) {
        #expect(word.assignment == nil)
    }

    /// A combining mark behind the sign makes one character with it, which is no equals sign to Swift.
    @Test func aSignIsFoundBeforeACombiningMark() throws {
        let found = try #require("a=\u{338}b".assignment)
        #expect(found.name == "a")
        #expect(found.value.unicodeScalars.elementsEqual("\u{338}b".unicodeScalars))
    }
}

@Suite struct KeyFilterTests {
    private let change = SettingsChange(
        revision: 3, values: ["profile.name": "Ada", "new.key": "x"], previous: ["profile.name": "", "new.key": "y"],
        actions: ["SetValues"], origin: .bus, application: "test", time: 1)

    @Test func withoutKeysEverythingPasses() throws {
        #expect(try KeyFilter([], of: .builtIn).change(of: change) == change)
    }

    @Test func onlyTheKeysOfInterestAreLeft() throws {
        let found = try #require(try KeyFilter(["profile.name"], of: .builtIn).change(of: change))
        #expect(found.values == ["profile.name": "Ada"])
        #expect(found.previous == ["profile.name": ""])
        #expect(found.revision == 3)
        #expect(try KeyFilter(["profile.email"], of: .builtIn).change(of: change) == nil)
    }

    @Test func anAliasStandsForItsKey() throws {
        #expect(try KeyFilter(["provider"], of: .builtIn).contains("provider.id"))
    }

    @Test func aKeyThatOnlyTheDaemonKnowsIsTaken() throws {
        #expect(try KeyFilter(["new.key"], of: .builtIn, known: ["new.key"]).contains("new.key"))
        let failure = try #require(throws: Failure.self) { try KeyFilter(["profile.nmae"], of: .builtIn, known: ["new.key"]) }
        #expect(failure.status == .unknownName)
        #expect(failure.message.contains("did you mean \"profile.name\"?"))
    }
}

@Suite struct TypedValueTests {
    /// A command takes what is typed for them for a text without looking at their schema.
    @Test(arguments: ["7", "true", "[1]", "Ada", ""]) func whatIsTypedForTheDaemonsOwnSettingsIsAText(_ text: String) throws {
        let session = Session(Options())
        for key in Schema.builtIn.settings.map(\.key) + ["provider", "no.such"] {
            #expect(try session.value(typed: text, of: key) == Schema.builtIn.value(typed: text, of: key), "\(key)")
        }
    }
}
