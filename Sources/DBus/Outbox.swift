internal import CDBus
internal import EventLoop
internal import Glibc

/// Answers and signals on their way to a connection's socket, beside libdbus's own queue. What one turn of the loop says goes
/// out with one system call, where libdbus makes one for each message, for each of which the bus wakes up.
struct Outbox {
    /// Whole messages, small ones together; what is being written, and what was added last.
    private var first: [UInt8] = []
    private var parts = Deque<[UInt8]>()
    private var last: [UInt8] = []
    /// The bytes of the first part that are written.
    private var written = 0
    /// Bytes that wait.
    private(set) var count = 0
    /// Whether some of them answer a call.
    private(set) var hasAnswers = false
    /// The socket takes no more, and tells when it does again.
    var isBlocked = false

    private static let partSize = 16 << 10

    var isEmpty: Bool { count == 0 }

    mutating func append(_ message: [UInt8], isAnswer: Bool) {
        if !last.isEmpty, last.count + message.count > Self.partSize {
            parts.append(last)
            last = []
        }
        if last.isEmpty { last = message } else { last += message }
        count += message.count
        hasAnswers = hasAnswers || isAnswer
    }

    /// Writes as much as the socket takes. One that is broken takes everything: libdbus tells of that when it reads.
    mutating func write(to socket: Int32) {
        while !isEmpty {
            if written == first.count { beginPart() }
            let result = first.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress! + written, bytes.count - written, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if result >= 0 {
                written += result
                count -= result
            } else if errno == EAGAIN {
                isBlocked = true
                return
            } else if errno != EINTR {
                count = 0
            }
        }
        self = Outbox()
    }

    private mutating func beginPart() {
        written = 0
        if let next = parts.popFirst() {
            first = next
        } else {
            first = last
            last = []
        }
    }
}

extension Connection {
    /// So much is written at once; less waits for the end of the turn.
    private static let largestWait = 8 << 10

    /// Sends an answer or a signal, at the end of the turn at the latest where the socket takes it.
    ///
    /// - Throws: `Disconnected`.
    func send(_ message: WireMessage, isAnswer: Bool = false) throws(BusError) {
        guard let raw, dbus_connection_get_is_connected(raw) != 0 else { throw .disconnected }
        var message = message
        message.setSerial(nextSerial(isCall: false))
        // Until then libdbus talks to the bus about who we are.
        guard uniqueName != nil else { return try queue(message.bytes, on: raw) }
        if outbox.isEmpty { loop.afterTurn { [weak self] in self?.writeOut() } }
        outbox.append(message.bytes, isAnswer: isAnswer)
        if outbox.count >= Self.largestWait { writeOut() }
    }

    /// Lets answers that wait go before what is told about them is made.
    func writeAnswers() {
        if outbox.hasAnswers { writeOut() }
    }

    /// Writes what waits, behind what libdbus has.
    func writeOut() {
        guard let raw, !outbox.isEmpty, !outbox.isBlocked, dbus_connection_has_messages_to_send(raw) == 0 else { return }
        var socket: Int32 = -1
        guard dbus_connection_get_socket(raw, &socket) != 0 else { return }
        outbox.write(to: socket)
        watches?.awaitWriting(outbox.isBlocked)
        onTransfer?()
    }

    /// Writes on where the socket may take more.
    func socketServed() {
        outbox.isBlocked = false
        writeOut()
    }

    /// Hands a whole message to libdbus.
    private func queue(_ bytes: [UInt8], on raw: OpaquePointer) throws(BusError) {
        let message = try OpaquePointer(message: bytes)
        defer { dbus_message_unref(message) }
        guard dbus_connection_send(raw, message, nil) != 0 else { throw .noMemory }
        onTransfer?()
    }
}
