internal import DBus
public import EventLoop
internal import SettingsBus
public import SettingsModel

/// The settings in an application: a local copy that follows every change, and the calls that make changes.
///
/// Reads come from the copy: they ask nobody, never fail, and cost a lock held for a few nanoseconds, a reference count
/// and a look into a dictionary; nothing is allocated. The copy is one consistent state at all times. Use it from any
/// thread or actor.
///
/// The client goes on when the service is stopped, killed or upgraded and when the bus is restarted: the copy stays as it
/// was (`loss` says why), and on return the changes that were missed come first where the service still has them, then a
/// fresh snapshot. No call is sent again by itself. Signals count only when they come from the service's owner.
///
/// A client has one thread, which sleeps while nothing happens, or lives on an event loop of the application's. It never
/// uses Swift's default executor; async functions resume where their caller runs. Thread, socket and all waiting calls
/// and sequences end when the client is closed or the last reference to it goes.
public final class SettingsClient: Sendable {
    let core: ClientCore
    let hub: SettingsHub

    private init(loop: EventLoop?, timeout: Duration) throws(ClientError) {
        let served: EventLoop
        if let loop { served = loop } else { served = try LoopThread.start() }
        hub = SettingsHub(SettingsCopy(SettingsSnapshot(revision: 0, values: [:])))
        core = ClientCore(loop: served, ownsLoop: loop == nil, hub: hub, timeout: timeout)
    }

    deinit { close() }

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
        let address = try busAddress(address)
        let client = try SettingsClient(loop: loop, timeout: timeout)
        try await client.answer { (core, completion) in
            core.start(address: address, startsDaemon: startsDaemon, completion: completion)
        }
        return client
    }

    /// Connects as `connect` does, and blocks until the copy is there: for code that is not async. On the thread of the
    /// loop it serves the loop meanwhile.
    public static func connectAndWait(
        on loop: EventLoop? = nil, address: String? = nil, startsDaemon: Bool = true, timeout: Duration = .seconds(10)
    ) throws(ClientError) -> SettingsClient {
        let address = try busAddress(address)
        let client = try SettingsClient(loop: loop, timeout: timeout)
        try client.waitForAnswer { (core, completion) in
            core.start(address: address, startsDaemon: startsDaemon, completion: completion)
        }
        return client
    }

    private static func busAddress(_ address: String?) throws(ClientError) -> String {
        if let address { return address }
        do throws(BusError) {
            return try SessionBus.address(environment: ProcessEnvironment.current)
        } catch {
            throw .noBus(error)
        }
    }

    /// Ends everything now: calls that wait fail, sequences end, the copy stays as it is. Later calls fail. May be called
    /// from anywhere and more than once; letting the client go does the same.
    public func close() {
        hub.finish()
        core.close()
    }

    /// The loop that the client lives on. An actor with this as its executor uses the client without a change of thread;
    /// what runs there must not block.
    public var loop: EventLoop { core.loop }

    // MARK: Reading

    /// Every setting's effective value at one revision.
    public var snapshot: SettingsSnapshot { hub.copy.snapshot }

    /// The revision of the copy.
    public var revision: UInt64 { hub.copy.snapshot.revision }

    /// A setting's effective value.
    ///
    /// - Parameter name: a key or an alias.
    /// - Returns: nil where the service has no such setting.
    public subscript(name: String) -> SettingValue? { hub.copy[name] }

    /// The user's profile.
    public var profile: UserProfile { hub.copy.profile }

    /// The music provider in use.
    public var provider: MusicProvider { hub.copy.provider }

    /// The label of the account that is linked with the provider; empty where none is.
    public var account: String { hub.copy.account }

    /// The published support links.
    public var support: SupportLinks { hub.copy.support }

    /// Why the copy does not follow the settings now; nil while it does.
    public var loss: ClientError? { hub.copy.loss }

    // MARK: Asking

    typealias Question<Answer> = @Sendable (isolated ClientCore, @escaping ClientCore.Completion<Answer>) -> Void

    func answer<Answer: Sendable>(_ question: @escaping Question<Answer>) async throws(ClientError) -> Answer {
        let result = await suspend { continuation in
            core.run({ continuation.resume(returning: $0) }, question)
        }
        return try result.get()
    }

    func waitForAnswer<Answer: Sendable>(_ question: @escaping Question<Answer>) throws(ClientError) -> Answer {
        let result = AwaitedResult<Answer>()
        core.run({ result.fill($0) }, question)
        return try result.wait(on: core.loop).get()
    }
}
