internal import EventLoop
internal import Glibc

/// The one thread that waits for disks, so that the loop never does. It takes jobs in order and sleeps without any.
///
/// The thread starts with the first job and ends with the flusher.
final class Flusher {
    private let loop: EventLoop
    private let jobs = JobQueue()
    private var isStarted = false

    init(loop: EventLoop) { self.loop = loop }

    deinit {
        // Jobs that wait are carried out first.
        if isStarted { jobs.append(nil) }
    }

    /// Carries a job out on the thread, then hands what it returns to `completion` on the loop. Loop-confined.
    func run<Value: Sendable>(_ job: @escaping @Sendable () -> Value, completion: @escaping (Value) -> Void) {
        let completion = LoopConfined(completion)
        let loop = loop
        let work: @Sendable () -> Void = {
            let value = job()
            loop.post { completion.value(value) }
        }
        // Where no thread is to be had, a loop that waits is better than nothing done.
        if start() { jobs.append(work) } else { work() }
    }

    /// - Returns: whether the thread runs.
    private func start() -> Bool {
        if isStarted { return true }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Signals are the loop's.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let argument = Unmanaged.passRetained(jobs)
        var thread = pthread_t()
        let refusal = pthread_create(
            &thread, nil,
            { argument in
                let jobs = Unmanaged<JobQueue>.fromOpaque(argument!).takeRetainedValue()
                while let job = jobs.next() { job() }
                return nil
            }, argument.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard refusal == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        isStarted = true
        return true
    }
}

/// Carries what belongs to the loop through another thread, where nobody touches it.
private struct LoopConfined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Jobs for one thread that waits for them; nil ends it.
private final class JobQueue: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    private let jobs = Locked<[Job?]>([])
    private let count = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(count, 0, 0) }

    deinit {
        sem_destroy(count)
        count.deallocate()
    }

    func append(_ job: Job?) {
        jobs.withLock { $0.append(job) }
        sem_post(count)
    }

    func next() -> Job? {
        while sem_wait(count) != 0 {}
        return jobs.withLock { $0.removeFirst() }
    }
}
