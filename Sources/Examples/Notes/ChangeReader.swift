import EventLoop
import SettingsClient
import Synchronization

/// Reads a client's changes on its loop, for code that is not async.
actor ChangeReader {
    private nonisolated let loop: EventLoop
    private nonisolated let hasBegun = Mutex(false)
    private nonisolated let changes = Mutex<[UInt64: SettingsChange]>([:])

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Begins to read; every change from then on is kept.
    init(_ client: ApplicationClient, on loop: EventLoop) {
        self.loop = loop
        loop.post { self.assumeIsolated { $0.read(client) } }
        loop.run(until: { hasBegun.withLock { $0 } })
    }

    private func read(_ client: ApplicationClient) {
        Task {
            for await event in client.changes {
                switch event {
                case .changed(let change): changes.withLock { $0[change.revision] = change }
                default: hasBegun.withLock { $0 = true }
                }
            }
        }
    }

    /// The change that has made a revision, once it has come; nil where it does not.
    nonisolated func change(_ revision: UInt64) -> SettingsChange? {
        loop.run(until: { changes.withLock { $0[revision] != nil } }, timeout: .seconds(5))
            ? changes.withLock { $0[revision] } : nil
    }
}
