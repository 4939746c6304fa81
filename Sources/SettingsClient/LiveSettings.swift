internal import DBus
public import EventLoop
internal import SettingsBus
public import SettingsModel

/// A local copy of settings that follows every change: what `SettingsClient` and `ApplicationClient` have in common.
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
// All that it and its subclasses hold is constant and Sendable; the compiler takes that from final classes alone.
public class LiveSettings: @unchecked Sendable {
    final let core: ClientCore
    final let hub: SettingsHub
    /// The application whose settings these are; empty: the user's own, which all applications share.
    public final let application: String

    init(application: String, schema: Schema?, loop: EventLoop?, timeout: Duration) throws(ClientError) {
        let served: EventLoop
        if let loop { served = loop } else { served = try LoopThread.start() }
        self.application = application
        hub = SettingsHub(SettingsCopy(SettingsSnapshot(revision: 0, values: [:]), schema: schema))
        core = ClientCore(loop: served, ownsLoop: loop == nil, hub: hub, timeout: timeout)
    }

    deinit { close() }

    // MARK: Connecting

    /// Connects, and returns when the copy is there.
    final func start(_ address: String?, startsDaemon: Bool) async throws(ClientError) {
        try await answer(starting(address, startsDaemon: startsDaemon))
    }

    /// Connects, and blocks until the copy is there.
    final func startAndWait(_ address: String?, startsDaemon: Bool) throws(ClientError) {
        try waitForAnswer(starting(address, startsDaemon: startsDaemon))
    }

    private func starting(_ address: String?, startsDaemon: Bool) throws(ClientError) -> Question<Void> {
        let address = try Self.busAddress(address)
        let path = SettingsNames.path(ofApplication: application)
        return { core, completion in
            core.start(address: address, path: path, startsDaemon: startsDaemon, completion: completion)
        }
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
    public final func close() {
        hub.finish()
        core.close()
    }

    /// The loop that the client lives on. An actor with this as its executor uses the client without a change of thread;
    /// what runs there must not block.
    public final var loop: EventLoop { core.loop }

    // MARK: Reading

    /// Every setting's effective value at one revision.
    public final var snapshot: SettingsSnapshot { hub.copy.snapshot }

    /// The revision of the copy.
    public final var revision: UInt64 { hub.copy.snapshot.revision }

    /// A setting's effective value.
    ///
    /// - Parameter name: a key or an alias.
    /// - Returns: nil where the service has no such setting.
    public final subscript(name: String) -> SettingValue? { hub.copy[name] }

    /// A setting's effective value as a type of the program's.
    ///
    /// - Parameters:
    ///   - name: a key or an alias.
    ///   - type: what the value is read as: a text, number or flag, an enumeration of those, an array, and for a record a
    ///     structure or a dictionary; a field that may be missing is an optional.
    /// - Throws: `UnknownKey` with the nearest known key; `mismatch` where the value does not have the type's form.
    public final func value<Value: Decodable>(
        of name: String, as type: Value.Type = Value.self
    ) throws(ClientError) -> Value {
        try hub.copy.decoded(name, as: type)
    }

    /// All settings at one revision as one structure of the program's, a section being a structure in it:
    /// `meeting.start` is the property `start` of the property `meeting`. Settings without a property are passed over.
    ///
    /// - Parameter type: what the settings are read as.
    /// - Throws: `mismatch` where a property has no setting, or a setting's value not the property's form.
    public final func settings<Root: Decodable>(as type: Root.Type = Root.self) throws(ClientError) -> Root {
        try Sections(hub.copy.snapshot.values).decoded(as: type)
    }

    /// What is wrong with the settings' files, a sentence each: a mistake in a hand edit, a layer's file that cannot be read;
    /// empty when well. Follows as the values do; `changes` and `ObservableValues` tell when it is another.
    public final var problems: [String] { hub.copy.problems }

    /// Why the copy does not follow the settings now; nil while it does.
    public final var loss: ClientError? { hub.copy.loss }

    // MARK: Asking

    typealias Question<Answer> = @Sendable (isolated ClientCore, @escaping ClientCore.Completion<Answer>) -> Void

    final func answer<Answer: Sendable>(_ question: @escaping Question<Answer>) async throws(ClientError) -> Answer {
        let result = await suspend { continuation in
            core.run({ continuation.resume(returning: $0) }, question)
        }
        return try result.get()
    }

    final func waitForAnswer<Answer: Sendable>(_ question: @escaping Question<Answer>) throws(ClientError) -> Answer {
        let result = AwaitedResult<Answer>()
        core.run({ result.fill($0) }, question)
        return try result.wait(on: core.loop).get()
    }
}
