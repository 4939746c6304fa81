internal import CLinux
package import Synchronization

/// What threads share, behind a mutex that the thread sanitizer knows of as well: where two threads wait for it, Swift's own
/// waits in the kernel's way, and both sides would be reported as a race.
///
/// An object, since the sanitizer needs a place that stays.
package final class Locked<Value>: Sendable {
    @usableFromInline package let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs the body while no other thread has the value.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            taken()
            defer { letGo() }
            return try body(&value)
        }
    }

    @usableFromInline package func taken() { linux_lock_taken(Unmanaged.passUnretained(self).toOpaque()) }

    @usableFromInline package func letGo() { linux_lock_let_go(Unmanaged.passUnretained(self).toOpaque()) }
}
