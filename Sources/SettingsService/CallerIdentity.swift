internal import DBus

/// Who makes a call, by the name that people know: for the history, never for permission. Loop-confined.
final class CallerIdentity {
    /// Unique names are never given twice, so an entry stays true; the oldest goes when there are too many.
    private var known: [String: String] = [:]
    private var order: [String] = []
    private var waiting: [String: [(String) -> Void]] = [:]
    private weak var connection: Connection?

    private static let maximumCount = 256

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
            let name = if case .success(let process) = answer { ProcessIdentity.application(of: process) } else { "" }
            self?.found(name, for: sender)
        }
    }

    private func found(_ name: String, for sender: String) {
        known[sender] = name
        order.append(sender)
        if order.count > Self.maximumCount { known[order.removeFirst()] = nil }
        for completion in waiting.removeValue(forKey: sender) ?? [] { completion(name) }
    }
}
