/// What the copy does not hold: the service is asked. They throw `noBus`, `noDaemon`, `timeout` or another D-Bus error.
extension LiveSettings {
    // MARK: Asking

    /// Tells where values come from, whether an administrator has locked them, and what is allowed.
    ///
    /// - Parameter keys: keys or aliases; none: every setting.
    /// - Throws: `UnknownKey` with the nearest known key; a D-Bus error.
    public final func describe(_ keys: String...) async throws(ClientError) -> SettingsDescription {
        try await answer { core, completion in core.send(.describe(keys), completion: completion) }
    }

    /// As `describe`, and blocks until the answer is there: for code that is not async. On the thread of the client's loop
    /// it serves the loop meanwhile.
    public final func describeAndWait(_ keys: String...) throws(ClientError) -> SettingsDescription {
        try waitForAnswer { core, completion in core.send(.describe(keys), completion: completion) }
    }

    /// Tells which files hold the settings, and what is wrong with them.
    public final func status() async throws(ClientError) -> ServiceStatus {
        try await answer { core, completion in core.send(.status, completion: completion) }
    }

    /// As `status`, and blocks until the answer is there: for code that is not async. On the thread of the client's loop it
    /// serves the loop meanwhile.
    public final func statusAndWait() throws(ClientError) -> ServiceStatus {
        try waitForAnswer { core, completion in core.send(.status, completion: completion) }
    }
}
