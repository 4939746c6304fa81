public import SettingsModel

/// An application's settings as a user interface shows them: live, observed with Swift's Observation, read and written as
/// types of the program's.
///
/// How it is delivered to, and when it shows what, is in `ObservableValues`.
public final class ObservableApplication: ObservableValues {
    /// Where the settings come from.
    public let client: ApplicationClient

    /// Makes the settings of the user interface that runs here, with all values in place.
    ///
    /// - Parameters:
    ///   - client: a connected client, shared with others or not.
    ///   - delivery: hands work to the user interface's loop.
    public init(_ client: ApplicationClient, delivery: @escaping Delivery) {
        self.client = client
        super.init(from: client, delivery: delivery)
    }

    // MARK: Values

    /// A setting's value as a type of the program's. Each setting is observed for itself.
    ///
    /// - Throws: `UnknownKey`; `mismatch` where the value does not have the type's form.
    public func value<Value: Decodable>(of key: String, as type: Value.Type = Value.self) throws(ClientError) -> Value {
        guard let value = self[key] else { throw ClientError(.unknownKey(key, among: client.snapshot.values.keys)) }
        return try value.decoded(as: type, for: key)
    }

    /// Sets a setting to a value of a type of the program's, as the subscript does.
    ///
    /// - Throws: `mismatch` where the value has no form that a setting's can have. `error` tells of a refusal.
    public func set<Value: Encodable>(_ key: String, to value: Value) throws(ClientError) {
        self[key] = try SettingValue(encoding: value, as: self[key]?.type, for: key)
    }

    /// All settings as one structure of the program's, as `LiveSettings.settings(as:)` reads it. Who reads it observes all.
    ///
    /// - Throws: `mismatch` where a property has no setting, or a setting's value not the property's form.
    public func settings<Root: Decodable>(as type: Root.Type = Root.self) throws(ClientError) -> Root {
        try draft.settings(as: type)
    }

    /// Changes a structure that stands for all settings: what differs is shown at once and dispatched as one transaction.
    ///
    /// - Throws: `mismatch` as `settings(as:)`. `error` tells of a refusal.
    public func update<Root: Codable>(as type: Root.Type, _ change: (inout Root) -> Void) throws(ClientError) {
        var draft = draft
        try draft.change(type, change)
        if !draft.actions.isEmpty { self.change(draft.actions, showing: draft.written) }
    }

    /// Carries one of the schema's actions out, without waiting; `error` tells of a refusal.
    ///
    /// - Parameters:
    ///   - name: as the schema declares it.
    ///   - arguments: by name, each of its declared type.
    public func dispatch(_ name: String, _ arguments: [String: SettingValue] = [:]) { dispatch(Action(name, arguments)) }

    /// Carries actions out as one transaction, without waiting; `error` tells of a refusal.
    public func dispatch(_ actions: Action...) { change(actions, showing: [:]) }

    // MARK: Observing

    /// Calls the closure now and again after each change of what it has read from the settings. For toolkits that do not
    /// follow Observation themselves.
    ///
    /// - Parameter show: gets these settings, so that it need not keep them.
    /// - Returns: what ends the calls before the settings go.
    @discardableResult
    public func observe(_ show: @escaping (ObservableApplication) -> Void) -> SettingsObserver {
        add { [unowned self] in show(self) }
    }
}
