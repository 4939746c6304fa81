internal import DBus
public import EventLoop
public import SettingsModel

/// The settings that an application has installed a schema for: a local copy that follows every change, and the calls that
/// make changes.
///
/// Values are `SettingValue`s, or types of the program's: whatever is `Codable`. What it has in common with the client of
/// the user's own settings is in `LiveSettings`. A schema that is upgraded shows as a fresh snapshot; while it is not
/// installed, `loss` says so.
public final class ApplicationClient: LiveSettings, @unchecked Sendable {
    private init(_ application: String, loop: EventLoop?, timeout: Duration) throws(ClientError) {
        guard BusName(application) != nil, !application.hasPrefix(":") else {
            let text = "\(application.quoted()) is no application id; one is like org.example.WorldClock"
            throw ClientError(.bus(.unknownObject), text)
        }
        try super.init(application: application, schema: nil, loop: loop, timeout: timeout)
    }

    // MARK: Connecting

    /// Connects, and returns when the copy is there.
    ///
    /// - Parameters:
    ///   - application: the application's id, which its schema file is named for.
    ///   - loop: serves the client; nil: a thread of its own. It may be that of another client which stays open as long as
    ///     this one.
    ///   - address: of the bus; nil: the session bus, as for `settingsctl`.
    ///   - startsDaemon: whether calls start a service that is not running.
    ///   - timeout: how long each call waits for the service's answer, its start included.
    /// - Throws: `noBus`, `noDaemon`, `timeout`, or another D-Bus error, as `UnknownObject` where no schema is installed;
    ///   what was started is stopped then.
    public static func connect(
        to application: String, on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true,
        timeout: Duration = .seconds(10)
    ) async throws(ClientError) -> ApplicationClient {
        let client = try ApplicationClient(application, loop: loop, timeout: timeout)
        try await client.start(address, startsDaemon: startsDaemon)
        return client
    }

    /// Connects as `connect` does, and blocks until the copy is there: for code that is not async. On the thread of the
    /// loop it serves the loop meanwhile.
    public static func connectAndWait(
        to application: String, on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true,
        timeout: Duration = .seconds(10)
    ) throws(ClientError) -> ApplicationClient {
        let client = try ApplicationClient(application, loop: loop, timeout: timeout)
        try client.startAndWait(address, startsDaemon: startsDaemon)
        return client
    }
}

/// When one of these returns, the change is durable, and a read of the copy sees it. A cancelled task does not take a change
/// back. They return the revision after the change, the same as before where nothing changed, and throw the service's
/// refusal; `noBus`, `noDaemon`, `timeout` or another D-Bus error. After `timeout` and `NoReply` it is not known whether the
/// change was made.
extension ApplicationClient {
    // MARK: Actions

    /// Carries one of the schema's actions out.
    ///
    /// - Parameters:
    ///   - name: as the schema declares it.
    ///   - arguments: by name, each of its declared type.
    ///   - expectedRevision: refuse with `Conflict` unless it is the current one; nil: whatever it is.
    /// - Throws: `UnknownAction`, `InvalidArgument`, or another refusal; a D-Bus error.
    @discardableResult
    public func dispatch(
        _ name: String, _ arguments: [String: SettingValue] = [:], expecting expectedRevision: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        try await dispatch([Action(name, arguments)], expecting: expectedRevision)
    }

    /// Carries one of the schema's actions out.
    ///
    /// - Parameters:
    ///   - name: as the schema declares it.
    ///   - arguments: a structure, a property being an argument; nil leaves an optional one out.
    ///   - expectedRevision: refuse with `Conflict` unless it is the current one; nil: whatever it is.
    /// - Throws: `mismatch` where the arguments have no form that the bus can carry; else as above.
    @discardableResult
    public func dispatch<Arguments: Encodable>(
        _ name: String, encoding arguments: Arguments, expecting expectedRevision: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        try await dispatch([Action(name, encoding: arguments)], expecting: expectedRevision)
    }

    /// Carries actions out as one transaction: in order, all or none.
    @discardableResult
    public func dispatch(
        _ actions: [Action], expecting expectedRevision: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        try await carryOut(actions, expecting: expectedRevision)
    }

    /// Carries actions out as one transaction and blocks until it is done: for code that is not async. On the thread of
    /// the client's loop it serves the loop meanwhile.
    @discardableResult
    public func dispatchAndWait(
        _ actions: Action..., expecting expectedRevision: UInt64? = nil
    ) throws(ClientError) -> UInt64 {
        try dispatchAndWait(actions, expecting: expectedRevision)
    }

    /// Carries a list of actions out as one transaction and blocks until it is done, as the other `dispatchAndWait`.
    @discardableResult
    public func dispatchAndWait(
        _ actions: [Action], expecting expectedRevision: UInt64? = nil
    ) throws(ClientError) -> UInt64 {
        try carryOutAndWait(actions, expecting: expectedRevision)
    }

    /// Tells what a transaction would change, and changes nothing.
    ///
    /// - Returns: the new effective values; empty where nothing would change.
    /// - Throws: as `dispatch` would, but for what only the write itself can tell.
    public func preview(_ actions: Action...) async throws(ClientError) -> [String: SettingValue] {
        try await outcome(of: actions)
    }

