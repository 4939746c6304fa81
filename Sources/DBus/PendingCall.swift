internal import EventLoop

/// A call that waits for its answer; made by `Connection.call`. Loop-confined.
public final class PendingCall {
    let serial: UInt32
    /// Grows with each call of the connection.
    let order: UInt64
    private let destination: String?
    var timer: Timer?
    private weak var connection: Connection?
    private var completion: ((Result<Message, BusError>) -> Void)?

    init(
        connection: Connection, serial: UInt32, order: UInt64, destination: String?,
        completion: @escaping (Result<Message, BusError>) -> Void
    ) {
        self.connection = connection
        self.serial = serial
        self.order = order
        self.destination = destination
        self.completion = completion
    }

    /// Gives the call up: its completion is not called any more. The answer, should it come, is dropped.
    public func cancel() {
        completion = nil
        timer?.cancel()
        connection?.forget(self)
    }

    /// Whether an answer may come from a sender: the one who was asked, the bus in its place, or, where a well-known name
    /// was asked, anybody, since its owner answers with a unique one.
    func mayBeAnswered(by sender: String?) -> Bool {
        let bus = BusName.bus.rawValue
        guard let sender, let destination, !sender.hasSameBytes(as: bus) else { return sender != nil }
        let isKnown = destination.utf8.first == UInt8(ascii: ":") || destination.hasSameBytes(as: bus)
        return !isKnown || sender.hasSameBytes(as: destination)
    }

    /// Completes the call, once.
    func finish(_ result: Result<Message, BusError>) {
        timer?.cancel()
        let completion = self.completion
        self.completion = nil
        completion?(result)
    }
}

/// The calls of a connection that wait for their answers, in the order of their serials: mostly that in which they were sent
/// and are answered. A program that makes but one call would feel it if a table were made for that.
struct PendingCalls {
    private var calls: [PendingCall] = []

    subscript(serial: UInt32) -> PendingCall? {
        let place = place(of: serial)
        return place < calls.count && calls[place].serial == serial ? calls[place] : nil
    }

    /// The calls as they were made.
    var inOrder: [PendingCall] { calls.sorted { $0.order < $1.order } }

    mutating func insert(_ call: PendingCall) {
        let place = place(of: call.serial)
        if place == calls.count { calls.append(call) } else { calls.insert(call, at: place) }
    }

    mutating func remove(_ call: PendingCall) {
        let place = place(of: call.serial)
        if place < calls.count, calls[place] === call { calls.remove(at: place) }
    }

    /// Where a serial is, or would be.
    private func place(of serial: UInt32) -> Int {
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = low + (high - low) / 2
            if calls[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
