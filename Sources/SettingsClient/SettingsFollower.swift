public import DBus
public import EventLoop
public import SettingsBus
internal import SettingsModel

/// Follows the settings: a snapshot, then every change once and in order, across restarts of the service and of the bus.
///
/// Loop-confined, the handler too. Only signals of the service's unique name count, whoever else sends some. After a
/// loss the changes that were missed come first, where the service's history has them, then one fresh snapshot. No call
/// of anybody's is sent again.
public final class SettingsFollower {
    /// What the follower tells.
    public typealias Event = SettingsEvent

    /// The connection for calls; nil while there is no bus.
    public private(set) var connection: SettingsConnection?

    private let loop: EventLoop
    private let address: String
    private let path: ObjectPath
    private let startsDaemon: Bool
    private let timeout: Duration
    private let handler: (Event) -> Void

    /// The revision up to which the handler knows everything; nil before the first snapshot.
    private var revision: UInt64?
    /// The unique name of the service whose signals count; nil while what it says is not in step with what is known.
    private var service: String?
    /// The owner of the service's name, as far as the bus has told.
    private var owner: String?
    private var isSynchronizing = false
    private var isLost = false
    private var isStopped = false
    private var backoff = Backoff()
    private var retry: Timer?
    private lazy var problems = ProblemFollower { [weak self] in self?.tell(.problems($0)) }

    /// - Parameters:
    ///   - loop: serves the follower; the caller is on its thread.
    ///   - address: of the bus, also after it was restarted.
    ///   - path: the object whose settings are followed.
    ///   - startsDaemon: whether to start a service that is not running; otherwise it is waited for.
    ///   - timeout: how long to wait for the service's answers.
    ///   - handler: gets the events.
    public init(
        loop: EventLoop, address: String, path: ObjectPath = SettingsNames.path, startsDaemon: Bool = true,
        timeout: Duration = .seconds(25), handler: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.address = BusAddress.withoutIdentity(address)
        self.path = path
        self.startsDaemon = startsDaemon
        self.timeout = timeout
        self.handler = handler
    }

    deinit {
        retry?.cancel()
        connection?.bus.close()
    }

    /// Connects, subscribes, and asks for everything; the events come later. Call it once.
    ///
    /// - Throws: `noBus` when there is none now. Later losses are events.
    public func start() throws(ClientError) {
        precondition(connection == nil && !isStopped && retry == nil, "A follower is started once.")
        try connect()
    }

