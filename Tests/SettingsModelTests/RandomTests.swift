import SettingsModel
import TestSupport
import Testing

/// What holds for every list of actions, tried with bounded random ones from fixed seeds.
@Suite struct RandomTests {
    private static let seeds: [UInt64] = Array(1...60)

    /// One step of a run and what it did.
    private struct Step {
        let before: Fixture
        let after: Fixture
        let transaction: Transaction
    }

    private func run(_ seed: UInt64, layers: Bool, locks: Bool = false, steps: Int = 60) -> (start: Fixture, steps: [Step]) {
        var random = SeededGenerator(seed: seed)
        var fixture = Fixture(layers: layers ? random.layers(locks: locks) : Layers())
        for key in Schema.builtIn.keys where Bool.random(using: &random) { fixture.document.values[key] = random.value(of: key) }
        let start = fixture
        var made: [Step] = []
        for _ in 0..<steps {
            let before = fixture
            if let transaction = random.step(&fixture, layers: layers, locks: locks) {
                made.append(Step(before: before, after: fixture, transaction: transaction))
            }
        }
        return (start, made)
    }

    @Test(arguments: seeds)
    func noStepMakesAnInvalidDocumentAndEachTellsWhatItDid(_ seed: UInt64) throws {
        let (_, steps) = run(seed, layers: true, locks: seed % 2 == 0)
        #expect(steps.count > 10)
        for step in steps {
            let (before, after, change) = (step.before, step.after, step.transaction.change)
            #expect(after.document.revision == before.document.revision + 1)
            for (key, value) in after.document.values {
                #expect(throws: Never.self) { try Schema.builtIn.setting(key).check(value) }
                #expect(Schema.builtIn.position(of: key) != nil)
            }
            // The change is the difference of the effective values.
            let changed = Schema.builtIn.keys.filter { before.effective[$0] != after.effective[$0] }
            #expect(change.values == Dictionary(uniqueKeysWithValues: changed.map { ($0, after.effective[$0] ?? "") }))
            #expect(change.previous == Dictionary(uniqueKeysWithValues: changed.map { ($0, before.effective[$0] ?? "") }))
            // The edits are the difference of the documents, in schema order.
            let edited = Schema.builtIn.keys.filter { before.document.values[$0] != after.document.values[$0] }
            #expect(step.transaction.edits.map(\.key) == edited)
            for edit in step.transaction.edits {
                #expect(edit.before == before.document.values[edit.key] && edit.after == after.document.values[edit.key])
                #expect(edit.before != edit.after)
                #expect(after.layers.lock(on: edit.key) == nil, "a locked value changed")
            }
            #expect(after.document.applying(step.transaction.edits.map(\.inverse)).values == before.document.values)
            // Another effective provider leaves no account that the step did not give.
            if before.effective("provider.id") != after.effective("provider.id"), after.layers.lock(on: "provider.account") == nil
            {
                let kept = after.document.values["provider.account"]
                let names = ["Undo", "Redo", "SetValues", "LinkAccount", "UnlinkAccount"]
                let mayGive = change.origin == .file || names.contains { change.actions.contains($0) }
                #expect(kept == nil || mayGive, "\(change)")
            }
        }
    }

    @Test(arguments: seeds)
    func editsReplayedGiveTheDocumentAndTransactionsReplayedTheHistory(_ seed: UInt64) throws {
        let (start, steps) = run(seed, layers: true, locks: seed % 2 == 1)
        var document = start.document
        var history = History()
        for step in steps {
            history.record(KeptTransaction(step.transaction), from: document.values)
            document = document.applying(step.transaction.edits)
            document.revision = step.transaction.change.revision
            #expect(document == step.after.document)
            #expect(history == step.after.history)
        }
    }

    @Test(arguments: seeds)
    func undoOfEverythingGivesTheStartAndRedoOfEverythingTheEnd(_ seed: UInt64) throws {
        let (start, steps) = run(seed, layers: false)
        var fixture = try #require(steps.last).after
        // Past what the run itself had undone, so that the undone is the newest there is.
        while fixture.refusal(.redo) == nil { try fixture.dispatch(.redo) }
        let end = fixture
        var states: [[String: SettingValue]] = [end.document.values]
        while fixture.refusal(.undo) == nil {
            try fixture.dispatch(.undo)
            states.append(fixture.document.values)
        }
        #expect(states.count <= steps.count + 1)
        #expect(fixture.document.values == start.document.values)
        #expect(fixture.refusal(.undo)?.name == .nothingToUndo)
        for state in states.reversed() {
            #expect(fixture.document.values == state)
            if fixture.refusal(.redo) == nil { try fixture.dispatch(.redo) }
        }
        #expect(fixture.document.values == end.document.values)
        #expect(fixture.refusal(.redo)?.name == .nothingToUndo)
        #expect(fixture.history == end.history)
        #expect(fixture.document.revision == end.document.revision + 2 * UInt64(states.count - 1))
    }

