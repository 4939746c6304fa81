internal import DBus
internal import EventLoop
internal import Glibc
internal import SettingsBus
internal import SettingsModel
internal import SettingsSchemas
internal import SettingsStore

/// The daemon while it runs: the stores, their objects on the bus, and when they begin and end. Loop-confined.
final class Service {
    /// What the process ends with; known when the loop has ended.
    private(set) var status = Daemon.Status.done

    private let loop: EventLoop
    private let log: ServiceLog
    private let notifier: ServiceNotifier
    private var parts: Parts?
    /// The daemon's own settings.
    private var object: SettingsObject?
    private var applications: Applications?
    private var phase = Phase.starting
    /// Set where the status has changed since it was told.
    private var statusTimer: Timer?
    /// The last calls are being answered.
    private var isEnding = false
    private lazy var reloads = SharedWork { [weak self] completion in self?.reload(completion) }

    private enum Phase {
        case starting
        case serving
        case finishing
    }

    private struct Parts {
        let host: StoreHost
        let paths: StorePaths
        let connection: Connection
        let server: ObjectServer
        let identity: CallerIdentity
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
        let paths = try StorePaths.standard(
            environment: environment, configDirectory: arguments.configDirectory, stateDirectory: arguments.stateDirectory)
        let connection = try connect(to: SessionBus.address(environment: environment))
        // Connecting may block; until here a signal to end does so at once.
        try loop.onSignals([SIGTERM, SIGINT, SIGXCPU, SIGHUP]) { [weak self] in self?.receive(signal: $0) }
        connection.onDisconnect = { [weak self] in self?.loseBus() }
        let server = ObjectServer(connection: connection)
        server.refuse = { [log] message in
            guard let refusal = CallLimits.refusal(of: message) else { return nil }
            log.write(.notice, "refused a call of \(message.member ?? "") by \(message.sender ?? ""): \(refusal)")
            return refusal
        }
        server.onOverload = { [log] sender in
            log.write(.warning, "refusing calls of \(sender): too many of them wait to be carried out")
        }
        let parts = Parts(
            host: StoreHost(loop: loop), paths: paths, connection: connection, server: server,
            identity: CallerIdentity(connection: connection))
        self.parts = parts
        let object = try makeObject(.builtIn, paths, parts)
        self.object = object
        object.export(isManager: true)
        let announce = object.store.onCommit
        object.store.onCommit = { [weak self] commit, origin in
            announce?(commit, origin)
            if commit.transaction != nil { self?.statusChanged() }
        }
        let applications = Applications(folders: Self.schemaFolders(environment), host: parts.host, server: server, log: log) {
            [weak self] schema throws(StoreError) in
            let paths = StorePaths.application(schema.application, beside: parts.paths)
            try paths.checkOwner()
            return try self?.makeObject(schema, paths, parts)
        }
        self.applications = applications
        object.furtherProblems = { [weak applications] in applications?.problems ?? [] }
        applications.onProblemsChanged = { [weak self, weak object] in
            object?.announceProblems()
            self?.statusChanged()
        }
        applications.onOpen = { [weak self] in self?.statusChanged() }
        applications.start()
        connection.requestName(SettingsNames.busName) { [weak self] in self?.nameAnswered($0) }
    }

    private static func schemaFolders(_ environment: [String: String]) -> SchemaFolders {
        do {
            return SchemaFolders(environment: environment, home: try StorePaths.home(environment))
        } catch {
            // Where the daemon's own folders are given, it needs no home; the machine's schemas count all the same.
            return SchemaFolders(environment: environment)
        }
    }

