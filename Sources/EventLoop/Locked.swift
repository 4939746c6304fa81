internal import CLinux
package import Synchronization

/// What threads share, behind a mutex that the thread sanitizer knows of as well: where two threads wait for it, Swift's own
/// waits in the kernel's way, and both sides would be reported as a race.
package struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline package let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs the body while no other thread has the value.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            withUnsafePointer(to: &value) { Self.taken($0) }
            defer { withUnsafePointer(to: &value) { Self.letGo($0) } }
            return try body(&value)
        }
    }

    @usableFromInline package static func taken(_ value: UnsafePointer<Value>) { linux_lock_taken(value) }

    @usableFromInline package static func letGo(_ value: UnsafePointer<Value>) { linux_lock_let_go(value) }
}
