internal import DBus
internal import EventLoop
internal import Glibc

/// A thread of the client's own that serves its loop.
enum LoopThread {
    /// Starts a thread that makes a loop and serves it until it is stopped. It takes no signals: they stay the
    /// application's.
    ///
    /// - Throws: `Failed` with what the system refuses.
    static func start() throws(ClientError) -> EventLoop {
        let made = AwaitedResult<EventLoop>()
        let refusal = serve(made)
        guard refusal == 0 else { throw failure(EventLoopError(call: "pthread_create", code: refusal)) }
        return try made.wait().get()
    }

    private static func failure(_ error: EventLoopError) -> ClientError {
        ClientError(.bus(.failed), "the client's thread cannot be started: \(error)")
    }

    /// - Returns: 0, or an `errno` value.
    private static func serve(_ made: AwaitedResult<EventLoop>) -> Int32 {
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(made)
        let refusal = unsafe pthread_create(&thread, nil, run, argument.toOpaque())
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        if refusal == 0 { pthread_detach(thread) } else { unsafe argument.release() }
        return refusal
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        if let argument = unsafe argument {
            unsafe serve(handingOverTo: Unmanaged<AwaitedResult<EventLoop>>.fromOpaque(argument).takeRetainedValue())
        }
        return nil
    }

    /// The thread's life. A loop belongs to the thread that makes it.
    private static func serve(handingOverTo made: consuming AwaitedResult<EventLoop>) {
        do throws(EventLoopError) {
            let loop = try EventLoop()
            made.fill(.success(loop))
            loop.run()
        } catch {
            made.fill(.failure(failure(error)))
        }
    }
}
