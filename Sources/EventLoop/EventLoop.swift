internal import CLinux
internal import Glibc
internal import Synchronization

/// One epoll loop: file descriptors, timers, signals, and work from other threads, all served on one thread.
///
/// The loop belongs to the thread that made it, or to the one that called `run()` last. What is marked loop-confined
/// (here and in the modules on top) is used on that thread only and calls back on it. The loop is also a
/// `SerialExecutor`: an actor can live on it, and no thread of the default executor is ever started for that.
///
/// A turn waits for events, then serves due timers, ready descriptors, posted work and jobs, where there were none of
/// these what waited for that, and at last what asked to run after the turn. With nothing armed it sleeps without any
/// wake-up.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    let epoll: Int32
    private let wakeUp: Int32
    private let owner: Atomic<UInt>
    private let stopRequested = Atomic(false)
    private let inbox = Locked(Inbox())

    // Loop-confined from here on.
    var sources = FileSources()
    var signalSources: [SignalSource] = []
    var timers = TimerHeap()
    private var nextToken: UInt64 = 1
    private var turnCount: UInt64 = 0
    private var turnDepth = 0
    private var delivered: [Inbox.Item] = []
    private var deliveredServed = 0
    private var afterTurnWork: [() -> Void] = []
    private var idleWork: [() -> Void] = []
    /// Milliseconds that this has to wait for.
    private var idlePause: Int32 = 0
    /// Turns in which there was other work than that.
    private var busyTurns = 0

    /// Makes a loop that belongs to the calling thread.
    ///
    /// - Throws: what epoll_create1(2) or eventfd(2) refuses.
    public init() throws(EventLoopError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw EventLoopError(call: "epoll_create1", code: errno) }
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        owner = Atomic(UInt(pthread_self()))
        guard wakeUp >= 0 else {
            let code = errno
            close(epoll)
            throw EventLoopError(call: "eventfd", code: code)
        }
        try control(EPOLL_CTL_ADD, wakeUp, .readable, Self.wakeUpToken)
    }

    deinit {
        close(wakeUp)
        close(epoll)
    }

    /// True on the loop's own thread.
    public var isOnLoop: Bool { owner.load(ordering: .sequentiallyConsistent) == UInt(pthread_self()) }

    // MARK: Any thread

    /// Runs work on the loop in a coming turn, in the order in which it was posted.
    public func post(_ work: @escaping @Sendable () -> Void) {
        deliver(.work(work))
    }

    /// Runs a job of an actor or task that lives on this loop (SerialExecutor).
    public func enqueue(_ job: consuming ExecutorJob) {
        deliver(.job(UnownedJob(job)))
    }

    /// Lets `run()` return after the current turn, or at once when it is called next. `run(until:)` goes by its
    /// condition alone.
    public func stop() {
        stopRequested.store(true, ordering: .sequentiallyConsistent)
        if !isOnLoop { wake() }
    }

    /// Tells the runtime whether the caller is on the loop, so that `assumeIsolated` works in the loop's callbacks.
    public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    public func checkIsolated() {
        precondition(isOnLoop, "This is for the event loop's thread alone.")
    }

    private func deliver(_ item: Inbox.Item) {
        let mustWake = inbox.withLock { inbox in
            inbox.items.append(item)
            guard !inbox.isWoken, !isOnLoop else { return false }
            inbox.isWoken = true
            return true
        }
        if mustWake { wake() }
    }

    private func wake() {
        // The one refusal is EAGAIN, on a counter that is full; the loop is then awake anyway.
        _ = eventfd_write(wakeUp, 1)
    }

    // MARK: The loop's thread

    /// Calls the handler in each turn in which the descriptor is ready, until the source is cancelled.
    ///
    /// - Parameters:
    ///   - fd: a descriptor that epoll can watch, each but once; it stays the caller's.
    ///   - events: what to watch for. Hang-up and error are always reported.
    ///   - handler: must not block; gets what the descriptor is ready for.
    /// - Throws: what epoll_ctl(2) refuses (EPERM for a regular file, EEXIST for one that is watched).
    @discardableResult
    public func watch(
        _ fd: Int32, for events: FileEvents, handler: @escaping (FileEvents) -> Void
    ) throws(EventLoopError) -> FileSource {
        checkIsolated()
        let token = nextToken
        try control(EPOLL_CTL_ADD, fd, events, token)
        nextToken += 1
        let source = FileSource(loop: self, fd: fd, token: token, handler: handler)
        sources.insert(source)
        return source
    }

    /// Calls the handler once, as soon as the duration has passed; never in the current turn's timers.
    @discardableResult
    public func schedule(after delay: Duration, handler: @escaping () -> Void) -> Timer {
        checkIsolated()
        let timer = Timer(
            loop: self, fireTime: .now + delay, order: nextToken, handler: handler)
        nextToken += 1
        timers.insert(timer)
        return timer
    }

    /// Calls the handler with the number of each of these signals that arrives, and blocks them for the calling thread
    /// and the threads it starts; call it before any is started.
    ///
    /// - Throws: what signalfd(2) or its relatives refuse.
    @discardableResult
    public func onSignals(
        _ signals: [Int32], handler: @escaping (Int32) -> Void
    ) throws(EventLoopError) -> SignalSource {
        checkIsolated()
        return try SignalSource(loop: self, signals: signals, handler: handler)
    }

    /// Runs work once at the end of the current turn, or of the next one when called between turns or by such work.
    public func afterTurn(_ work: @escaping () -> Void) {
        checkIsolated()
        afterTurnWork.append(work)
    }

    /// Runs work once in a coming turn, as soon as one finds no descriptor ready: what comes in is read before anything
    /// is done about it. Should there be no such turn for a while, the work runs all the same.
    ///
    /// - Parameter pause: whole milliseconds for which none becomes ready, where the other end needs a moment to go on.
    public func whenIdle(for pause: Int32 = 0, _ work: @escaping () -> Void) {
        checkIsolated()
        idleWork.append(work)
        idlePause = max(idlePause, pause)
    }

    /// Whether turn after turn has found something ready: whoever reads does well to read more than a little at a time.
    public var isBusy: Bool { busyTurns > 3 }

    /// Makes the calling thread the loop's own and serves turns until `stop()`.
    public func run() {
        adopt()
        while !stopRequested.exchange(false, ordering: .sequentiallyConsistent) { turn() }
    }

    /// Makes the calling thread the loop's own and serves turns until the condition holds; it is looked at before and
    /// after each turn. May be called in a handler.
    public func run(until condition: () -> Bool) {
        adopt()
        while !condition() { turn() }
    }

    /// As `run(until:)`, for as long as the timeout allows.
    ///
    /// - Returns: whether the condition holds; false means that the time has run out.
    public func run(until condition: () -> Bool, timeout: Duration) -> Bool {
        adopt()
        var timeIsUp = false
        let timer = schedule(after: timeout) { timeIsUp = true }
        defer { timer.cancel() }
        while !condition() {
            if timeIsUp { return false }
            turn()
        }
        return true
    }

    private func adopt() {
        precondition(turnDepth == 0 || isOnLoop, "The event loop is running on another thread.")
        owner.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    }

    // MARK: A turn

    private func turn() {
        turnDepth += 1
        defer { turnDepth -= 1 }
        turnCount += 1
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsPerTurn) { events in
            let time = waitTime()
            let found = epoll_wait(epoll, events.baseAddress, Int32(events.count), time)
            precondition(found >= 0 || errno == EINTR, "epoll_wait refused its own loop.")
            let thisTurn = turnCount
            // A timer may have cut the pause short.
            busyTurns = found > 0 || idlePause > 0 && time != idlePause ? busyTurns + 1 : 0
            fireTimers()
            for event in events.prefix(max(0, Int(found))) {
                // A handler that ran turns of its own has used up what was found here; what is left is found again.
                guard turnCount == thisTurn else { break }
                serve(event)
            }
        }
        emptyInbox()
        if busyTurns == 0 || busyTurns >= Self.busyTurnLimit * (idlePause > 0 ? 3 : 1) { doIdleWork() }
        finishTurn()
    }

    /// Milliseconds until something is due: 0 for at once, -1 for never.
    private func waitTime() -> Int32 {
        if !afterTurnWork.isEmpty || stopRequested.load(ordering: .sequentiallyConsistent) { return 0 }
        if deliveredServed < delivered.count || inbox.withLock({ !$0.items.isEmpty }) { return 0 }
        let pause = idleWork.isEmpty ? nil : idlePause
        if pause == 0 { return 0 }
        // Rounded up: a turn that comes too early would find nothing to do.
        let left = timers.first?.fireTime.millisecondsLeft
        return left.map { min($0, pause ?? $0) } ?? pause ?? -1
    }

    private func fireTimers() {
        guard timers.first != nil else { return }
        let now = Moment.now
        let limit = nextToken
        while let timer = timers.first, timer.fireTime <= now, timer.order < limit {
            timers.remove(timer)
            timer.handler()
        }
    }

    private func serve(_ event: epoll_event) {
        if event.data.u64 == Self.wakeUpToken {
            var count: eventfd_t = 0
            // Fails when a turn inside this one has read it already.
            _ = eventfd_read(wakeUp, &count)
        } else if let source = sources[event.data.u64] {
            source.handler(FileEvents(rawValue: event.events))
        }
    }

    private func emptyInbox() {
        delivered += inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox.items
        }
        // An item may run turns of its own; those go on here with what is left.
        while deliveredServed < delivered.count {
            let item = delivered[deliveredServed]
            deliveredServed += 1
            switch item {
            case .work(let work): work()
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
        delivered = []
        deliveredServed = 0
    }

    private func doIdleWork() {
        busyTurns = 0
        // What is asked for meanwhile has a turn of its own.
        let due = idleWork
        idleWork = []
        idlePause = 0
        for work in due { work() }
    }

    private func finishTurn() {
        var due = afterTurnWork.count
        while due > 0, !afterTurnWork.isEmpty {
            due -= 1
            afterTurnWork.removeFirst()()
        }
    }

    func control(
        _ operation: Int32, _ fd: Int32, _ events: FileEvents, _ token: UInt64
    ) throws(EventLoopError) {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: token))
        guard epoll_ctl(epoll, operation, fd, &event) == 0 else {
            throw EventLoopError(call: "epoll_ctl", code: errno)
        }
    }

    private static let wakeUpToken: UInt64 = 0
    private static let eventsPerTurn = 64
    /// After so many turns nothing waits for a quiet one any longer; what waits for a pause does for three times as many.
    private static let busyTurnLimit = 32
}

/// What other threads left for the loop.
private struct Inbox {
    enum Item {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    var items: [Item] = []
    /// A wake-up is under way; another one is not needed.
    var isWoken = false
}
