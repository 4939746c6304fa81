import SettingsModel
import Testing

/// What each action does to a document without layers: the whole outcome.
@Suite struct ActionTests {
    private static let ada: [String: SettingValue] = [
        "profile.name": "Ada", "profile.email": "ada@example.org", "provider.id": "spotify", "provider.account": "ada's",
        "support.help": "https://example.org/help",
    ]

    private func expect(
        _ action: SettingsAction, on values: [String: SettingValue] = ada, edits: [Edit], values after: [String: SettingValue],
        previous: [String: SettingValue], answers: [String: SettingValue] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let document = Document(values: values, revision: 7)
        let outcome = try Reducer(schema: .builtIn, layers: Layers()).reduce(
            document, history: History(), [action.action], facts: Fixture.facts)
        var expected = Reducer.Outcome()
        expected.edits = edits
        expected.values = after
        expected.previous = previous
        expected.answers = answers
        expected.actions = [action.action]
        #expect(outcome == expected, sourceLocation: sourceLocation)
        #expect(document.applying(outcome.edits).revision == 7, sourceLocation: sourceLocation)
    }

    private func expectNoChange(
        _ action: SettingsAction, on values: [String: SettingValue] = ada, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(action, on: values, edits: [], values: [:], previous: [:], sourceLocation: sourceLocation)
    }

    @Test func setValuesSetsEachKeyAndTheEditsStandInSchemaOrder() throws {
        try expect(
            .setValues(["support.terms": "https://t.example", "profile.avatar": "https://a.example", "profile.name": "Grace"]),
            edits: [
                Edit(key: "profile.name", before: "Ada", after: "Grace"),
                Edit(key: "profile.avatar", before: nil, after: "https://a.example"),
                Edit(key: "support.terms", before: nil, after: "https://t.example"),
            ],
            values: ["profile.name": "Grace", "profile.avatar": "https://a.example", "support.terms": "https://t.example"],
            previous: ["profile.name": "Ada", "profile.avatar": "", "support.terms": ""])
        try expectNoChange(.setValues([:]))
        try expectNoChange(.setValues(["profile.name": "Ada"]))
    }

    @Test func settingADefaultPinsItWithoutAChangeOfTheEffectiveValue() throws {
        try expect(
            .setValues(["profile.avatar": "", "support.terms": ""]),
            edits: [
                Edit(key: "profile.avatar", before: nil, after: ""), Edit(key: "support.terms", before: nil, after: ""),
            ], values: [:], previous: [:])
        try expect(
            .resetValues(["profile.avatar"]), on: ["profile.avatar": ""],
            edits: [Edit(key: "profile.avatar", before: "", after: nil)], values: [:], previous: [:])
    }

    @Test func resetValuesTakesTheUsersValuesAway() throws {
        try expect(
            .resetValues(["support.help", "profile.name", "profile.name", "profile.avatar"]),
            edits: [
                Edit(key: "profile.name", before: "Ada", after: nil),
                Edit(key: "support.help", before: "https://example.org/help", after: nil),
            ],
            values: ["profile.name": "", "support.help": ""],
            previous: ["profile.name": "Ada", "support.help": "https://example.org/help"])
        try expectNoChange(.resetValues([]))
        try expectNoChange(.resetValues(["profile.avatar", "support.terms"]))
    }

    @Test func resetAllTakesEveryUserValueAway() throws {
        try expect(
            .resetAll,
            edits: [
                Edit(key: "profile.name", before: "Ada", after: nil),
                Edit(key: "profile.email", before: "ada@example.org", after: nil),
                Edit(key: "provider.id", before: "spotify", after: nil),
                Edit(key: "provider.account", before: "ada's", after: nil),
                Edit(key: "support.help", before: "https://example.org/help", after: nil),
            ],
            values: [
                "profile.name": "", "profile.email": "", "provider.id": "none", "provider.account": "", "support.help": "",
            ], previous: Self.ada)
        try expectNoChange(.resetAll, on: [:])
    }

