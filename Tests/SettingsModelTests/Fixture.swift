import SettingsModel

/// A document with layers under it, to which tests do things.
struct Fixture {
    var document = Document()
    var layers = Layers()
    var history = History()
    var schema = Schema.builtIn

    /// What actions learn about the world.
    static let facts = Facts(time: 1_772_300_000_000_000, seed: (1, 2))

    init(
        _ values: [String: SettingValue] = [:], revision: UInt64 = 0, layers: Layers = Layers(), schema: Schema = .builtIn
    ) {
        document = Document(values: values, revision: revision)
        self.layers = layers
        self.schema = schema
    }

    var reducer: Reducer { Reducer(schema: schema, layers: layers) }

    /// What the actions would do, without doing it.
    func outcome(_ actions: SettingsAction...) throws(SettingsError) -> Reducer.Outcome {
        try reducer.reduce(document, history: history, actions.map(\.action), facts: Self.facts)
    }

    @_disfavoredOverload func outcome(_ actions: Action...) throws(SettingsError) -> Reducer.Outcome {
        try reducer.reduce(document, history: history, actions, facts: Self.facts)
    }

    /// The error with which the actions are refused, or nil.
    func refusal(_ actions: SettingsAction...) -> SettingsError? { refusal(of: actions.map(\.action)) }

    func refusal(of actions: [Action]) -> SettingsError? {
        do {
            _ = try reducer.reduce(document, history: history, actions, facts: Self.facts)
            return nil
        } catch {
            return error
        }
    }

    func effective(_ key: String) -> SettingValue? { resolved(key)?.value }

    func resolved(_ key: String) -> ResolvedValue? {
        Schema.builtIn.setting(named: key).map { layers.resolve($0, user: document.values[$0.key]) }
    }

    /// Every key's effective value.
    var effective: [String: SettingValue] {
        Dictionary(
            uniqueKeysWithValues: Schema.builtIn.settings.map {
                ($0.key, layers.resolve($0, user: document.values[$0.key]).value)
            })
    }

    /// Carries actions out as a store does, history included; a transaction without edits leaves everything as it is.
    @discardableResult
    mutating func dispatch(_ actions: SettingsAction...) throws(SettingsError) -> Transaction? {
        try dispatch(actions.map(\.action))
    }

    @discardableResult
    mutating func dispatch(_ actions: [Action]) throws(SettingsError) -> Transaction? {
        let outcome = try reducer.reduce(document, history: history, actions, facts: Self.facts)
        return outcome.edits.isEmpty ? nil : commit(outcome, .bus, outcome.actions.map(\.name))
    }

    /// An edit of the document by hand, which touches what differs.
    @discardableResult
    mutating func edit(_ values: [String: SettingValue]) -> Transaction? {
        let keys = Schema.builtIn.keys
        let touched = Set(keys.filter { values[$0] != document.values[$0] })
        let outcome = reducer.reduceEdit(document, values: values, touched: touched)
        return outcome.edits.isEmpty ? nil : commit(outcome, .file, [])
    }

    @discardableResult
    mutating func changeLayers(_ new: Layers) -> Transaction? {
        let old = layers
        layers = new
        let outcome = reducer.reduceLayers(document, from: old)
        return outcome.edits.isEmpty && outcome.values.isEmpty ? nil : commit(outcome, .layer, [])
    }

    private mutating func commit(_ outcome: Reducer.Outcome, _ origin: Origin, _ actions: [String]) -> Transaction {
        let change = SettingsChange(
            revision: document.revision + 1, values: outcome.values, previous: outcome.previous, actions: actions,
            origin: origin, application: origin == .bus ? "test" : "", time: 1)
        let transaction = Transaction(change: change, edits: outcome.edits)
        history.record(KeptTransaction(transaction), from: document.values)
        document = document.applying(outcome.edits)
        document.revision += 1
        return transaction
    }
}

extension Layers {
    /// One vendor file.
    static func vendor(_ values: [String: SettingValue]) -> Layers {
        Layers(vendor: [LayerFile(path: "/usr/share/settingsd/settings.json", values: values)])
    }

    /// One admin file.
    static func admin(_ values: [String: SettingValue], locked: Set<String> = []) -> Layers {
        Layers(admin: [LayerFile(path: "/etc/xdg/settingsd/settings.json", values: values, locked: locked)])
    }
}
