import EventLoop
import SettingsClient
import Synchronization
import TestSupport
import Testing

extension TestSession {
    /// Connects a client with a thread of its own.
    func client(startsDaemon: Bool = true, timeout: Duration = .seconds(20)) throws -> SettingsClient {
        try SettingsClient.connectAndWait(address: bus.address, startsDaemon: startsDaemon, timeout: timeout)
    }
}

/// Reads a sequence of a client's on the client's own thread, so that no thread of the tests has to be free for it. The
/// reading ends with this object.
final class ClientReader<Sequence: AsyncSequence & Sendable>: Sendable
where Sequence.Element: Sendable, Sequence.Failure == Never {
    private actor Read {
        private nonisolated let loop: EventLoop
        nonisolated let elements = Mutex<[Sequence.Element]>([])
        nonisolated let isOver = Atomic(false)
        private var task: Task<Void, Never>?

        init(loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        nonisolated func onLoop(_ work: @escaping @Sendable (isolated Read) -> Void) {
            loop.post { self.assumeIsolated { work($0) } }
        }

        func start(_ sequence: Sequence) {
            task = Task {
                for await element in sequence { self.elements.withLock { $0.append(element) } }
                self.isOver.store(true, ordering: .sequentiallyConsistent)
            }
        }

        func cancel() { task?.cancel() }
    }

    private let read: Read

    /// Begins to read.
    init(_ sequence: Sequence, on loop: EventLoop) {
        read = Read(loop: loop)
        read.onLoop { $0.start(sequence) }
    }

    deinit { cancel() }

    func cancel() { read.onLoop { $0.cancel() } }

    var elements: [Sequence.Element] { read.elements.withLock { $0 } }
    var isOver: Bool { read.isOver.load(ordering: .sequentiallyConsistent) }
}

extension ClientReader<SettingsChanges> {
    convenience init(_ client: LiveSettings) { self.init(client.changes, on: client.loop) }

    /// The events as `snapshot 3`, `changed 4`, the name of an action, or that of an error.
    var names: [String] { elements.map(\.name) }

    func wait(_ what: String, _ condition: ([String]) -> Bool) throws {
        do {
            try eventually(what) { condition(names) }
        } catch {
            throw TestFailure("\(error) Events: \(names)")
        }
    }
}

extension SettingsEvent {
    var name: String {
        switch self {
        case .snapshot(let snapshot): "snapshot \(snapshot.revision)"
        case .changed(let change): "changed \(change.revision)"
        case .action(let action, _): action.name
        case .problems(let problems): "\(problems.count) problems"
        case .lost(let error): error.name
        }
    }
}
