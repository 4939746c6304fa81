internal import EventLoop

/// A call that waits for its answer; made by `Connection.call`. Loop-confined.
public final class PendingCall {
    let serial: UInt32
    var timer: Timer?
    private weak var connection: Connection?
    private var completion: ((Result<Message, BusError>) -> Void)?

    init(connection: Connection, serial: UInt32, completion: @escaping (Result<Message, BusError>) -> Void) {
        self.connection = connection
        self.serial = serial
        self.completion = completion
    }

    /// Gives the call up: its completion is not called any more. The answer, should it come, is dropped.
    public func cancel() {
        completion = nil
        timer?.cancel()
        connection?.forget(self)
    }

    /// Completes the call, once.
    func finish(_ result: Result<Message, BusError>) {
        timer?.cancel()
        let completion = self.completion
        self.completion = nil
        completion?(result)
    }
}