    /// Opens the store of a schema and makes its object.
    private func makeObject(_ schema: Schema, _ paths: StorePaths, _ parts: Parts) throws(StoreError) -> SettingsObject {
        let store = try SettingsStore(paths: paths, schema: schema, host: parts.host) { [log] in log.write($0, $1) }
        let reloads =
            schema.application.isEmpty
            ? self.reloads
            : SharedWork { [weak self, weak store] completion in
                if let self, let store { reload(store, completion) } else { completion() }
            }
        // At the daemon's own object everything is read again.
        let object = SettingsObject(
            store: store, server: parts.server, identity: parts.identity, log: log, reload: reloads.ask)
        store.onProblemsChanged = { [weak self, weak object] _ in
            object?.announceProblems()
            self?.statusChanged()
            self?.checkReach()
        }
        return object
    }

    /// Every object that there is: the daemon's own, and those of the applications that somebody has asked for.
    private var objects: [SettingsObject] { [object].compactMap { $0 } + (applications?.objects ?? []) }

    /// Does something with every store, and goes on when it is done with all.
    private func withStores(
        _ stores: [SettingsStore], _ work: (SettingsStore) -> (@escaping () -> Void) -> Void,
        then completion: @escaping () -> Void
    ) {
        var count = stores.count
        for store in stores {
            work(store)({
                count -= 1
                if count == 0 { completion() }
            })
        }
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
            log.write(.info, object?.greeting ?? "")
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
            reloads.ask {}
        } else {
            finish(.done)
        }
    }

    /// Reads one store's files again.
    private func reload(_ store: SettingsStore, _ completion: @escaping () -> Void) {
        log.write(.info, "reading \(store.paths.document) and the files below it again")
        applications?.refresh()
        store.reload(completion: completion)
    }

    /// Reads schemas and every store's files again.
    private func reload(_ completion: @escaping () -> Void) {
        log.write(.info, "reading the files again")
        notifier.reloading()
        applications?.refresh()
        withStores(objects.map(\.store), SettingsStore.reload(completion:)) { [weak self] in
            if let self, self.phase == .serving { self.notifier.ready(status: self.statusLine) }
            completion()
        }
    }

    /// The service manager gives a folder that was made anew to a new process only.
    private func checkReach() {
        guard phase == .serving, notifier.hasManager, objects.contains(where: \.store.isShutOut) else { return }
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
        guard let store = object?.store else { return "" }
        let problems = objects.flatMap(\.problems)
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

    /// What those are answered whose calls come too late; they have not been carried out.
    private static let ending = BusError.timeout("settingsd is ending and has not carried this call out; call again")

    /// Brings the document up to date, gives the name back, finishes what came until then, and ends the loop: all of it
    /// within a second or two, whatever the bus does and however many calls wait. A disk that does not answer is not waited
    /// for either.
    private func finish(_ status: Daemon.Status) {
        guard phase != .finishing, object != nil else { return }
        phase = .finishing
        self.status = status
        notifier.stopping()
        loop.schedule(after: .seconds(1)) { [weak self] in self?.end() }
        withStores(objects.map(\.store), SettingsStore.catchUp(completion:)) { [weak self] in self?.leave() }
    }

    private func leave() {
        guard !isEnding, let parts else { return }
        guard parts.connection.isOpen else { return end() }
        // The calls that were sent to the name before it was given back have come when this is answered.
        parts.connection.releaseName(SettingsNames.busName) { [weak self] _ in
            parts.server.close(with: Self.ending, patience: .milliseconds(500)) { self?.end() }
        }
    }

    private func end() {
        guard !isEnding, let parts else { return }
        isEnding = true
        let stores = objects.map(\.store)
        loop.schedule(after: Self.patience) { [self] in
            for rest in stores.compactMap(\.unfinished) { log.write(.error, "ending all the same: \(rest)") }
            close(parts.connection)
        }
        parts.server.close(with: Self.ending, patience: .zero) { [self] in
            withStores(stores, SettingsStore.finish(completion:)) { [self] in close(parts.connection) }
        }
    }

    /// How long the end waits for the stores' disks.
    private static let patience = Duration.seconds(5)

    private func close(_ connection: Connection) {
        connection.flush(timeout: .milliseconds(500))
        connection.onDisconnect = nil
        connection.close()
        loop.stop()
    }
}