    /// As `preview`, and blocks until the answer is there: for code that is not async. On the thread of the client's loop
    /// it serves the loop meanwhile.
    public func previewAndWait(_ actions: Action...) throws(ClientError) -> [String: SettingValue] {
        try waitForOutcome(of: actions)
    }

    // MARK: Values

    /// Sets one setting.
    ///
    /// - Parameters:
    ///   - key: the setting's.
    ///   - value: of a type of the program's.
    /// - Throws: `mismatch` where the value has no form that a setting's can have; a refusal; a D-Bus error.
    @discardableResult
    public func set<Value: Encodable>(_ key: String, to value: Value) async throws(ClientError) -> UInt64 {
        try await set(key, to: SettingValue(encoding: value, as: self[key]?.type, for: key))
    }

    /// Sets one setting.
    @discardableResult
    public func set(_ key: String, to value: SettingValue) async throws(ClientError) -> UInt64 {
        try await dispatch([.setValues([key: value])])
    }

    /// Takes the user's values of these keys away.
    @discardableResult
    public func reset(_ keys: String...) async throws(ClientError) -> UInt64 {
        try await dispatch([.resetValues(keys)])
    }

    /// Appends an item to a list. One that is there already changes nothing where the schema wants unique items.
    ///
    /// - Parameters:
    ///   - item: of a type of the program's; a `SettingValue` goes with `dispatch([.insertValue(…, into: …)])`.
    ///   - key: the list's.
    /// - Throws: as `set`.
    @discardableResult
    public func insert<Item: Encodable>(_ item: Item, into key: String) async throws(ClientError) -> UInt64 {
        try await dispatch([.insertValue(encoded(item, of: key), into: key)])
    }

    /// Takes an item out of a list, wherever it is there.
    ///
    /// - Parameters:
    ///   - item: of a type of the program's; a `SettingValue` goes with `dispatch([.removeValue(…, from: …)])`.
    ///   - key: the list's.
    /// - Throws: as `set`.
    @discardableResult
    public func remove<Item: Encodable>(_ item: Item, from key: String) async throws(ClientError) -> UInt64 {
        try await dispatch([.removeValue(encoded(item, of: key), from: key)])
    }

    private func encoded<Item: Encodable>(_ item: Item, of key: String) throws(ClientError) -> SettingValue {
        var type: ValueType?
        if case .list(let element)? = self[key]?.type { type = element }
        return try SettingValue(encoding: item, as: type, for: key)
    }

    // MARK: Updates

    /// Changes settings by what they are: reads, lets the closure write, and dispatches that as one transaction, provided
    /// that nobody else has changed anything meanwhile; else again from the newer values.
    ///
    /// - Parameters:
    ///   - attempts: how often to try, at least once. Each one that fails means that another change was made.
    ///   - change: reads and writes a draft; called once an attempt, where the caller runs. One that writes nothing, or
    ///     throws, ends the update.
    /// - Returns: the revision after it.
    /// - Throws: `Conflict` when every attempt met another change; what the closure throws; else as `dispatch`.
    @discardableResult
    public func update(
        attempts: Int = 1000, _ change: (inout ApplicationDraft) throws -> Void
    ) async throws -> UInt64 {
        var failure: (any Error)?
        let revision = try await commit(attempts: attempts) { draft in
            var changed = draft
            do { try change(&changed) } catch { failure = error }
            // One that has failed writes nothing, which ends the update.
            return failure == nil ? changed : draft
        }
        if let failure { throw failure }
        return revision
    }

    /// Changes a structure that stands for all settings, as `settings(as:)` reads it; else as the other `update`. Settings
    /// whose part of it stays the same are not written; those whose part becomes nil are reset.
    ///
    /// - Parameters:
    ///   - type: what the settings are read as, and written from.
    ///   - attempts: how often to try, at least once.
    ///   - change: called once an attempt, where the caller runs.
    /// - Throws: `mismatch` as `settings(as:)`; else as the other `update`.
    @discardableResult
    public func update<Root: Codable>(
        as type: Root.Type, attempts: Int = 1000, _ change: (inout Root) -> Void
    ) async throws(ClientError) -> UInt64 {
        try await commit(attempts: attempts) { (draft: ApplicationDraft) throws(ClientError) -> ApplicationDraft in
            var draft = draft
            try draft.change(type, change)
            return draft
        }
    }
}

extension Action {
    /// Makes a request for an action from a structure, a property being an argument; nil leaves an optional one out.
    ///
    /// - Parameters:
    ///   - name: as the schema declares it.
    ///   - arguments: a structure, or a dictionary by name.
    /// - Throws: `mismatch` where the arguments have no form that the bus can carry.
    public init<Arguments: Encodable>(_ name: String, encoding arguments: Arguments) throws(ClientError) {
        let value = try SettingValue(encoding: arguments, as: .record, for: name)
        guard let fields = value.record else {
            throw ClientError(.mismatch, "\(name): the arguments are \(value.words), and not named values")
        }
        self.init(name, fields)
    }
}

extension SettingsClient {
    /// Connects to the settings of an application, and returns when the copy of them is there: `ApplicationClient.connect`.
    public static func connect(
        application: String, on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true,
        timeout: Duration = .seconds(10)
    ) async throws(ClientError) -> ApplicationClient {
        try await .connect(to: application, on: loop, address: address, startsDaemon: startsDaemon, timeout: timeout)
    }
}
