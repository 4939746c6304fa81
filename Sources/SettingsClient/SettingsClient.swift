public import EventLoop
public import SettingsModel

/// The user's settings in an application: a local copy that follows every change, and the calls that make changes.
///
/// What it has in common with the client of an application's own settings is in `LiveSettings`.
public final class SettingsClient: LiveSettings, @unchecked Sendable {
    private init(loop: EventLoop?, timeout: Duration) throws(ClientError) {
        try super.init(application: "", schema: .builtIn, loop: loop, timeout: timeout)
    }

    // MARK: Connecting

    /// Connects, and returns when the copy is there.
    ///
    /// - Parameters:
    ///   - loop: serves the client; nil: a thread of its own. A loop of the application's must be served as long as the
    ///     client is used.
    ///   - address: of the bus; nil: the session bus, as for `settingsctl`.
    ///   - startsDaemon: whether calls start a service that is not running.
    ///   - timeout: how long each call waits for the service's answer, its start included.
    /// - Throws: `noBus`, `noDaemon`, `timeout`, or another D-Bus error; what was started is stopped then.
    public static func connect(
        on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true, timeout: Duration = .seconds(10)
    ) async throws(ClientError) -> SettingsClient {
        let client = try SettingsClient(loop: loop, timeout: timeout)
        try await client.start(address, startsDaemon: startsDaemon)
        return client
    }

    /// Connects as `connect` does, and blocks until the copy is there: for code that is not async. On the thread of the
    /// loop it serves the loop meanwhile.
    public static func connectAndWait(
        on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true, timeout: Duration = .seconds(10)
    ) throws(ClientError) -> SettingsClient {
        let client = try SettingsClient(loop: loop, timeout: timeout)
        try client.startAndWait(address, startsDaemon: startsDaemon)
        return client
    }

    // MARK: Reading

    /// The user's profile.
    public var profile: UserProfile { hub.copy.face.profile }

    /// The music provider in use.
    public var provider: MusicProvider { hub.copy.face.provider }

    /// The label of the account that is linked with the provider; empty where none is.
    public var account: String { hub.copy.face.account }

    /// The published support links.
    public var support: SupportLinks { hub.copy.face.support }
}
