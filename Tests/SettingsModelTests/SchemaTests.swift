import SettingsModel
import Testing

@Suite struct SchemaTests {
    private let schema = Schema.builtIn

    @Test func theKeysAreThePublishedOnesInOrder() {
        #expect(
            schema.settings.map { "\($0.key) \($0.rule.kind) \($0.defaultValue.string ?? "?")" } == [
                "profile.name string ", "profile.email email ", "profile.avatar uri ", "provider.id choice none",
                "provider.account string ", "support.help uri ", "support.contact uri ", "support.feedback uri ",
                "support.community uri ", "support.terms uri ", "support.privacy uri ", "support.imprint uri ",
                "support.licenses uri ",
            ])
        #expect(schema.keys == schema.settings.map(\.key))
        #expect(schema.sections == ["profile", "provider", "support"])
        #expect(schema.settings.compactMap(\.alias) == ["provider"])
        #expect(SupportLink.allCases.map(\.key) == schema.keys.filter { $0.hasPrefix("support.") })
        for (place, setting) in schema.settings.enumerated() {
            #expect(schema.position(of: setting.key) == place)
            #expect(setting.key == "\(setting.section).\(setting.name)")
            #expect(setting.type == .string)
            #expect(!setting.summary.isEmpty && !setting.summary.hasSuffix("."))
            #expect(throws: Never.self) { try setting.check(setting.defaultValue) }
        }
    }

    @Test func theActionsAreThePublishedOnes() {
        let declared = schema.actions.map { action in
            "\(action.name)(\(action.arguments.map { "\($0.name)\($0.isOptional ? "?" : "") \($0.type)" }.joined(separator: ", ")))"
        }
        #expect(
            declared == [
                "SetValues(values record)", "ResetValues(keys list(SettingsModel.ValueType.string))", "ResetAll()", "Undo()",
                "Redo()",
                "SelectProvider(provider string)", "DisconnectProvider()", "LinkAccount(account string)", "UnlinkAccount()",
                "UpdateProfile(name? string, email? string, avatar? string)", "SignOut()",
                "SetSupportLink(link string, url string)", "OpenSupportLink(link string)",
            ])
        for action in schema.actions {
            #expect(!action.summary.isEmpty && !action.summary.hasSuffix("."))
            for argument in action.arguments { #expect(!argument.summary.isEmpty && !argument.summary.hasSuffix(".")) }
            #expect(action.onlyAnnounces == (action.name == "OpenSupportLink"))
            #expect(action.answers == (action.name == "OpenSupportLink" ? ["url"] : []))
        }
    }

    /// One of each, with all of its arguments.
    private static let typed: [SettingsAction] = [
        .setValues(["profile.name": "Ada"]), .resetValues(["profile.name"]), .resetAll, .undo, .redo, .selectProvider(.spotify),
        .disconnectProvider, .linkAccount("ada"), .unlinkAccount, .updateProfile(name: "Ada", email: "a@b", avatar: "https://x"),
        .signOut, .setSupportLink(.help, url: "https://x"), .openSupportLink(.help),
    ]

    @Test func theTypedActionsAreTheDeclaredOnesWithTheDeclaredArguments() {
        #expect(Self.typed.map(\.action.name) == schema.actions.map(\.name))
        for (typed, declared) in zip(Self.typed, schema.actions) {
            #expect(
                typed.action.arguments.mapValues(\.type)
                    == Dictionary(uniqueKeysWithValues: declared.arguments.map { ($0.name, $0.type) }))
        }
        #expect(SettingsAction.updateProfile().action == Action("UpdateProfile"))
        #expect(SettingsAction.updateProfile(email: "").action == Action("UpdateProfile", ["email": ""]))
    }

    @Test func theTypedSectionsReadEveryKey() {
        let values = Dictionary(uniqueKeysWithValues: schema.keys.map { ($0, SettingValue.string("value of \($0)")) })
        let profile = UserProfile(values)
        #expect([profile.name, profile.email, profile.avatar] == ["name", "email", "avatar"].map { "value of profile.\($0)" })
        let links = SupportLinks(values)
        for link in SupportLink.allCases { #expect(links[link] == "value of support.\(link)") }
        #expect(UserProfile([:]).name == "" && SupportLinks([:])[.help] == "")
    }

    @Test func anAliasNamesTheSameSetting() throws {
        #expect(schema.setting(named: "provider")?.key == "provider.id")
        let fixture = Fixture(["provider.id": "tidal"])
        let set = try fixture.outcome(.setValues(["provider": "spotify"]))
        #expect(set == (try fixture.outcome(.setValues(["provider.id": "spotify"]))))
        #expect(set.values == ["provider.id": "spotify"])
        #expect(set.actions == [Action("SetValues", ["values": .record(["provider.id": "spotify"])])])
        let reset = try fixture.outcome(.resetValues(["provider"]))
        #expect(reset == (try fixture.outcome(.resetValues(["provider.id"]))))
        #expect(reset.actions == [Action("ResetValues", ["keys": .strings(["provider.id"])])])
    }

    @Test func anAliasAndItsKeyInOneWriteAreRefused() {
        for second in ["tidal", "spotify"] as [SettingValue] {
            let error = Fixture().refusal(.setValues(["provider": "spotify", "provider.id": second]))
            #expect(error?.name == .invalidArgument)
            #expect(error?.message.contains("provider.id is given twice") == true)
        }
    }

    @Test(arguments: [
        ("profile.nme", "profile.name"), ("profil.name", "profile.name"), ("profile_name", "profile.name"),
        ("name", "profile.name"),
        ("email", "profile.email"), ("PROFILE.NAME", "profile.name"), ("provder", "provider"), ("providr.id", "provider.id"),
        ("support.hlep", "support.help"), ("licenses", "support.licenses"), ("support.licences", "support.licenses"),
        ("account", "provider.account"), ("profile.naem", "profile.name"),
    ])
    func anUnknownKeyComesWithTheNearestKnownOne(_ typed: String, _ meant: String) {
        for action in [SettingsAction.setValues([typed: "x"]), .resetValues([typed])] {
            let error = Fixture().refusal(action)
            #expect(error?.name == .unknownKey)
            #expect(error?.message == "there is no setting \"\(typed)\"; did you mean \"\(meant)\"?")
        }
    }

    @Test(arguments: Schema.builtIn.sections.filter { Schema.builtIn.setting(named: $0) == nil })
    func aSectionInPlaceOfAKeyComesWithItsSettings(_ section: String) {
        let error = Fixture().refusal(.resetValues([section]))
        let keys = Schema.builtIn.keys.filter { $0.hasPrefix(section + ".") }.joined(separator: ", ")
        #expect(error == SettingsError(.unknownKey, "\"\(section)\" is a section; its settings are \(keys)"))
    }

    @Test(arguments: ["volume", "", "x", "org.freedesktop.Something", String(repeating: "long", count: 1000)])
    func anUnknownKeyThatIsNearNoneComesWithTheKnownOnes(_ typed: String) {
        let error = Fixture().refusal(.setValues([typed: "x"]))
        #expect(error?.name == .unknownKey)
        #expect(error?.message.hasSuffix("; known are \(Schema.builtIn.keys.joined(separator: ", "))") == true)
        #expect((error?.message.count ?? .max) < 400)
    }

    @Test func anUnknownActionOrLinkOrArgumentComesWithTheNearestKnownOne() {
        #expect(
            Fixture().refusal(of: [Action("selectprovider")])
                == SettingsError(.unknownAction, "there is no action \"selectprovider\"; did you mean \"SelectProvider\"?"))
        #expect(Fixture().refusal(of: [Action("Explode")])?.message.contains("known are SetValues, ResetValues") == true)
        #expect(Fixture().refusal(of: [Action("Explode")])?.name == .unknownAction)
        for name in ["SetSupportLink", "OpenSupportLink"] {
            var action = Action(name, ["link": "hlep"])
            if name == "SetSupportLink" { action.arguments["url"] = "https://x" }
            #expect(
                Fixture().refusal(of: [action])
                    == SettingsError(.unknownKey, "there is no link \"hlep\" in support; did you mean \"help\"?"))
            action.arguments["link"] = "support.help"
            #expect(Fixture().refusal(of: [action])?.name == .unknownKey)
        }
        #expect(
            Fixture().refusal(of: [Action("SelectProvider", ["providr": "tidal"])])
                == SettingsError(.invalidArgument, "SelectProvider has no argument \"providr\"; did you mean \"provider\"?"))
    }
}
