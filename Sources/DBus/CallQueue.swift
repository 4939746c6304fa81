internal import EventLoop

/// The method calls that have come and are not answered yet: the one place that decides which is begun next.
///
/// Whatever the bus has sent is read first and sorted by sender. Then the senders take turns, a call each, in short
/// slices between which more is read, so that whoever has thousands of calls waiting holds nobody else up. One sender's
/// calls begin in the order in which they came.
///
/// All of it is bounded. A sender has but so many calls under way at a time. None is begun while the bus does not take
/// what was answered before. When what waits is over its limit, the sender with the most of it has its newest call
/// refused.
///
/// Loop-confined.
final class CallQueue {
    /// Carries a call out, which counts as under way until its ticket goes.
    var begin: (Message) -> Void = { _ in }
    /// Called for a sender whose calls begin to be refused.
    var onOverload: ((String) -> Void)?

    private let connection: Connection
    private var senders: [String: Sender] = [:]
    /// Who has a call that may begin, in the order of their turns.
    private var line = Deque<Sender>()
    private var isScheduled = false
    /// Of the calls that are not begun.
    private(set) var waitingBytes = 0
    /// What every call is answered with; nil: it is carried out.
    private var refusal: BusError?
    private var whenEmpty: (() -> Void)?

    /// How long calls are begun before more is read.
    private static let slice = Duration.milliseconds(2)
    /// Bytes that may wait, about as they are in memory.
    private static let waitingLimit = 32 << 20
    /// What a waiting call takes in memory beside its bytes on the wire.
    private static let callOverhead = 512
    /// Calls and their bytes that may be under way, a fair share of them for each sender.
    private static let runningCalls = 256
    /// As on the wire. A large call takes long to carry out, and that is then another one's turn.
    private static let runningBytes = 128 << 10
    /// Bytes that may wait to be written, beside the socket's own buffer. An answer waits behind all of them, and the bus
    /// may take long for each.
    private static let outgoingLimit = 16 << 10

    init(connection: Connection) { self.connection = connection }

    /// Takes in a call that has come.
    func add(_ call: Message) {
        if let refusal { return connection.answer(call, with: refusal) }
        let name = call.sender ?? ""
        let sender = senders[name] ?? Sender(name: name)
        senders[name] = sender
        let bytes = call.wireSize + Self.callOverhead
        sender.waiting.append(Sender.Waiting(call: call, bytes: bytes))
        sender.waitingBytes += bytes
        waitingBytes += bytes
        while waitingBytes > Self.waitingLimit { refuseNewest() }
        lineUp(sender)
    }

    /// Refuses what comes from now on, and what still waits when patience has run out.
    ///
    /// - Parameter completion: is called once nothing waits or is under way, at the latest when patience has run out.
    func close(with error: BusError, patience: Duration, completion: @escaping () -> Void) {
        refusal = error
        let deadline = connection.loop.schedule(after: patience) { [weak self] in
            self?.refuseAll(with: error)
            completion()
        }
        whenEmpty = {
            deadline.cancel()
            completion()
        }
        finishIfEmpty()
    }

    private func refuseAll(with error: BusError) {
        whenEmpty = nil
        for sender in senders.values {
            while let next = sender.waiting.popFirst() { connection.answer(next.call, with: error) }
            sender.waitingBytes = 0
        }
        waitingBytes = 0
    }

    // MARK: Turns

    /// Gives a sender a place in the line, where it has a call that may begin.
    private func lineUp(_ sender: Sender) {
        guard !sender.isInLine, mayBegin(sender) else { return }
        sender.isInLine = true
        line.append(sender)
        schedule()
    }

    private func mayBegin(_ sender: Sender) -> Bool {
        guard !sender.waiting.isEmpty else { return false }
        let shares = max(2, senders.count)
        return sender.runningCalls == 0
            || sender.runningCalls < Self.runningCalls / shares && sender.runningBytes < Self.runningBytes / shares
    }

    /// Continues after a pause, in which the bus took nothing.
    func resume() {
        if !line.isEmpty { schedule() }
    }

    private func schedule() {
        guard !isScheduled, connection.isOpen, connection.outgoingBytes < Self.outgoingLimit else { return }
        isScheduled = true
        connection.loop.whenIdle { [weak self] in self?.serve() }
    }

    private func serve() {
        isScheduled = false
        let end = Moment.now + Self.slice
        // Any call may close the connection, and those that wait are then nobody's.
        while connection.isOpen, let sender = line.popFirst() {
            sender.isInLine = false
            guard mayBegin(sender) else { continue }
            beginNext(of: sender)
            lineUp(sender)
            if Moment.now >= end || connection.outgoingBytes >= Self.outgoingLimit { break }
        }
        resume()
    }

    private func beginNext(of sender: Sender) {
        guard let next = sender.waiting.popFirst() else { return }
        sender.waitingBytes -= next.bytes
        waitingBytes -= next.bytes
        sender.runningCalls += 1
        let bytes = next.call.wireSize
        sender.runningBytes += bytes
        // Not `next` itself, which holds the call.
        next.call.ticket = Ticket { [weak self] in self?.end(of: sender, bytes) }
        begin(next.call)
    }

    private func end(of sender: Sender, _ bytes: Int) {
        sender.runningCalls -= 1
        sender.runningBytes -= bytes
        sender.isOverloaded = sender.isOverloaded && !sender.waiting.isEmpty
        if sender.waiting.isEmpty, sender.runningCalls == 0 {
            senders[sender.name] = nil
            finishIfEmpty()
        } else {
            lineUp(sender)
        }
    }

    private func finishIfEmpty() {
        guard senders.isEmpty, let completion = whenEmpty else { return }
        whenEmpty = nil
        completion()
    }

    private func refuseNewest() {
        guard let sender = senders.values.max(by: { $0.waitingBytes < $1.waitingBytes }),
            let newest = sender.waiting.popLast()
        else { return }
        sender.waitingBytes -= newest.bytes
        waitingBytes -= newest.bytes
        if !sender.isOverloaded { onOverload?(sender.name) }
        sender.isOverloaded = true
        connection.answer(
            newest.call,
            with: BusError(
                name: .limitsExceeded,
                message: "too many calls wait to be carried out; wait for answers to those before, then call again"))
    }
}

/// Who has sent calls that are not answered yet.
private final class Sender {
    struct Waiting {
        let call: Message
        let bytes: Int
    }

    let name: String
    var waiting = Deque<Waiting>()
    var waitingBytes = 0
    var runningCalls = 0
    var runningBytes = 0
    var isInLine = false
    /// Calls were refused since there were none waiting.
    var isOverloaded = false

    init(name: String) { self.name = name }
}

/// What a call holds as long as it is under way.
final class Ticket {
    private let end: () -> Void

    init(end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}
