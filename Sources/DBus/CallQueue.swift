internal import EventLoop

/// The method calls that have come and are not answered yet: the one place that decides which is begun next.
///
/// Whatever the bus has sent is read first and sorted by sender. Then the senders take turns, a call each, in short
/// slices between which more is read, so that whoever has thousands of calls waiting holds nobody else up; who has none
/// waiting comes first. One sender's calls begin in the order in which they came.
///
/// All of it is bounded. But so many calls are under way at a time, a share of them for each sender. None is begun while
/// the bus does not take what was answered before. When what waits is over its limit, the sender with the most of it has
/// its oldest call refused.
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
    /// Those of them that had no call when theirs came: they are next, so that who calls now and then does not wait for
    /// those who always do.
    private var newcomers = Deque<Sender>()
    private var window = CallWindow()
    private var isScheduled = false
    /// Whether the last slice had a large call that took long. Such calls may come faster than they can be carried out.
    private var isBehind = false
    /// Of the calls that are not begun.
    private(set) var waitingBytes = 0
    /// What every call is answered with; nil: it is carried out.
    private var refusal: BusError?
    private var whenEmpty: (() -> Void)?

    /// How long calls are begun before more is read.
    private static let slice = Duration.milliseconds(2)
    /// Bytes that may wait, about as they are in memory.
    private static let waitingLimit = 32 << 20
    /// Of large calls but so many bytes of one sender wait: reading and refusing them is quicker than the bus sends them, and
    /// carrying them out may be slower, with everybody else's calls behind them in the bus.
    private static let largeLimit = 4 << 20
    /// Bytes from which on a call is large. The bus writes it in several parts, between which there is nothing to read for a
    /// moment.
    private static let largeCall = 64 << 10
    /// What a waiting call takes in memory beside its bytes on the wire.
    private static let callOverhead = 512
    /// Bytes of the calls that may be under way, as on the wire, a fair share of them for each sender. A large call takes
    /// long to carry out, and that is then another one's turn.
    private static let runningBytes = 128 << 10
    /// Bytes that may wait to be written, beside the socket's own buffer. An answer waits behind all of them, and the bus
    /// may take long for each: dbus-daemon reads 2 KiB from each connection in turn.
    private static let outgoingLimit = 2 << 10
    /// What the socket may hold of them, as the kernel counts; usual are 208 KiB.
    private static let socketBuffer = 16 << 10

    init(connection: Connection) {
        self.connection = connection
        connection.limitSendBuffer(to: Self.socketBuffer)
    }

    /// Takes in a call that has come.
    func add(_ call: Message) {
        if let refusal { return connection.answer(call, with: refusal) }
        let name = call.sender ?? ""
        let known = senders[name]
        let sender = known ?? Sender(name: name)
        senders[name] = sender
        let bytes = call.wireSize + Self.callOverhead
        sender.waiting.append(Sender.Waiting(call: call, bytes: bytes))
        sender.waitingBytes += bytes
        waitingBytes += bytes
        if bytes >= Self.largeCall { sender.largeBytes += bytes }
        // One that is larger than that is for whoever carries it out to refuse.
        while sender.largeBytes > Self.largeLimit, sender.waiting.count > 1 { refuseOldest(of: sender) }
        while waitingBytes > Self.waitingLimit, let most = senders.values.max(by: { $0.waitingBytes < $1.waitingBytes }) {
            refuseOldest(of: most)
        }
        lineUp(sender, asNewcomer: known == nil)
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
            while let serial = sender.refused.popFirst() { refuse(serial, of: sender) }
            while let next = sender.waiting.popFirst() { connection.answer(next.call, with: error) }
            sender.waitingBytes = 0
            sender.largeBytes = 0
        }
        waitingBytes = 0
    }

    // MARK: Turns

    /// Gives a sender a place in the line, where it has a call that may begin or is to be refused.
    private func lineUp(_ sender: Sender, asNewcomer: Bool = false) {
        guard !sender.isInLine, !sender.refused.isEmpty || mayBegin(sender) else { return }
        sender.isInLine = true
        if asNewcomer { newcomers.append(sender) } else { line.append(sender) }
        schedule()
    }

    private func mayBegin(_ sender: Sender) -> Bool {
        guard !sender.waiting.isEmpty else { return false }
        let shares = max(2, senders.count)
        return sender.runningCalls == 0
            || sender.runningCalls < window.size / shares && sender.runningBytes < Self.runningBytes / shares
    }

    /// Continues after a pause, in which the bus took nothing.
    func resume() {
        window.note(isFull: isFull)
        if !line.isEmpty || !newcomers.isEmpty { schedule() }
    }

    /// Whether the bus does not take what was answered.
    private var isFull: Bool { connection.outgoingBytes >= Self.outgoingLimit }

    private func schedule() {
        guard !isScheduled, connection.isOpen, !isFull else { return }
        isScheduled = true
        connection.loop.whenIdle(for: isBehind ? 1 : 0) { [weak self] in self?.serve() }
    }

    private func serve() {
        isBehind = false
        let end = Moment.now + Self.slice
        // Any call may close the connection, and those that wait are then nobody's.
        while connection.isOpen, let sender = newcomers.popFirst() ?? line.popFirst() {
            sender.isInLine = false
            if let serial = sender.refused.popFirst() { refuse(serial, of: sender) }
            if mayBegin(sender) { beginNext(of: sender) }
            forgetOrLineUp(sender)
            if Moment.now >= end || isFull { break }
        }
        isScheduled = false
        resume()
    }

    private func beginNext(of sender: Sender) {
        guard let next = takeNext(of: sender) else { return }
        sender.runningCalls += 1
        let bytes = next.call.wireSize
        sender.runningBytes += bytes
        let start = bytes >= Self.largeCall ? Moment.now : nil
        // Not `next` itself, which holds the call.
        next.call.ticket = Ticket { [weak self] in self?.end(of: sender, bytes) }
        begin(next.call)
        if let start, Moment.now - start > Self.slice { isBehind = true }
    }

    private func takeNext(of sender: Sender) -> Sender.Waiting? {
        guard let next = sender.waiting.popFirst() else { return nil }
        sender.waitingBytes -= next.bytes
        if next.bytes >= Self.largeCall { sender.largeBytes -= next.bytes }
        waitingBytes -= next.bytes
        return next
    }

    private func end(of sender: Sender, _ bytes: Int) {
        sender.runningCalls -= 1
        sender.runningBytes -= bytes
        sender.isOverloaded = sender.isOverloaded && !sender.waiting.isEmpty
        if !isFull { window.grow() }
        forgetOrLineUp(sender)
    }

    private func forgetOrLineUp(_ sender: Sender) {
        guard sender.isDone else { return lineUp(sender) }
        // It may have come back meanwhile.
        if senders[sender.name] === sender { senders[sender.name] = nil }
        finishIfEmpty()
    }

    private func finishIfEmpty() {
        guard senders.isEmpty else { return }
        isBehind = false
        guard let completion = whenEmpty else { return }
        whenEmpty = nil
        completion()
    }

    // MARK: Refusals

    /// Has the oldest call of the sender with the most refused in its turn: the refusals of a flood must not get before
    /// the answers to others. Of what was sent one after the other, the last counts most. The bus finds the answered call
    /// in a list from its oldest on.
    private func refuseOldest(of sender: Sender) {
        guard let oldest = takeNext(of: sender) else { return }
        // The bus bounds how many calls of one sender wait for an answer.
        if !oldest.call.expectsNoReply { sender.refused.append(oldest.call.serial) }
        if !sender.isOverloaded { onOverload?(sender.name) }
        sender.isOverloaded = true
    }

    private func refuse(_ serial: UInt32, of sender: Sender) {
        connection.answer(
            .call(serial: serial, by: sender.name),
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
    /// Those of them that large calls take.
    var largeBytes = 0
    /// The serials of calls that are still to be refused.
    var refused = Deque<UInt32>()
    var runningCalls = 0
    var runningBytes = 0
    var isInLine = false
    /// Calls were refused since there were none waiting.
    var isOverloaded = false

    init(name: String) { self.name = name }

    var isDone: Bool { waiting.isEmpty && refused.isEmpty && runningCalls == 0 }
}

/// What a call holds as long as it is under way.
final class Ticket {
    private let end: () -> Void

    init(end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}
