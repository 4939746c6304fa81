import SettingsModel
import Testing

@Suite struct LayersTests {
    private func file(_ path: String, _ name: SettingValue?, locks: Bool = false) -> LayerFile {
        LayerFile(path: path, values: name.map { ["profile.name": $0] } ?? [:], locked: locks ? ["profile.name"] : [])
    }

    private func resolve(_ user: SettingValue?, admin: [LayerFile] = [], vendor: [LayerFile] = []) -> String {
        let values = user.map { ["profile.name": $0] } ?? [:]
        guard let resolved = Fixture(values, layers: Layers(admin: admin, vendor: vendor)).resolved("profile.name") else {
            return ""
        }
        let file = resolved.file.map { " of \($0)" } ?? ""
        return "\(resolved.value.string ?? "?") \(resolved.source.rawValue)\(file)\(resolved.isLocked ? " and locked" : "")"
    }

    @Test func theFirstSourceThatHasAValueWins() {
        #expect(resolve(nil) == " default")
        #expect(resolve(nil, vendor: [file("v", "V")]) == "V vendor of v")
        #expect(resolve(nil, admin: [file("a", "A")], vendor: [file("v", "V")]) == "A admin of a")
        #expect(resolve("U", admin: [file("a", "A")], vendor: [file("v", "V")]) == "U user")
        #expect(resolve("", admin: [file("a", "A")], vendor: [file("v", "V")]) == " user")
        #expect(resolve("U", admin: [file("a", "A", locks: true)], vendor: [file("v", "V")]) == "A locked of a and locked")
        #expect(resolve(nil, admin: [file("a", "", locks: true)], vendor: [file("v", "V")]) == " locked of a and locked")
    }

    @Test func ofSeveralFilesOfALayerTheMostImportantThatHasAValueWins() {
        #expect(resolve(nil, admin: [file("a1", "A1"), file("a2", "A2")]) == "A1 admin of a1")
        #expect(resolve(nil, admin: [file("a1", nil), file("a2", "A2")], vendor: [file("v", "V")]) == "A2 admin of a2")
        #expect(resolve(nil, vendor: [file("v1", nil), file("v2", "V2"), file("v3", "V3")]) == "V2 vendor of v2")
    }

