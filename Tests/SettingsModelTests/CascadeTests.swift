import SettingsModel
import Testing

/// The account resets when the effective provider changes, whichever way that happens.
@Suite struct CascadeTests {
    private static let linked: [String: SettingValue] = ["provider.id": "spotify", "provider.account": "ada's"]

    private static let provider = Edit(key: "provider.id", before: "spotify", after: "tidal")
    private static let account = Edit(key: "provider.account", before: "ada's", after: nil)

    @Test(
        arguments: [
            [.selectProvider(.tidal)], [.setValues(["provider.id": "tidal"])], [.setValues(["provider": "tidal"])],
            [.setValues(["provider": "tidal", "profile.name": "x"]), .resetValues(["profile.name"])],
            [.resetValues(["provider"]), .selectProvider(.tidal)],
            [.linkAccount("other"), .selectProvider(.tidal)],
            [.setValues(["provider.account": "other"]), .setValues(["provider.id": "tidal"])],
        ] as [[SettingsAction]])
    func anotherProviderResetsTheAccount(_ actions: [SettingsAction]) throws {
        let outcome = try Fixture(Self.linked).outcome(actions)
        #expect(outcome.edits == [Self.provider, Self.account])
        #expect(outcome.values == ["provider.id": "tidal", "provider.account": ""])
        #expect(outcome.previous == Self.linked)
    }

