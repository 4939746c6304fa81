import EventLoop
import Foundation
import Synchronization
import Testing

/// A pipe, closed with this object.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reading)
        close(writing)
    }

    func put() {
        write(writing, "x", 1)
    }

    /// Takes a byte out; false when there is none.
    @discardableResult
    func take() -> Bool {
        var byte: UInt8 = 0
        return read(reading, &byte, 1) == 1
    }
}

struct FileTests {
    @Test func aReadableDescriptorCallsItsHandlerUntilItIsEmptied() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var calls = 0
        try loop.watch(pipe.reading, for: .readable) { events in
            #expect(events == .readable)
            calls += 1
            if calls == 3 { pipe.take() }
        }
        pipe.put()
        #expect(loop.run(until: { calls == 3 }, timeout: .seconds(20)))
        #expect(!loop.run(until: { calls > 3 }, timeout: .milliseconds(20)))
    }

    @Test func aSourceIsWatchedForWhatItWasModifiedTo() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var calls = 0
        let source = try loop.watch(pipe.writing, for: []) { _ in calls += 1 }
        #expect(!loop.run(until: { calls > 0 }, timeout: .milliseconds(20)))
        try source.modify(.writable)
        #expect(loop.run(until: { calls > 0 }, timeout: .seconds(20)))
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 0, 3], [2, 0, 3, 1]])
    func whicheverSourceIsCancelledTheOthersStay(_ order: [Int]) throws {
        let loop = try EventLoop()
        let pipes = try (0..<4).map { _ in try Pipe() }
        var called: Set<Int> = []
        let sources = try pipes.enumerated().map { number, pipe in
            try loop.watch(pipe.reading, for: .readable) { _ in called.insert(number) }
        }
        for pipe in pipes { pipe.put() }
        var left = Set(order)
        for number in order {
            called = []
            #expect(loop.run(until: { called == left }, timeout: .seconds(20)), "\(called) of \(left)")
            sources[number].cancel()
            sources[number].cancel()
            left.remove(number)
        }
        called = []
        #expect(!loop.run(until: { !called.isEmpty }, timeout: .milliseconds(20)), "\(called)")
    }

    @Test func aHangUpIsReportedUnasked() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        var events: FileEvents = []
        let source = try loop.watch(ends[0], for: .readable) { events = $0 }
        close(ends[1])
        #expect(loop.run(until: { events.contains(.hangUp) }, timeout: .seconds(20)))
        source.cancel()
        close(ends[0])
    }

    @Test func aHandlerCancelledInTheSameTurnIsNotCalled() throws {
        let loop = try EventLoop()
        let pipes = try [Pipe(), Pipe()]
        var sources: [FileSource] = []
        var calls = 0
        for pipe in pipes {
            sources.append(
                try loop.watch(pipe.reading, for: .readable) { _ in
                    calls += 1
                    for source in sources { source.cancel() }
                })
        }
        for pipe in pipes { pipe.put() }
        #expect(!loop.run(until: { calls > 1 }, timeout: .milliseconds(20)))
        #expect(calls == 1)
    }

    /// The kernel gives a number that was closed to the next descriptor; what was ready was the old one.
    @Test func anEventIsNotGivenToTheNextOwnerOfItsDescriptor() throws {
        let loop = try EventLoop()
        let first = try Pipe()
        var second: Pipe? = try Pipe()
        let number = try #require(second).reading
        var replaced = false
        var strayCalls = 0
        let secondSource = try loop.watch(number, for: .readable) { _ in strayCalls += replaced ? 1 : 0 }
        let other = try Pipe()
        var replacement: FileSource?
        try loop.watch(first.reading, for: .readable) { _ in
            first.take()
            secondSource.cancel()
            second = nil
            replaced = true
            dup2(other.reading, number)
            replacement = try? loop.watch(number, for: .readable) { _ in strayCalls += 1 }
        }
        // Ready in this order, so that the first's handler comes first.
        first.put()
        second?.put()
        #expect(!loop.run(until: { strayCalls > 0 }, timeout: .milliseconds(50)))
        #expect(replacement != nil)
        replacement?.cancel()
        close(number)
    }

    @Test func whatCannotBeWatchedIsRefused() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        try loop.watch(pipe.reading, for: .readable) { _ in }
        let twice = #expect(throws: EventLoopError.self) { try loop.watch(pipe.reading, for: .readable) { _ in } }
        #expect(twice?.code == EEXIST)
        let file = open("/proc/self/exe", O_RDONLY)
        defer { close(file) }
        let regular = #expect(throws: EventLoopError.self) { try loop.watch(file, for: .readable) { _ in } }
        #expect(regular?.description == "epoll_ctl: Operation not permitted")
    }
}