    @Test func locksAddUpAndTheMostImportantFileThatLocksDecides() {
        #expect(resolve("U", admin: [file("a1", "A1"), file("a2", "A2", locks: true)]) == "A2 locked of a2 and locked")
        #expect(
            resolve("U", admin: [file("a1", "A1", locks: true), file("a2", "A2", locks: true)]) == "A1 locked of a1 and locked")
    }

    @Test func aLockWithoutAValueLeavesTheNextLayersBelowTheUsers() {
        #expect(resolve("U", admin: [file("a", nil, locks: true)]) == " default and locked")
        #expect(resolve("U", admin: [file("a", nil, locks: true)], vendor: [file("v", "V")]) == "V vendor of v and locked")
        #expect(resolve("U", admin: [file("a1", nil, locks: true), file("a2", "A2")]) == "A2 admin of a2 and locked")
        #expect(resolve("U", admin: [file("a1", "A1"), file("a2", nil, locks: true)]) == "A1 admin of a1 and locked")
        // The value comes from an admin file that locks the key, so its source is a lock.
        #expect(
            resolve("U", admin: [file("a1", nil, locks: true), file("a2", "A2", locks: true)]) == "A2 locked of a2 and locked")
    }

    @Test func locksInTheVendorLayerHaveNoEffect() throws {
        let layers = Layers(vendor: [file("v", "V", locks: true)])
        #expect(layers.lock(on: "profile.name") == nil)
        #expect(Fixture(["profile.name": "U"], layers: layers).effective("profile.name") == "U")
        #expect(try Fixture(layers: layers).outcome(.updateProfile(name: "U")).edits.count == 1)
    }

    @Test func aChangeOfALockedValueIsRefusedNamingTheFile() {
        let files = [
            LayerFile(path: "/etc/a.json", values: [:]), file("/etc/b.json", "B", locks: true),
            file("/etc/c.json", "C", locks: true),
        ]
        let fixture = Fixture(["profile.name": "U"], layers: Layers(admin: files))
        for action in [.updateProfile(name: "Ada"), .resetValues(["profile.name"]), .signOut] as [SettingsAction] {
            let error = fixture.refusal(action)
            #expect(error?.name == .locked)
            #expect(error?.message.hasPrefix("profile.name is locked by /etc/b.json; ") == true)
        }
    }

    @Test func aLockRefusesOnlyWhatWouldChangeTheUsersValue() throws {
        let fixture = Fixture(
            ["profile.name": "U"], layers: .admin(["profile.name": "A"], locked: ["profile.name", "profile.email"]))
        #expect(try fixture.outcome(.updateProfile(name: "U")).edits == [])
        #expect(try fixture.outcome(.resetValues(["profile.email"])).edits == [])
        #expect(try fixture.outcome(.updateProfile(name: "X"), .updateProfile(name: "U")).edits == [])
        #expect(fixture.refusal(.updateProfile(name: "A"))?.name == .locked)
        #expect(fixture.refusal(.updateProfile(email: ""))?.name == .locked)
        let other = try fixture.outcome(.updateProfile(avatar: "https://x.example"))
        #expect(other.edits == [Edit(key: "profile.avatar", before: nil, after: "https://x.example")])
    }

    @Test func resetAllSkipsLockedKeys() throws {
        let values: [String: SettingValue] = ["profile.name": "U", "profile.email": "u@example.org", "provider.account": "u"]
        let layers = Layers.admin(["profile.name": "A"], locked: ["profile.name", "provider.account"])
        let outcome = try Fixture(values, layers: layers).outcome(.resetAll)
        #expect(outcome.edits == [Edit(key: "profile.email", before: "u@example.org", after: nil)])
    }

    @Test func ofAHandEditOnlyTheLockedKeysAreRefused() {
        let fixture = Fixture(
            ["profile.name": "U"], layers: .admin(["profile.name": "A"], locked: ["profile.name", "support.help"]))
        let outcome = fixture.reducer.reduceEdit(
            fixture.document,
            values: ["profile.name": "X", "profile.email": "x@example.org", "support.help": "https://x.example"],
            touched: ["profile.name", "profile.email", "support.help"])
        #expect(outcome.edits == [Edit(key: "profile.email", before: nil, after: "x@example.org")])
        #expect(outcome.values == ["profile.email": "x@example.org"])
        #expect(outcome.previous == ["profile.email": ""])
        #expect(outcome.actions == [])
    }

    @Test func whatAHandEditDidNotTouchStays() {
        let fixture = Fixture(["profile.name": "U", "profile.email": "u@example.org"])
        let outcome = fixture.reducer.reduceEdit(
            fixture.document, values: ["profile.email": "x@example.org"], touched: ["profile.email"])
        #expect(outcome.edits == [Edit(key: "profile.email", before: "u@example.org", after: "x@example.org")])
        let nothing = fixture.reducer.reduceEdit(fixture.document, values: [:], touched: [])
        #expect(nothing == Reducer.Outcome())
    }

    @Test func aChangeOfTheLayersChangesEffectiveValuesAndNoUserValue() {
        var fixture = Fixture(["profile.name": "U"], layers: .vendor(["profile.name": "V", "profile.email": "v@example.org"]))
        let old = fixture.layers
        fixture.layers = .vendor(["profile.name": "W", "support.help": "https://w.example"])
        let outcome = fixture.reducer.reduceLayers(fixture.document, from: old)
        #expect(outcome.edits == [])
        #expect(outcome.values == ["profile.email": "", "support.help": "https://w.example"])
        #expect(outcome.previous == ["profile.email": "v@example.org", "support.help": ""])
        #expect(fixture.reducer.reduceLayers(fixture.document, from: fixture.layers) == Reducer.Outcome())
        let locked = Reducer(schema: .builtIn, layers: .admin(["profile.name": "A"], locked: ["profile.name"]))
        #expect(locked.reduceLayers(fixture.document, from: Layers()).values == ["profile.name": "A"])
        let unlocked = Reducer(schema: .builtIn, layers: Layers())
        #expect(unlocked.reduceLayers(fixture.document, from: locked.layers).values == ["profile.name": "U"])
    }

    @Test func disconnectProviderPinsNoneWhereALayerStillNamesAProvider() throws {
        for layers in [Layers.vendor(["provider.id": "deezer"]), .admin(["provider.id": "deezer"])] {
            let outcome = try Fixture(["provider.id": "spotify", "provider.account": "ada's"], layers: layers).outcome(
                .disconnectProvider)
            #expect(
                outcome.edits == [
                    Edit(key: "provider.id", before: "spotify", after: "none"),
                    Edit(key: "provider.account", before: "ada's", after: nil),
                ])
            #expect(try Fixture(layers: layers).outcome(.disconnectProvider).values == ["provider.id": "none"])
            #expect(try Fixture(["provider.id": "none"], layers: layers).outcome(.disconnectProvider).edits == [])
        }
        let none = try Fixture(["provider.id": "spotify"], layers: .vendor(["provider.id": "none"])).outcome(.disconnectProvider)
        #expect(none.edits == [Edit(key: "provider.id", before: "spotify", after: nil)])
    }

    @Test func disconnectProviderResetsTheAccountToWhatALayerSays() throws {
        let layers = Layers.vendor(["provider.id": "deezer", "provider.account": "family"])
        let outcome = try Fixture(["provider.account": "ada's"], layers: layers).outcome(.disconnectProvider)
        #expect(
            outcome.edits == [
                Edit(key: "provider.id", before: nil, after: "none"), Edit(key: "provider.account", before: "ada's", after: nil),
            ])
        #expect(outcome.values == ["provider.id": "none", "provider.account": "family"])
    }

    @Test func unlinkAccountPinsTheEmptyTextWhereALayerStillHasOne() throws {
        let layers = Layers.vendor(["provider.account": "family"])
        for values in [[:], ["provider.account": "ada's"]] as [[String: SettingValue]] {
            let outcome = try Fixture(values, layers: layers).outcome(.unlinkAccount)
            #expect(outcome.edits == [Edit(key: "provider.account", before: values["provider.account"], after: "")])
            #expect(outcome.values == ["provider.account": ""])
        }
        #expect(try Fixture(["provider.account": ""], layers: layers).outcome(.unlinkAccount).edits == [])
    }

    @Test func anActionThatWouldHaveToPinALockedValueIsRefused() {
        let layers = Layers.admin(
            ["provider.id": "deezer", "provider.account": "corp"], locked: ["provider.id", "provider.account"])
        #expect(Fixture(layers: layers).refusal(.disconnectProvider)?.name == .locked)
        #expect(Fixture(layers: layers).refusal(.unlinkAccount)?.name == .locked)
        #expect(Fixture(layers: layers).refusal(.linkAccount("x"))?.name == .locked)
        #expect(Fixture(layers: layers).refusal(.selectProvider(.tidal))?.name == .locked)
        #expect(Fixture(layers: layers).refusal(.signOut) == nil)
    }

    @Test func aProviderThatALayerNamesLetsAnAccountBeLinked() throws {
        let outcome = try Fixture(layers: .vendor(["provider.id": "deezer"])).outcome(.linkAccount("x"))
        #expect(outcome.edits == [Edit(key: "provider.account", before: nil, after: "x")])
        let none = Fixture(["provider.id": "spotify"], layers: .admin(["provider.id": "none"], locked: ["provider.id"]))
        #expect(none.refusal(.linkAccount("x"))?.name == .invalidArgument)
    }
}
