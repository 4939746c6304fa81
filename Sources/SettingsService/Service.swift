internal import DBus
internal import EventLoop
internal import Glibc
internal import SettingsBus
internal import SettingsModel
internal import SettingsStore

/// The daemon while it runs: the store, its object on the bus, and when they begin and end. Loop-confined.
final class Service {
    /// What the process ends with; known when the loop has ended.
    private(set) var status = Daemon.Status.done

    private let loop: EventLoop
    private let log: ServiceLog
    private let notifier: ServiceNotifier
    private var parts: Parts?
    private var phase = Phase.starting
    /// Set where the status has changed since it was told.
    private var statusTimer: Timer?
    /// The name has been given back, or is about to be.
    private var isLeaving = false

    private enum Phase {
        case starting
        case serving
        case finishing
    }

    private struct Parts {
        let store: SettingsStore
        let connection: Connection
        let server: ObjectServer
        let object: SettingsObject
    }

    init(loop: EventLoop, log: ServiceLog, notifier: ServiceNotifier) {
        self.loop = loop
        self.log = log
        self.notifier = notifier
    }

    /// Connects, loads the settings, exports them and asks for the name; the rest happens on the loop.
    ///
    /// - Throws: `StoreError`, `BusError` or `EventLoopError`, when the daemon cannot even begin.
    func start(_ arguments: DaemonArguments, environment: [String: String]) throws {
        try loop.onSignals([SIGTERM, SIGINT, SIGHUP]) { [weak self] in self?.receive(signal: $0) }
        let paths = try StorePaths.standard(
            environment: environment, configDirectory: arguments.configDirectory, stateDirectory: arguments.stateDirectory)
        let connection = try connect(to: SessionBus.address(environment: environment))
        connection.onDisconnect = { [weak self] in self?.loseBus() }
        let store = try SettingsStore(paths: paths, schema: .builtIn, loop: loop) { [log] in log.write($0, $1) }
        let server = ObjectServer(connection: connection)
        server.refuse = { [log] message in
            guard let refusal = CallLimits.refusal(of: message) else { return nil }
            log.write(.notice, "refused a call of \(message.member ?? "") by \(message.sender ?? ""): \(refusal)")
            return refusal
        }
        let object = SettingsObject(
            store: store, schema: .builtIn, face: .builtIn(.builtIn), server: server,
            identity: CallerIdentity(connection: connection), log: log
        ) { [weak self] completion in self?.reload(completion) }
        store.onProblemsChanged = { [weak self] _ in self?.problemsChanged() }
        parts = Parts(store: store, connection: connection, server: server, object: object)
        object.export()
        let announce = store.onCommit
        store.onCommit = { [weak self] commit, origin in
            announce?(commit, origin)
            self?.statusChanged()
        }
        connection.requestName(SettingsNames.busName) { [weak self] in self?.nameAnswered($0) }
    }

    private func connect(to address: String) throws(BusError) -> Connection {
        do throws(BusError) {
            return try Connection.open(address: address, loop: loop)
        } catch {
            throw .noBus("cannot connect to the session bus at \(address): \(error.message)")
        }
    }

    private func nameAnswered(_ answer: Result<NameOwnership, BusError>) {
        guard phase == .starting, let parts else { return }
        switch answer {
        case .success(.owned):
            phase = .serving
            log.write(.info, "serving \(parts.store.paths.document), revision \(parts.store.document.revision)")
            notifier.ready(status: statusLine)
            notifier.startWatchdog(on: loop)
            checkReach()
        case .success(.taken):
            parts.connection.processID(of: SettingsNames.busName.rawValue) { [weak self] answer in
                let owner = if case .success(let process) = answer { "process \(process)" } else { "another process" }
                self?.log.write(.error, "\(SettingsNames.busName) is taken by \(owner); only one settingsd serves a bus")
                self?.finish(.nameTaken)
            }
        case .failure(let error):
            log.write(.error, "the bus refuses the name \(SettingsNames.busName): \(error)")
            finish(.failed)
        }
    }

    // MARK: While it serves

    private func receive(signal: Int32) {
        if signal == SIGHUP {
            reload {}
        } else {
            finish(.done)
        }
    }

    private func reload(_ completion: @escaping () -> Void) {
        guard let parts else { return completion() }
        log.write(.info, "reading the files again")
        notifier.reloading()
        parts.store.reload { [weak self] in
            if let self, self.phase == .serving { self.notifier.ready(status: self.statusLine) }
            completion()
        }
    }

    private func problemsChanged() {
        parts?.object.announceProblems()
        statusChanged()
        checkReach()
    }

    /// The service manager gives a folder that was made anew to a new process only.
    private func checkReach() {
        guard phase == .serving, notifier.hasManager, parts?.store.isShutOut == true else { return }
        log.write(.notice, "a folder of the settings was made anew outside of the sandbox; starting again to get at it")
        finish(.shutOut)
    }

    /// Tells the service manager, which tells others in turn: once a second is enough.
    private func statusChanged() {
        guard phase == .serving, notifier.hasManager, statusTimer == nil else { return }
        statusTimer = loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            self.statusTimer = nil
            if self.phase == .serving { self.notifier.update(status: self.statusLine) }
        }
    }

    /// What `systemctl status` shows.
    private var statusLine: String {
        guard let store = parts?.store else { return "" }
        let problems = store.problems
        let state =
            switch problems.count {
            case 0: "no problems"
            case 1: "1 problem: \(problems[0])"
            default: "\(problems.count) problems, the first: \(problems[0])"
            }
        return "Revision \(store.document.revision), \(state); serving \(store.paths.document)"
    }

    // MARK: The end

    /// The bus ends with the session, and the next session starts the daemon again.
    private func loseBus() {
        if phase == .starting {
            log.write(.error, "the bus has closed the connection before the daemon could serve")
            finish(.failed)
        } else {
            log.write(.info, "the bus is gone")
            finish(.done)
        }
    }

    /// Brings the document up to date, gives the name back, finishes what came until then, and ends the loop.
    private func finish(_ status: Daemon.Status) {
        guard phase != .finishing, let parts else { return }
        phase = .finishing
        self.status = status
        notifier.stopping()
        // Calls keep coming until the name is gone; a stream of them must not keep the daemon.
        let deadline = loop.schedule(after: .seconds(1)) { [weak self] in self?.leave() }
        parts.store.catchUp { [weak self] in
            deadline.cancel()
            self?.leave()
        }
    }

    private func leave() {
        guard !isLeaving, let parts else { return }
        isLeaving = true
        guard parts.connection.isOpen else { return end() }
        // The calls that were sent to the name before it was given back have come when this is answered.
        parts.connection.releaseName(SettingsNames.busName) { [weak self] _ in self?.end() }
    }

    private func end() {
        guard let parts else { return }
        parts.store.finish { [loop] in
            parts.connection.flush()
            parts.connection.onDisconnect = nil
            parts.connection.close()
            loop.stop()
        }
    }
}
