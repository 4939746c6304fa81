import SettingsModel
import Testing

@Suite struct HistoryTests {
    private func name(_ name: String) -> SettingsAction { .updateProfile(name: name) }

    @Test func undoStepsBackAndRedoForthOverTransactions() throws {
        var fixture = Fixture()
        try fixture.dispatch([name("A").action, SettingsAction.selectProvider(.tidal).action])
        try fixture.dispatch(name("B"))
        let undo = try fixture.dispatch(.undo)
        #expect(undo?.change.revision == 3)
        #expect(undo?.change.actions == ["Undo"])
        #expect(undo?.change.values == ["profile.name": "A"])
        #expect(undo?.change.previous == ["profile.name": "B"])
        #expect(try fixture.dispatch(.undo)?.edits.count == 2)
        #expect(fixture.document == Document(values: [:], revision: 4))
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)
        try fixture.dispatch(.redo)
        #expect(fixture.document.values == ["profile.name": "A", "provider.id": "tidal"])
        try fixture.dispatch(.redo)
        #expect(fixture.document == Document(values: ["profile.name": "B", "provider.id": "tidal"], revision: 6))
        #expect(fixture.refusal(.redo)?.name == .nothingToUndo)
    }

    @Test func undoDistinguishesAPinnedDefaultFromNoValue() throws {
        var fixture = Fixture()
        try fixture.dispatch(.setValues(["profile.name": ""]))
        let undo = try fixture.dispatch(.undo)
        #expect(undo?.edits == [Edit(key: "profile.name", before: "", after: nil)])
        #expect(undo?.change.values == [:])
    }

    @Test func aNewChangeClearsRedoAndAHandEditDoesToo() throws {
        for byHand in [false, true] {
            var fixture = Fixture()
            try fixture.dispatch(name("A"))
            try fixture.dispatch(.undo)
            #expect(fixture.refusal(.redo) == nil)
            if byHand { fixture.edit(["profile.email": "x@y"]) } else { try fixture.dispatch(.updateProfile(email: "x@y")) }
            #expect(fixture.refusal(.redo)?.name == .nothingToUndo)
            try fixture.dispatch(.undo)
            #expect(fixture.document.values == [:])
        }
    }

    @Test func aNoOpLeavesRedo() throws {
        var fixture = Fixture()
        try fixture.dispatch(name("A"))
        try fixture.dispatch(.undo)
        #expect(try fixture.dispatch(.resetAll) == nil)
        #expect(fixture.refusal(.redo) == nil)
    }

    @Test func handEditsAreUndoneAndLayerChangesAreNot() throws {
        var fixture = Fixture()
        try fixture.dispatch(name("A"))
        fixture.edit(["profile.name": "B"])
        fixture.changeLayers(.vendor(["profile.email": "v@example.org"]))
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == ["profile.name": "A"])
        #expect(fixture.effective("profile.email") == "v@example.org")
        fixture.changeLayers(Layers())
        try fixture.dispatch(.redo)
        #expect(fixture.document.values == ["profile.name": "B"])
        try fixture.dispatch(.undo)
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == [:])
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)
    }

    @Test func whatALayersChangeHasTakenBackAlreadyIsSteppedOver() throws {
        var fixture = Fixture(layers: .vendor(["provider.id": "spotify"]))
        try fixture.dispatch(name("A"))
        try fixture.dispatch(.linkAccount("ada's"))
        fixture.changeLayers(.vendor(["provider.id": "tidal"]))
        #expect(fixture.document.values == ["profile.name": "A"])
        #expect(try fixture.dispatch(.undo)?.edits == [Edit(key: "profile.name", before: "A", after: nil)])
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)
        try fixture.dispatch(.redo)
        #expect(fixture.document.values == ["profile.name": "A"])
        #expect(fixture.refusal(.redo)?.name == .nothingToUndo)
    }

    @Test func whatWasSteppedOverOnceIsNotSteppedToLater() throws {
        var fixture = Fixture(layers: .vendor(["provider.id": "spotify"]))
        try fixture.dispatch(.linkAccount("one"))
        try fixture.dispatch(.unlinkAccount)
        try fixture.dispatch(.linkAccount("two"))
        fixture.changeLayers(.vendor(["provider.id": "tidal"]))
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == ["provider.account": "one"])
        fixture.changeLayers(.vendor(["provider.id": "deezer"]))
        #expect(fixture.document.values == [:])
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)

        fixture = Fixture(layers: .vendor(["provider.id": "spotify"]))
        try fixture.dispatch(.linkAccount("one"))
        try fixture.dispatch(.unlinkAccount)
        try fixture.dispatch(.linkAccount("two"))
        try fixture.dispatch(.undo)
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == ["provider.account": "one"])
        fixture.changeLayers(.vendor(["provider.id": "tidal"]))
        try fixture.dispatch(.redo)
        #expect(fixture.document.values == ["provider.account": "two"])
        fixture.changeLayers(.vendor(["provider.id": "deezer"]))
        #expect(fixture.refusal(.redo)?.name == .nothingToUndo)
    }

    @Test func anUndoThatWouldChangeALockedValueIsRefused() throws {
        var fixture = Fixture()
        try fixture.dispatch(name("A"))
        fixture.changeLayers(.admin([:], locked: ["profile.name"]))
        #expect(fixture.refusal(.undo)?.name == .locked)
        fixture.changeLayers(Layers())
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == [:])
    }

    @Test func aTrimmedHistoryGoesAsFarBackAsItReaches() throws {
        var fixture = Fixture()
        for number in 1...5 { try fixture.dispatch(name("\(number)")) }
        fixture.history.trim(to: 2)
        try fixture.dispatch(.undo)
        try fixture.dispatch(.undo)
        #expect(fixture.document.values == ["profile.name": "3"])
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)
        try fixture.dispatch(.redo)
        try fixture.dispatch(.redo)
        #expect(fixture.document.values == ["profile.name": "5"])
    }

    @Test func onlyAnUndoOfTheBusIsAnUndo() {
        var history = History()
        let edit = Edit(key: "profile.name", before: nil, after: "A")
        let change = SettingsChange(
            revision: 1, values: ["profile.name": "A"], previous: ["profile.name": ""], actions: ["SetValues", "Undo"],
            origin: .bus,
            application: "", time: 0)
        history.record(KeptTransaction(Transaction(change: change, edits: [edit])), from: [:])
        #expect(history.undo(from: ["profile.name": "A"])?.edits == [edit.inverse])
        #expect(history.redo(from: ["profile.name": "A"]) == nil)
    }
}