    @Test(arguments: [.resetValues(["provider.id"]), .resetAll, .disconnectProvider] as [SettingsAction])
    func noProviderResetsTheAccount(_ action: SettingsAction) throws {
        #expect(
            try Fixture(Self.linked).outcome(action).edits == [
                Edit(key: "provider.id", before: "spotify", after: nil), Self.account,
            ])
    }

    @Test func aProviderThatStaysTheEffectiveOneKeepsTheAccount() throws {
        let layered = Fixture(Self.linked, layers: .vendor(["provider.id": "spotify"]))
        #expect(
            try layered.outcome(.resetValues(["provider"])).edits == [Edit(key: "provider.id", before: "spotify", after: nil)])
        let pinned = Fixture(["provider.account": "ada's"], layers: .vendor(["provider.id": "spotify"]))
        #expect(try pinned.outcome(.selectProvider(.spotify)).edits == [Edit(key: "provider.id", before: nil, after: "spotify")])
        #expect(try Fixture(Self.linked).outcome(.setValues(["provider": "spotify", "profile.name": "x"])).edits.count == 1)
    }

    @Test func anAccountGivenInTheSameWriteStays() throws {
        for account in ["new", "ada's", ""] as [SettingValue] {
            let outcome = try Fixture(Self.linked).outcome(.setValues(["provider": "tidal", "provider.account": account]))
            var edits = [Self.provider]
            if account != "ada's" { edits.append(Edit(key: "provider.account", before: "ada's", after: account)) }
            #expect(outcome.edits == edits)
        }
        let pinned = Fixture(Self.linked, layers: .vendor(["provider.account": "family"]))
        #expect(try pinned.outcome(.resetValues(["provider", "provider.account"])).values["provider.account"] == "family")
    }

    @Test func theAccountOfALayerIsLeftToIt() throws {
        let outcome = try Fixture(Self.linked, layers: .vendor(["provider.account": "family"])).outcome(.selectProvider(.tidal))
        #expect(outcome.edits == [Self.provider, Self.account])
        #expect(outcome.values == ["provider.id": "tidal", "provider.account": "family"])
    }

    @Test func aLockedAccountIsLeftAlone() throws {
        let layers = Layers.admin(["provider.account": "corp"], locked: ["provider.account"])
        for action in [.selectProvider(.tidal), .setValues(["provider": "tidal"])] as [SettingsAction] {
            let outcome = try Fixture(Self.linked, layers: layers).outcome(action)
            #expect(outcome.edits == [Self.provider])
            #expect(outcome.values == ["provider.id": "tidal"])
        }
        let reset = try Fixture(Self.linked, layers: layers).outcome(.resetAll)
        #expect(reset.edits == [Edit(key: "provider.id", before: "spotify", after: nil)])
        // To name the account is no cascade.
        #expect(
            Fixture(Self.linked, layers: layers).refusal(.setValues(["provider": "tidal", "provider.account": "x"]))?.name
                == .locked)
    }

    @Test func aHandEditOfTheProviderResetsTheAccount() {
        var fixture = Fixture(Self.linked)
        #expect(fixture.edit(["provider.id": "tidal", "provider.account": "ada's"])?.edits == [Self.provider, Self.account])
        fixture = Fixture(Self.linked)
        let both = fixture.edit(["provider.id": "tidal", "provider.account": "new"])
        #expect(both?.edits == [Self.provider, Edit(key: "provider.account", before: "ada's", after: "new")])
        fixture = Fixture(Self.linked, layers: .admin([:], locked: ["provider.account"]))
        #expect(fixture.edit(["provider.id": "tidal"])?.edits == [Self.provider])
        fixture = Fixture(Self.linked, layers: .admin(["provider.id": "spotify"], locked: ["provider.id"]))
        #expect(fixture.edit(["provider.id": "tidal", "provider.account": "ada's"]) == nil)
    }

    @Test func aChangeOfTheLayersThatChangesTheProviderResetsTheAccount() {
        var fixture = Fixture(["provider.account": "ada's"], layers: .vendor(["provider.id": "spotify"]))
        #expect(fixture.changeLayers(.admin(["provider.id": "spotify"])) == nil)
        let transaction = fixture.changeLayers(.vendor(["provider.id": "tidal"]))
        #expect(transaction?.edits == [Self.account])
        #expect(transaction?.change.values == ["provider.id": "tidal", "provider.account": ""])
        #expect(transaction?.change.previous == Self.linked)

        fixture = Fixture(Self.linked)
        let lock = fixture.changeLayers(.admin(["provider.id": "tidal"], locked: ["provider.id"]))
        #expect(lock?.edits == [Self.account])
        fixture = Fixture(Self.linked)
        let bothLocked = fixture.changeLayers(.admin(["provider.id": "tidal"], locked: ["provider.id", "provider.account"]))
        #expect(bothLocked?.edits == [])
        #expect(bothLocked?.change.values == ["provider.id": "tidal", "provider.account": ""])
        fixture = Fixture(Self.linked)
        #expect(fixture.changeLayers(.vendor(["provider.id": "tidal"])) == nil)
    }

    @Test func undoAndRedoResetTheAccountUnlessTheyBringItBack() throws {
        var fixture = Fixture()
        try fixture.dispatch(.selectProvider(.spotify))
        try fixture.dispatch(.linkAccount("ada's"))
        try fixture.dispatch(.selectProvider(.tidal))
        #expect(try fixture.dispatch(.undo)?.edits == [Self.provider.inverse, Self.account.inverse])
        #expect(fixture.document.values == Self.linked)
        #expect(try fixture.dispatch(.redo)?.edits == [Self.provider, Self.account])

        #expect(try fixture.dispatch(.undo)?.edits == [Self.provider.inverse, Self.account.inverse])
    }

    @Test func undoLeavesTheAccountThatTheStateBeforeHadToo() throws {
        var fixture = Fixture(Self.linked)
        try fixture.dispatch(.setValues(["provider": "tidal", "provider.account": "ada's"]))
        #expect(try fixture.dispatch(.undo)?.edits == [Self.provider.inverse])
        #expect(fixture.document.values == Self.linked)
        #expect(try fixture.dispatch(.redo)?.edits == [Self.provider])
        #expect(fixture.document.values == ["provider.id": "tidal", "provider.account": "ada's"])
    }

    @Test func undoResetsTheAccountWhereTheLayersNowNameAnotherProviderThanBefore() throws {
        for other in ["deezer", "none"] as [SettingValue] {
            var fixture = Fixture(["provider.account": "ada's"], layers: .vendor(["provider.id": "spotify"]))
            try fixture.dispatch(.setValues(["provider": "tidal", "provider.account": "ada's"]))
            fixture.changeLayers(.vendor(["provider.id": other]))
            let undo = try fixture.dispatch(.undo)
            #expect(undo?.edits == [Edit(key: "provider.id", before: "tidal", after: nil), Self.account])
            // Forth again: the state after had the account, and the provider is the one of then.
            #expect(try fixture.dispatch(.redo)?.change.values == ["provider.id": "tidal", "provider.account": "ada's"])
        }
        // A step that changed no effective provider then, and does now.
        var fixture = Fixture(["provider.account": "ada's"], layers: .vendor(["provider.id": "spotify"]))
        try fixture.dispatch(.selectProvider(.spotify))
        fixture.changeLayers(.vendor(["provider.id": "deezer"]))
        #expect(try fixture.dispatch(.undo)?.change.values == ["provider.id": "deezer", "provider.account": ""])
        #expect(fixture.document.values == [:])
    }
}