struct LoopTests {
    @Test func workFromAnotherThreadWakesTheLoopAndKeepsItsOrder() throws {
        let loop = try EventLoop()
        let received = Mutex<[Int]>([])
        let thread = Thread {
            for number in 0..<1000 { loop.post { received.withLock { $0.append(number) } } }
        }
        thread.start()
        #expect(loop.run(until: { received.withLock { $0.count } == 1000 }, timeout: .seconds(20)))
        #expect(received.withLock { $0 } == Array(0..<1000))
    }

    @Test func stopEndsRunFromAnyThreadAndBeforeItBegins() throws {
        let loop = try EventLoop()
        loop.schedule(after: .seconds(20)) {
            Issue.record("The loop was not stopped.")
            loop.stop()
        }
        loop.stop()
        loop.run()
        let thread = Thread { loop.stop() }
        thread.start()
        loop.run()
        loop.schedule(after: .milliseconds(1)) { loop.stop() }
        loop.run()
    }

    @Test func workAfterTheTurnComesOnceAndAfterItsSources() throws {
        let loop = try EventLoop()
        let pipes = try (0..<3).map { _ in try Pipe() }
        var events: [String] = []
        for pipe in pipes {
            pipe.put()
            try loop.watch(pipe.reading, for: .readable) { _ in
                pipe.take()
                events.append("source")
                loop.afterTurn { events.append("after") }
            }
        }
        #expect(loop.run(until: { events.count == 6 }, timeout: .seconds(20)))
        #expect(!loop.run(until: { events.count > 6 }, timeout: .milliseconds(20)))
        #expect(events == ["source", "source", "source", "after", "after", "after"])
    }

    @Test func workThatAsksForMoreWorkAfterTheTurnDoesNotKeepSourcesWaiting() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var rounds = 0
        var isServed = false
        func again() {
            rounds += 1
            if rounds == 10 { pipe.put() }
            if !isServed, rounds < 1000 { loop.afterTurn(again) }
        }
        loop.afterTurn(again)
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.take()
            isServed = true
        }
        #expect(loop.run(until: { isServed }, timeout: .seconds(20)))
        #expect(rounds <= 12)
    }

    @Test func turnsInAHandlerServeEverythingElse() throws {
        let loop = try EventLoop()
        let pipes = try (0..<2).map { _ in try Pipe() }
        var events: [String] = []
        let isPosted = Mutex(false)
        loop.post { isPosted.withLock { $0 = true } }
        try loop.watch(pipes[0].reading, for: .readable) { _ in
            pipes[0].take()
            pipes[1].put()
            loop.schedule(after: .milliseconds(1)) { events.append("timer") }
            loop.run(until: { events.count == 2 && isPosted.withLock { $0 } })
            events.append("inner turns are over")
        }
        try loop.watch(pipes[1].reading, for: .readable) { _ in
            pipes[1].take()
            events.append("second")
        }
        for pipe in pipes { pipe.put() }
        pipes[1].take()
        #expect(loop.run(until: { events.count == 3 }, timeout: .seconds(20)))
        #expect(Set(events.dropLast()) == ["timer", "second"])
        #expect(events.last == "inner turns are over")
    }

    /// What was found ready before the inner turns may be used up by them.
    @Test func turnsInAHandlerLeaveNoStaleEvents() throws {
        let loop = try EventLoop()
        let pipes = try (0..<2).map { _ in try Pipe() }
        var reads = 0
        var isNested = false
        for pipe in pipes {
            pipe.put()
            try loop.watch(pipe.reading, for: .readable) { _ in
                #expect(pipe.take())
                reads += 1
                guard !isNested else { return }
                isNested = true
                loop.run(until: { reads == 2 })
            }
        }
        #expect(loop.run(until: { reads == 2 }, timeout: .seconds(20)))
        #expect(!loop.run(until: { reads > 2 }, timeout: .milliseconds(20)))
    }

    @Test func postedWorkThatRunsTurnsLetsTheRestGoOn() throws {
        let loop = try EventLoop()
        let start = SuspendingClock.now
        let done = Mutex<[Int]>([])
        loop.post {
            loop.run(until: { done.withLock { $0.count } == 2 })
            done.withLock { $0.append(0) }
        }
        for number in 1...2 { loop.post { done.withLock { $0.append(number) } } }
        #expect(loop.run(until: { done.withLock { $0.count } == 3 }, timeout: .seconds(20)))
        #expect(done.withLock { $0 } == [1, 2, 0])
        // At once, and not only when the timeout above gave the loop another turn.
        #expect(SuspendingClock.now - start < .seconds(20))
    }

    @Test func anIdleLoopDoesNotWakeUp() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        try loop.watch(pipe.reading, for: .readable) { _ in }
        loop.schedule(after: .seconds(100)) {}
        // How often the thread has slept: once for the wait below, and a few times for the scheduler.
        let sleeps = {
            let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
        }
        let before = try sleeps()
        #expect(!loop.run(until: { false }, timeout: .milliseconds(300)))
        #expect(try sleeps() - before < 5)
    }

    @Test func signalsArriveAsEvents() throws {
        let loop = try EventLoop()
        var received: [Int32] = []
        let source = try loop.onSignals([SIGUSR1, SIGUSR2]) { received.append($0) }
        // Sent to this thread, which has blocked them; another one of the tests' threads would die of them.
        pthread_kill(pthread_self(), SIGUSR2)
        #expect(loop.run(until: { received.count == 1 }, timeout: .seconds(20)))
        pthread_kill(pthread_self(), SIGUSR1)
        #expect(loop.run(until: { received.count == 2 }, timeout: .seconds(20)))
        #expect(received == [SIGUSR2, SIGUSR1])
        source.cancel()
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGUSR1, SIGUSR2] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}

