internal import DBus
internal import EventLoop

/// Who makes a call, by the name that people know: for the history, never for permission. Loop-confined.
final class CallerIdentity {
    /// Unique names are never given twice, so an entry stays true; the oldest goes when there are too many.
    private var known: [String: String] = [:]
    private var order: [String] = []
    private var waiting: [String: [(String) -> Void]] = [:]
    private weak var connection: Connection?

    private static let maximumCount = 256
    /// Lookups beside the loop that have not come to an end.
    private var lookups = 0
    private static let maximumLookups = 8
    /// How long a caller's call waits for the name of one whose files do not answer.
    private static let patience = Duration.milliseconds(500)

    init(connection: Connection) {
        self.connection = connection
    }

    /// Finds a caller's app id, desktop id or program name; asks the bus at a caller's first call.
    ///
    /// - Parameters:
    ///   - sender: the caller's unique name.
    ///   - completion: gets the name, empty for a caller that is gone; the completions of one caller are called in order.
    func application(of sender: String, completion: @escaping (String) -> Void) {
        if let name = known[sender] { return completion(name) }
        if waiting[sender]?.append(completion) != nil { return }
        waiting[sender] = [completion]
        guard let connection else { return found("", for: sender) }
        connection.processID(of: sender) { [weak self] answer in
            // A caller that has gone in the meantime is not known any more; its call counts all the same.
            guard case .success(let process) = answer else {
                self?.found("", for: sender)
                return
            }
            if ProcessIdentity.mayBlock(process) {
                self?.lookUp(process, for: sender, on: connection.loop)
            } else {
                self?.found(ProcessIdentity.application(of: process), for: sender)
            }
        }
    }

    /// Finds the name beside the loop, on a thread of its own that ends with that; without one, or in time, there is none.
    private func lookUp(_ process: Int32, for sender: String, on loop: EventLoop) {
        guard lookups < Self.maximumLookups else { return found("", for: sender) }
        let deadline = loop.schedule(after: Self.patience) { [weak self] in self?.found("", for: sender) }
        let answer = LoopConfined { [weak self] (name: String) in
            self?.lookups -= 1
            deadline.cancel()
            self?.found(name, for: sender)
        }
        lookups += 1
        let isStarted = HelperThread.start {
            let name = ProcessIdentity.application(of: process)
            loop.post { answer.value(name) }
        }
        if !isStarted { answer.value("") }
    }

    private func found(_ name: String, for sender: String) {
        // A name that comes too late.
        guard known[sender] == nil else { return }
        known[sender] = name
        order.append(sender)
        if order.count > Self.maximumCount { known[order.removeFirst()] = nil }
        for completion in waiting.removeValue(forKey: sender) ?? [] { completion(name) }
    }
}