    private func connect() throws(ClientError) {
        let connection = try SettingsConnection.open(
            address: address, loop: loop, path: path, startsDaemon: startsDaemon)
        self.connection = connection
        connection.bus.onDisconnect = { [weak self] in self?.busLost() }
        connection.bus.onMatchRefused = { [weak self] _, error in self?.signalsRefused(error) }
        let signals = MatchRule(sender: SettingsNames.busName, path: connection.path, interface: SettingsNames.interface)
        connection.bus.subscribe(signals) { [weak self] in self?.receive($0) }
        let owners = MatchRule(
            sender: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged", arg0: SettingsNames.busName.rawValue)
        connection.bus.subscribe(owners) { [weak self] in self?.ownerChanged($0) }
        problems.listen(on: connection)
        if path != SettingsNames.path { followObjects(connection.bus) }
        synchronize()
    }

    /// Ends the following for good; no event comes after this.
    public func stop() {
        isStopped = true
        retry?.cancel()
        connection?.bus.onDisconnect = nil
        connection?.bus.close()
        connection = nil
    }

    // MARK: Getting into step

    /// Asks for what was missed, if anything is known already, and then for everything.
    private func synchronize() {
        isSynchronizing = true
        service = nil
        // First, so that values never come without what is wrong with them.
        problems.ask(within: timeout)
        guard let revision else { return readAll() }
        send(.changes(since: revision)) { [weak self] reply in
            guard let self else { return }
            if reply.answer.isComplete {
                // From here on signals count again: what they tell is newer than this answer.
                self.service = reply.sender
                for change in reply.answer.changes { self.advance(change) }
            }
            self.readAll()
        }
    }

    private func readAll() {
        send(.readAll) { [weak self] reply in
            guard let self else { return }
            if let service = self.service, service != reply.sender { return self.synchronize() }
            // Signals that came before this answer tell of what is in it; those that come later have a higher revision.
            self.service = reply.sender
            self.owner = reply.sender
            self.revision = reply.answer.revision
            self.isSynchronizing = false
            self.isLost = false
            self.backoff.reset()
            self.tell(.snapshot(reply.answer))
        }
    }

    private func send<Answer>(
        _ call: SettingsCall<Answer>, answered: @escaping (SettingsConnection.Reply<Answer>) -> Void
    ) {
        guard let connection else { return }
        connection.send(call, timeout: timeout) { [weak self, weak connection] result in
            // An answer over a connection that is no longer ours, or after stop(), is of no use.
            guard let self, let connection, self.connection === connection else { return }
            switch result {
            case .success(let reply): answered(reply)
            case .failure(let error): self.failed(error)
            }
        }
    }

    private func failed(_ error: ClientError) {
        // That the bus has gone is told by the connection next. A service may say so, too, and is no bus.
        if error.kind == .noBus, connection?.bus.isOpen != true { return }
        isSynchronizing = false
        service = nil
        lost(error)
        // When a schema is installed, the service tells; whose word counts must be known.
        if error.kind == .bus(.unknownObject), path != SettingsNames.path {
            if owner == nil { lookForOwner() }
            return
        }
        // Without a service the bus will tell when one comes; after anything else only another attempt helps.
        if error.kind != .noDaemon || owner != nil { tryAgain { $0.synchronize() } } else { lookForOwner() }
    }

    /// Tries again where there is a service all the same: a service may answer with the very error that says there is none.
    private func lookForOwner() {
        connection?.bus.owner(of: SettingsNames.busName) { [weak self] answer in
            guard let self, case .success(let owner?) = answer, self.owner == nil, !self.isSynchronizing else { return }
            self.owner = owner
            self.tryAgain { $0.synchronize() }
        }
    }

    private func tryAgain(_ attempt: @escaping (SettingsFollower) -> Void) {
        retry?.cancel()
        retry = loop.schedule(after: backoff.next()) { [weak self] in
            guard let self else { return }
            self.retry = nil
            attempt(self)
        }
    }

    private func lost(_ error: ClientError) {
        guard !isLost else { return }
        isLost = true
        tell(.lost(error))
    }

    // MARK: The service and the bus come and go

    private func ownerChanged(_ signal: Message) {
        owner = signal.newOwner
        guard owner != service || owner == nil else { return }
        service = nil
        // A call that is under way is answered by the new owner, or fails and is tried again.
        if isSynchronizing { return }
        retry?.cancel()
        if owner == nil {
            lost(ClientError(.noDaemon, "the daemon has left the bus"))
        } else {
            synchronize()
        }
    }

    /// An application's object comes, changes and goes with its schema file.
    private func followObjects(_ bus: Connection) {
        let objects = MatchRule(
            sender: SettingsNames.busName, path: SettingsNames.path, interface: "org.freedesktop.DBus.ObjectManager")
        bus.subscribe(objects) { [weak self] signal in
            guard let self, signal.sender == self.owner, signal.isAbout(self.path) else { return }
            if signal.member == "InterfacesRemoved" {
                self.service = nil
                self.lost(ClientError(.bus(.unknownObject), "the application's schema is not installed any more"))
            } else if !self.isSynchronizing {
                self.synchronize()
            }
        }
    }

    private func busLost() {
        connection = nil
        service = nil
        owner = nil
        isSynchronizing = false
        lost(ClientError(.noBus, "the bus has gone"))
        tryAgain { $0.reconnect() }
    }

    /// Without its signals the service cannot be followed: what is known would grow old unnoticed.
    private func signalsRefused(_ error: BusError) {
        lost(ClientError(.bus(error.name), "the bus does not let the client listen: \(error.message)"))
        let bus = connection?.bus
        bus?.onDisconnect = nil
        busLost()
        bus?.close()
    }

    private func reconnect() {
        do throws(ClientError) {
            try connect()
        } catch {
            tryAgain { $0.reconnect() }
        }
    }

    // MARK: Signals

    private func receive(_ signal: Message) {
        guard let service, signal.sender == service else { return }
        switch signal.member {
        case SettingsSignal.changed.rawValue: changed(signal.settingsChange)
        case SettingsSignal.actionDispatched.rawValue:
            if let (action, revision) = signal.dispatchedAction, revision >= self.revision ?? 0 {
                tell(.action(action, revision: revision))
            }
        default: break
        }
    }

    private func changed(_ change: SettingsChange?) {
        guard let known = revision else { return }
        if let change, change.revision <= known { return }
        if let change, change.revision == known + 1 { return advance(change) }
        // Something is missing, or not understood.
        if !isSynchronizing { synchronize() }
    }

    private func advance(_ change: SettingsChange) {
        guard let revision, change.revision > revision else { return }
        self.revision = change.revision
        tell(.changed(change))
    }

    private func tell(_ event: Event) {
        if !isStopped { handler(event) }
    }
}

extension Message {
    /// Whether the object whose path comes first is this one.
    fileprivate func isAbout(_ path: ObjectPath) -> Bool {
        do throws(BusError) { return try body().first == .objectPath(path) } catch { return false }
    }

    /// The new owner that a NameOwnerChanged tells of; nil: the name has none.
    fileprivate var newOwner: String? {
        do throws(BusError) {
            guard let owner = try body().last?.string, !owner.isEmpty else { return nil }
            return owner
        } catch {
            return nil
        }
    }
}