/// Lives on a loop, as the parts of a client may.
private actor Resident {
    private let loop: EventLoop
    private(set) var visits = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
        self.loop = loop
    }

    func visit() {
        visits += 1
        #expect(loop.isOnLoop)
    }

    /// Starts a task that is on the loop from its first step.
    nonisolated func begin(_ work: @escaping @Sendable (isolated Resident) async -> Void) {
        assumeIsolated { $0.start(work) }
    }

    private func start(_ work: @escaping @Sendable (isolated Resident) async -> Void) {
        Task { await work(self) }
    }

    nonisolated func visitAtOnce() {
        assumeIsolated { $0.visits += 1 }
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() {
        state.withLock { $0 = true }
    }
}

struct ExecutorTests {
    @Test func anActorLivesOnTheLoop() throws {
        let loop = try EventLoop()
        let resident = Resident(loop: loop)
        let done = Flag()
        let neighbour = Resident(loop: loop)
        resident.begin { resident in
            for _ in 0..<100 {
                resident.visit()
                await neighbour.visit()
            }
            #expect(resident.visits == 100)
            done.set()
        }
        #expect(loop.run(until: { done.isSet }, timeout: .seconds(20)))
    }

    @Test func aCallbackOfTheLoopIsInsideItsActors() throws {
        let loop = try EventLoop()
        let resident = Resident(loop: loop)
        var isDone = false
        loop.schedule(after: .zero) {
            resident.visitAtOnce()
            isDone = true
        }
        #expect(loop.run(until: { isDone }, timeout: .seconds(20)))
    }

    @Test func aLoopServesTheThreadThatRunsIt() throws {
        let loop = try EventLoop()
        let isServed = Mutex(false)
        let thread = Thread {
            loop.run()
        }
        thread.start()
        loop.post {
            isServed.withLock { $0 = loop.isOnLoop }
            loop.stop()
        }
        while !thread.isFinished { usleep(1000) }
        #expect(isServed.withLock { $0 })
        #expect(!loop.isOnLoop)
    }
}

struct IdleWorkTests {
    @Test func itRunsOnceNothingElseIsReady() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var reads = 0
        var readsBefore: Int?
        try loop.watch(pipe.reading, for: .readable) { _ in
            if pipe.take() { reads += 1 }
        }
        for _ in 0..<5 { pipe.put() }
        loop.whenIdle { readsBefore = reads }
        #expect(loop.run(until: { readsBefore != nil }, timeout: .seconds(20)))
        #expect(readsBefore == 5)
    }

    /// The other end takes a moment for each of its parts.
    @Test func itWaitsForAPauseWhereItAsksForOne() throws {
        let loop = try EventLoop()
        let (here, there) = (try Pipe(), try Pipe())
        let thread = Thread {
            for _ in 0..<40 {
                var end = pollfd(fd: there.reading, events: Int16(POLLIN), revents: 0)
                poll(&end, 1, 20_000)
                there.take()
                here.put()
            }
        }
        var reads = 0
        var readsBefore: Int?
        try loop.watch(here.reading, for: .readable) { _ in
            guard here.take() else { return }
            reads += 1
            if reads < 40 { there.put() }
        }
        thread.start()
        there.put()
        loop.whenIdle(for: 500) { readsBefore = reads }
        #expect(loop.run(until: { readsBefore != nil }, timeout: .seconds(20)))
        #expect(readsBefore == 40)
    }

    @Test func itRunsAllTheSameWhereSomethingIsAlwaysReady() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var isDone = false
        try loop.watch(pipe.reading, for: .readable) { _ in }
        pipe.put()
        loop.whenIdle { isDone = true }
        #expect(loop.run(until: { isDone }, timeout: .seconds(20)))
    }
}
