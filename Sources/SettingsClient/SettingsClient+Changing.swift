public import SettingsModel

/// Every change is a typed action of the service's. When one of these returns, the change is durable, and a read of the
/// copy sees it. A cancelled task does not take a change back.
extension SettingsClient {
    /// Carries an action out.
    ///
    /// - Parameters:
    ///   - action: what to do.
    ///   - expectedRevision: refuse with `Conflict` unless it is the current one; nil: whatever it is.
    /// - Returns: the revision after it; the same as before where nothing changed.
    /// - Throws: the service's refusal; `noBus`, `noDaemon`, `timeout` or another D-Bus error. After `timeout` and
    ///   `NoReply` it is not known whether the change was made.
    @discardableResult
    public func dispatch(
        _ action: SettingsAction, expecting expectedRevision: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        try await dispatch([action], expecting: expectedRevision)
    }

    /// Carries actions out as one transaction: in order, all or none.
    @discardableResult
    public func dispatch(
        _ actions: [SettingsAction], expecting expectedRevision: UInt64? = nil
    ) async throws(ClientError) -> UInt64 {
        try await carryOut(actions.map(\.action), expecting: expectedRevision)
    }

    /// Carries actions out as one transaction and blocks until it is done: for code that is not async. On the thread of
    /// the client's loop it serves the loop meanwhile.
    @discardableResult
    public func dispatchAndWait(
        _ actions: SettingsAction..., expecting expectedRevision: UInt64? = nil
    ) throws(ClientError) -> UInt64 {
        try dispatchAndWait(actions, expecting: expectedRevision)
    }

    /// Carries a list of actions out as one transaction and blocks until it is done, as the other `dispatchAndWait`.
    @discardableResult
    public func dispatchAndWait(
        _ actions: [SettingsAction], expecting expectedRevision: UInt64? = nil
    ) throws(ClientError) -> UInt64 {
        try carryOutAndWait(actions.map(\.action), expecting: expectedRevision)
    }

    /// Tells what a transaction would change, and changes nothing.
    ///
    /// - Returns: the new effective values; empty where nothing would change.
    /// - Throws: as `dispatch` would, but for what only the write itself can tell.
    public func preview(_ actions: SettingsAction...) async throws(ClientError) -> [String: SettingValue] {
        try await outcome(of: actions.map(\.action))
    }

    /// As `preview`, and blocks until the answer is there: for code that is not async. On the thread of the client's loop
    /// it serves the loop meanwhile.
    public func previewAndWait(_ actions: SettingsAction...) throws(ClientError) -> [String: SettingValue] {
        try waitForOutcome(of: actions.map(\.action))
    }

    /// Announces that a support link is to be opened. Opening it is left to the caller.
    ///
    /// - Returns: its URL.
    /// - Throws: `InvalidArgument` where no such link is published; else as `dispatch`.
    public func openSupportLink(_ link: SupportLink) async throws(ClientError) -> String {
        try await answer { core, completion in
            core.send(.openSupportLink(link.rawValue)) { completion($0.map(\.url)) }
        }
    }

    /// Changes settings by what they are: reads, lets the closure write, and dispatches that as one transaction, provided
    /// that nobody else has changed anything meanwhile; else again from the newer values.
    ///
    /// - Parameters:
    ///   - attempts: how often to try, at least once. Each one that fails means that another change was made.
    ///   - change: reads and writes a draft; called once an attempt, where the caller runs. One that writes nothing ends
    ///     the update.
    /// - Returns: the revision after it.
    /// - Throws: `Conflict` when every attempt met another change; else as `dispatch`.
    @discardableResult
    public func update(
        attempts: Int = 1000, _ change: (inout SettingsDraft) -> Void
    ) async throws(ClientError) -> UInt64 {
        try await commit(attempts: attempts) { draft in
            var draft = SettingsDraft(draft)
            change(&draft)
            return draft.draft
        }
    }
}
