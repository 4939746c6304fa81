internal import Glibc

/// Threads for what may block, which the loop must not do.
public enum HelperThread {
    /// Runs work on a new thread, which ends with it. Signals do not reach it: they are the loop's.
    ///
    /// - Returns: false where no thread is to be had; the work is then not run.
    public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let argument = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let refusal = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard refusal == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

/// Carries what belongs to the loop through another thread, where nobody touches it.
public struct LoopConfined<Value>: @unchecked Sendable {
    /// For the loop alone.
    public let value: Value

    public init(_ value: Value) { self.value = value }
}
