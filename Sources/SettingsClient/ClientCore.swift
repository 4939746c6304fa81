internal import DBus
internal import EventLoop
internal import SettingsModel

/// The part of a client that lives on its loop: the follower, and the calls that go over its connection.
///
/// Nobody on the loop keeps the client itself, so that one that is let go can stop all this.
actor ClientCore {
    typealias Completion<Answer> = @Sendable (Result<Answer, ClientError>) -> Void

    nonisolated let loop: EventLoop
    nonisolated let hub: SettingsHub
    /// Whether the loop's thread ends with the client.
    private nonisolated let ownsLoop: Bool
    /// Locked while work is handed to the loop, so that nothing comes behind the work that stops it.
    private nonisolated let isOpen = Locked(true)
    private let timeout: Duration

    private var follower: SettingsFollower?
    private var connected: Completion<Void>?
    private var waits: [UInt64: Wait] = [:]
    private var nextWait: UInt64 = 0

    /// Somebody who waits until the copy has a revision.
    private struct Wait {
        let revision: UInt64
        let timer: Timer
        let completion: () -> Void
    }

    init(loop: EventLoop, ownsLoop: Bool, hub: SettingsHub, timeout: Duration) {
        self.loop = loop
        self.ownsLoop = ownsLoop
        self.hub = hub
        self.timeout = timeout
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    // MARK: Any thread

    /// Does work on the loop, at once where the caller is there already.
    ///
    /// - Returns: false where the core has been stopped; nothing is done then.
    nonisolated func run(_ work: @escaping @Sendable (isolated ClientCore) -> Void) -> Bool {
        if loop.isOnLoop {
            guard isOpen.withLock({ $0 }) else { return false }
            assumeIsolated { work($0) }
            return true
        }
        return isOpen.withLock { isOpen in
            if isOpen { loop.post { self.assumeIsolated { work($0) } } }
            return isOpen
        }
    }

    /// Does work on the loop that ends in a completion.
    nonisolated func run<Answer>(
        _ completion: @escaping Completion<Answer>,
        _ work: @escaping @Sendable (isolated ClientCore, @escaping Completion<Answer>) -> Void
    ) {
        if !run({ work($0, completion) }) { completion(.failure(.closed)) }
    }

    /// Ends everything, and the loop's thread too where it is the client's own.
    nonisolated func close() {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            // Behind all other work, unless the caller's thread is the one that would have to do it.
            if isOpen, ownsLoop || !loop.isOnLoop { loop.post { self.assumeIsolated { $0.stop() } } }
            return isOpen
        }
        if isFirst, !ownsLoop, loop.isOnLoop { assumeIsolated { $0.stop() } }
    }

    // MARK: Following

    func start(address: String, path: ObjectPath, startsDaemon: Bool, completion: @escaping Completion<Void>) {
        connected = completion
        let follower = SettingsFollower(
            loop: loop, address: address, path: path, startsDaemon: startsDaemon, timeout: timeout
        ) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        self.follower = follower
        do throws(ClientError) {
            try follower.start()
        } catch {
            finishConnecting(.failure(error))
        }
    }

    private func receive(_ event: SettingsEvent) {
        // What an action has changed is told by its change.
        if case .action(let action, _) = event, !mayOnlyAnnounce(action) { return }
        hub.publish(event)
        switch event {
        case .snapshot:
            finishConnecting(.success(()))
            // It was asked for behind every call that was answered before.
            release { _ in true }
        // After a loss the changes that were missed come first, and then the snapshot that ends it.
        case .changed(let change): if hub.copy.loss == nil { release { $0.revision <= change.revision } }
        case .action, .problems: break
        case .lost(let error): finishConnecting(.failure(error))
        }
    }

    /// What an application's actions do, its schema says, which only the service has.
    private func mayOnlyAnnounce(_ action: Action) -> Bool {
        hub.copy.schema?.actions.first { $0.name == action.name }?.onlyAnnounces ?? true
    }

    private func finishConnecting(_ result: Result<Void, ClientError>) {
        let completion = connected
        connected = nil
        completion?(result)
    }

    private func stop() {
        follower?.stop()
        follower = nil
        finishConnecting(.failure(.closed))
        release { _ in true }
        guard ownsLoop else { return }
        // Behind the tasks that live on the loop and have just learnt of the end.
        loop.post { [loop] in loop.stop() }
    }

    // MARK: Calls

    /// Sends a call over the follower's connection, so that its answer and the signals come in the service's order.
    func send<Answer>(_ call: SettingsCall<Answer>, completion: @escaping Completion<Answer>) {
        guard let follower else { return completion(.failure(.closed)) }
        guard let connection = follower.connection else {
            return completion(.failure(ClientError(.noBus, "the bus has gone; the client connects again when it is back")))
        }
        connection.send(call, timeout: timeout) { completion($0.map(\.answer)) }
    }

    /// Sends a call that makes a transaction. The completion comes when the copy has what the call has changed; should
    /// the service be lost behind its answer and stay away for the time limit, without that.
    func change(_ call: SettingsCall<UInt64>, completion: @escaping Completion<UInt64>) {
        send(call) { [weak self] result in
            guard case .success(let revision) = result, let self else { return completion(result) }
            self.assumeIsolated { core in
                core.wait(for: revision, within: core.timeout) { completion(result) }
            }
        }
    }

    /// Calls back once the copy follows the settings and has a revision or a later one, or the time is over.
    func wait(for revision: UInt64, within limit: Duration, completion: @escaping () -> Void) {
        if follower == nil || hub.copy.loss == nil && hub.copy.snapshot.revision >= revision { return completion() }
        let number = nextWait
        nextWait += 1
        let timer = loop.schedule(after: limit) { [weak self] in
            self?.assumeIsolated { $0.release(number) }
        }
        waits[number] = Wait(revision: revision, timer: timer, completion: completion)
    }

    private func release(where isDue: (Wait) -> Bool) {
        for number in waits.filter({ isDue($0.value) }).keys.sorted() { release(number) }
    }

    private func release(_ number: UInt64) {
        guard let wait = waits.removeValue(forKey: number) else { return }
        wait.timer.cancel()
        wait.completion()
    }
}