    @Test func selectProviderChangesTheProviderAndResetsTheAccount() throws {
        try expect(
            .selectProvider(.tidal),
            edits: [
                Edit(key: "provider.id", before: "spotify", after: "tidal"),
                Edit(key: "provider.account", before: "ada's", after: nil),
            ],
            values: ["provider.id": "tidal", "provider.account": ""],
            previous: ["provider.id": "spotify", "provider.account": "ada's"])
        try expectNoChange(.selectProvider(.spotify))
        try expect(
            .selectProvider(.none), on: [:], edits: [Edit(key: "provider.id", before: nil, after: "none")], values: [:],
            previous: [:])
    }

    @Test func disconnectProviderResetsProviderAndAccount() throws {
        try expect(
            .disconnectProvider,
            edits: [
                Edit(key: "provider.id", before: "spotify", after: nil),
                Edit(key: "provider.account", before: "ada's", after: nil),
            ],
            values: ["provider.id": "none", "provider.account": ""],
            previous: ["provider.id": "spotify", "provider.account": "ada's"])
        try expect(
            .disconnectProvider, on: ["provider.id": "none", "provider.account": ""],
            edits: [
                Edit(key: "provider.id", before: "none", after: nil), Edit(key: "provider.account", before: "", after: nil),
            ], values: [:], previous: [:])
        try expectNoChange(.disconnectProvider, on: ["profile.name": "Ada"])
    }

    @Test func linkAccountSetsTheAccountOfASelectedProvider() throws {
        try expect(
            .linkAccount("grace's"), edits: [Edit(key: "provider.account", before: "ada's", after: "grace's")],
            values: ["provider.account": "grace's"], previous: ["provider.account": "ada's"])
        try expectNoChange(.linkAccount("ada's"))
        for values in [[:], ["provider.id": "none"], ["provider.account": "x"]] as [[String: SettingValue]] {
            let error = Fixture(values).refusal(.linkAccount("x"))
            #expect(error?.name == .invalidArgument)
            #expect(error?.message.hasPrefix("LinkAccount: no provider is selected") == true)
        }
        #expect(Fixture(Self.ada).refusal(.linkAccount("a\nb"))?.name == .invalidValue)
    }

