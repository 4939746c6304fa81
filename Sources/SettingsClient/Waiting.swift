internal import EventLoop
internal import Glibc

/// A result that a blocked thread waits for.
@safe final class AwaitedResult<Success: Sendable>: @unchecked Sendable {
    private let result = Locked<Result<Success, ClientError>?>(nil)
    private let filled = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(filled, 0, 0) }

    deinit {
        unsafe sem_destroy(filled)
        unsafe filled.deallocate()
    }

    func fill(_ value: Result<Success, ClientError>) {
        result.withLock { $0 = value }
        unsafe sem_post(filled)
    }

    /// Blocks until the result is there. On the loop's own thread the loop is served meanwhile, since nobody else does.
    func wait(on loop: EventLoop) -> Result<Success, ClientError> {
        guard loop.isOnLoop else { return wait() }
        loop.run(until: { result.withLock { $0 != nil } })
        return result.withLock { $0 } ?? .failure(.closed)
    }

    /// Blocks until the result is there.
    func wait() -> Result<Success, ClientError> {
        while unsafe sem_wait(filled) != 0 {}
        return result.withLock { $0 } ?? .failure(.closed)
    }
}