    /// The outcome of a list is that of its actions one after the other.
    @Test(arguments: seeds)
    func aListDoesWhatItsActionsDoOneByOne(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var fixture = Fixture(layers: random.layers(locks: false))
            for key in Schema.builtIn.keys where Bool.random(using: &random) {
                fixture.document.values[key] = random.value(of: key)
            }
            let actions = (0..<4).map { _ in random.action() }
            var single = fixture
            var refused: SettingsError?
            for action in actions where refused == nil {
                do { try single.dispatch([action.action]) } catch { refused = error }
            }
            #expect(fixture.refusal(of: actions.map(\.action)) == refused)
            guard refused == nil else { continue }
            let edits = try fixture.outcome(actions).edits
            #expect(fixture.document.applying(edits).values == single.document.values)
        }
    }
}

extension SeededGenerator {
    mutating func value(of key: String) -> SettingValue {
        let texts: [String]
        switch Schema.builtIn.setting(named: key)?.rule.kind {
        case "string": texts = ["", "Ada", "Zo\u{EB}", "Zoe\u{308}", "👩‍👩‍👧‍👦", "山田太郎"]
        case "email": texts = ["", "ada@example.org", "x@ex\u{E4}mple.de", "x@exa\u{308}mple.de"]
        case "uri": texts = ["", "https://example.org", "http://b.example/\u{E4}", "http://b.example/a\u{308}"]
        case "choice": texts = ["none", "spotify", "tidal", "custom:mine"]
        default: texts = []
        }
        return .string(pick(texts))
    }

    /// A valid action that may or may not change something; neither `Undo` nor `Redo`.
    mutating func action() -> SettingsAction {
        let keys = (0..<3).map { _ in pick(Schema.builtIn.keys) }
        let url = value(of: "support.help").string ?? ""
        switch Int.random(in: 0..<12, using: &self) {
        case 0, 1: return .setValues(Dictionary(keys.map { ($0, value(of: $0)) }, uniquingKeysWith: { $1 }))
        case 2: return .resetValues(keys)
        case 3: return .resetAll
        case 4, 5: return .selectProvider(MusicProvider(rawValue: value(of: "provider.id").string ?? ""))
        case 6: return .disconnectProvider
        case 7, 8: return .linkAccount(value(of: "provider.account").string ?? "")
        case 9: return .unlinkAccount
        case 10: return Bool.random(using: &self) ? .signOut : .updateProfile(name: value(of: "profile.name").string)
        default:
            let link = pick(SupportLink.allCases)
            return Bool.random(using: &self) ? .setSupportLink(link, url: url) : .openSupportLink(link)
        }
    }

    mutating func layers(locks: Bool) -> Layers {
        func files(_ path: String, locks: Bool) -> [LayerFile] {
            (0..<Int.random(in: 0..<3, using: &self)).map { number in
                let keys = (0..<4).map { _ in pick(Schema.builtIn.keys) }
                let values = Dictionary(keys.map { ($0, value(of: $0)) }, uniquingKeysWith: { $1 })
                return LayerFile(
                    path: "\(path)\(number)", values: values, locked: locks ? Set(keys.suffix(1) + [pick(keys)]) : [])
            }
        }
        return Layers(admin: files("/admin/", locks: locks), vendor: files("/vendor/", locks: false))
    }

    /// Does something to the fixture: mostly actions, now and then an edit by hand or a change of the layers.
    mutating func step(_ fixture: inout Fixture, layers: Bool, locks: Bool) -> Transaction? {
        do {
            switch Int.random(in: 0..<20, using: &self) {
            case 0 where layers: return fixture.changeLayers(self.layers(locks: locks))
            case 1, 2:
                var values = fixture.document.values
                for _ in 0..<2 {
                    let key = pick(Schema.builtIn.keys)
                    values[key] = Bool.random(using: &self) ? value(of: key) : nil
                }
                return fixture.edit(values)
            case 3, 4, 5: return try fixture.dispatch(.undo)
            case 6, 7: return try fixture.dispatch(.redo)
            default: return try fixture.dispatch((0..<Int.random(in: 1..<4, using: &self)).map { _ in action().action })
            }
        } catch {
            #expect([.locked, .invalidArgument, .nothingToUndo].contains(error.name), "\(error)")
            return nil
        }
    }
}