    @Test func anAccountCanBeLinkedInTheTransactionThatSelectsTheProvider() throws {
        let outcome = try Fixture(Self.ada).outcome(.selectProvider(.qobuz), .linkAccount("new"))
        #expect(
            outcome.edits == [
                Edit(key: "provider.id", before: "spotify", after: "qobuz"),
                Edit(key: "provider.account", before: "ada's", after: "new"),
            ])
        #expect(outcome.actions.map(\.name) == ["SelectProvider", "LinkAccount"])
        #expect(Fixture(Self.ada).refusal(.disconnectProvider, .linkAccount("new"))?.name == .invalidArgument)
    }

    @Test func unlinkAccountResetsTheAccount() throws {
        try expect(
            .unlinkAccount, edits: [Edit(key: "provider.account", before: "ada's", after: nil)], values: ["provider.account": ""],
            previous: ["provider.account": "ada's"])
        try expectNoChange(.unlinkAccount, on: ["provider.id": "spotify"])
    }

    @Test func updateProfileSetsThePartsThatAreGiven() throws {
        try expect(
            .updateProfile(name: "Grace", email: ""),
            edits: [
                Edit(key: "profile.name", before: "Ada", after: "Grace"),
                Edit(key: "profile.email", before: "ada@example.org", after: ""),
            ],
            values: ["profile.name": "Grace", "profile.email": ""],
            previous: ["profile.name": "Ada", "profile.email": "ada@example.org"])
        try expect(
            .updateProfile(avatar: "file:///a.png"), edits: [Edit(key: "profile.avatar", before: nil, after: "file:///a.png")],
            values: ["profile.avatar": "file:///a.png"], previous: ["profile.avatar": ""])
        try expectNoChange(.updateProfile())
        #expect(Fixture().refusal(.updateProfile(name: "Ada", email: "x@"))?.name == .invalidValue)
    }

    @Test func signOutResetsProfileAndAccountAndKeepsTheProvider() throws {
        try expect(
            .signOut,
            edits: [
                Edit(key: "profile.name", before: "Ada", after: nil),
                Edit(key: "profile.email", before: "ada@example.org", after: nil),
                Edit(key: "provider.account", before: "ada's", after: nil),
            ],
            values: ["profile.name": "", "profile.email": "", "provider.account": ""],
            previous: ["profile.name": "Ada", "profile.email": "ada@example.org", "provider.account": "ada's"])
        try expectNoChange(.signOut, on: ["provider.id": "spotify"])
    }

    @Test(arguments: SupportLink.allCases)
    func setSupportLinkSetsOneLink(_ link: SupportLink) throws {
        try expect(
            .setSupportLink(link, url: "mailto:x@y"), on: [:], edits: [Edit(key: link.key, before: nil, after: "mailto:x@y")],
            values: [link.key: "mailto:x@y"], previous: [link.key: ""])
    }

    @Test(arguments: SupportLink.allCases)
    func openSupportLinkChangesNothingAndAnswersTheURL(_ link: SupportLink) throws {
        try expect(
            .openSupportLink(link), on: [link.key: "https://x.example"], edits: [], values: [:], previous: [:],
            answers: ["url": "https://x.example"])
        let error = Fixture([link.key: ""]).refusal(.openSupportLink(link))
        #expect(error?.name == .invalidArgument)
        #expect(error?.message.hasPrefix("OpenSupportLink: \(link.key) has no link published") == true)
    }

    @Test func openSupportLinkAnswersWhatTheTransactionHasSet() throws {
        let outcome = try Fixture().outcome(.setSupportLink(.help, url: "https://new.example"), .openSupportLink(.help))
        #expect(outcome.answers == ["url": "https://new.example"])
        #expect(outcome.edits.count == 1)
        #expect(Fixture(layers: .vendor(["support.help": "https://v.example"])).refusal(.openSupportLink(.help)) == nil)
    }

    @Test func anEmptyListChangesNothing() throws {
        #expect(try Fixture(Self.ada).outcome([SettingsAction]()) == Reducer.Outcome())
    }

    @Test func actionsOfOneTransactionApplyInOrder() throws {
        let outcome = try Fixture(Self.ada).outcome(
            .setValues(["profile.name": "Grace"]), .resetValues(["profile.name"]), .updateProfile(name: "Barbara"))
        #expect(outcome.edits == [Edit(key: "profile.name", before: "Ada", after: "Barbara")])
        #expect(outcome.values == ["profile.name": "Barbara"])
        #expect(outcome.previous == ["profile.name": "Ada"])
        let back = try Fixture(Self.ada).outcome(.resetValues(["profile.name"]), .setValues(["profile.name": "Ada"]))
        #expect(back.edits == [] && back.values == [:] && back.previous == [:])
        #expect(back.actions.count == 2)
    }

    @Test func oneFaultRefusesTheWholeTransaction() {
        let error = Fixture(Self.ada).refusal(.updateProfile(name: "Grace"), .selectProvider(MusicProvider(rawValue: "myspace")))
        #expect(error?.name == .invalidValue)
        #expect(error?.message.hasPrefix("provider.id: \"myspace\" is refused") == true)
    }

    /// Two texts that Unicode calls canonically equivalent are two values.
    @Test func composedAndDecomposedTextsAreTwoValues() throws {
        let outcome = try Fixture(["profile.name": "Zo\u{EB}"]).outcome(.setValues(["profile.name": "Zoe\u{308}"]))
        #expect(outcome.edits.count == 1)
        #expect(outcome.values["profile.name"]?.string.map { Array($0.utf8) } == Array("Zoe\u{308}".utf8))
        #expect(outcome.previous["profile.name"]?.string.map { Array($0.utf8) } == Array("Zo\u{EB}".utf8))
        #expect(SettingValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(SettingValue.strings(["\u{E9}"]) != .strings(["e\u{301}"]))
        #expect(Set<SettingValue>(["\u{E9}", "e\u{301}"]).count == 2)
    }
}

extension Fixture {
    func outcome(_ actions: [SettingsAction]) throws(SettingsError) -> Reducer.Outcome {
        try reducer.reduce(document, history: history, actions.map(\.action), facts: Fixture.facts)
    }
}
