internal import CDBus
public import EventLoop
internal import Glibc

/// A private connection to a message bus, served by an event loop.
///
/// Loop-confined, callbacks too. Nothing here blocks but `open`, `callAndWait` and `flush`. The owner keeps the
/// connection; one that is let go closes itself, without calling anybody back.
public final class Connection {
    /// The loop that serves the connection.
    public let loop: EventLoop
    /// The name that the bus gave the connection; nil until its answer to Hello is there.
    public internal(set) var uniqueName: String?
    /// Called once when the bus has answered Hello.
    public var onReady: ((Connection) -> Void)?
    /// Called once when the bus has gone or has thrown the connection out, after all calls have failed with
    /// `disconnected`. Not called for `close()`.
    public var onDisconnect: (() -> Void)?
    /// Gets the method calls. Without it they are answered by an error, but for Peer. An `ObjectServer` puts itself here.
    public var onMethodCall: ((Message) -> Void)?
    /// Called after messages were read or written, or tried to be.
    var onTransfer: (() -> Void)?
    /// Called when the bus refuses a match rule, with its reason.
    public var onMatchRefused: ((MatchRule, BusError) -> Void)?

    private(set) var raw: OpaquePointer?
    private(set) var watches: SocketWatches?
    var outbox = Outbox()
    private var continuation: Timer?
    private(set) var pendingCalls = PendingCalls()
    private var callCount: UInt64 = 0
    private var lastSerial = UInt32.random(in: 1...1 << 30)
    var subscriptions: [Subscription] = []

    /// Messages taken in one go before the loop's other sources have their turn.
    private static let messagesPerTurn = 64

    /// Connects to the bus at an address and says Hello. What is sent before the bus has answered is queued behind it.
    ///
    /// - Parameters:
    ///   - address: a D-Bus address; `autolaunch:` is refused, since it would start a bus of its own.
    ///   - loop: serves the connection; the caller is on its thread.
    /// - Throws: libdbus's error (`NoServer`, `FileNotFound`, `BadAddress` and the like). Connecting blocks, the
    ///   handshake does not; should that fail, `onDisconnect` is called.
    public static func open(address: String, loop: EventLoop) throws(BusError) -> Connection {
        loop.checkIsolated()
        guard !address.hasNUL, !startsBus(address)
        else { throw .noBus("the bus address \"\(address)\" cannot be used; give the address of a running bus") }
        // libdbus would ignore SIGPIPE for the whole process and its children; it asks for none with its own writes.
        dbus_connection_set_change_sigpipe(0)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let raw = address.withCString({ dbus_connection_open_private($0, &error) }) else { throw BusError(error) }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        let connection = Connection(raw: raw, loop: loop)
        guard connection.attach() else { throw .noMemory }
        connection.sayHello()
        return connection
    }

    /// Whether one of an address's places (D-Bus specification, "Server Addresses") is a bus of the caller's own, to be
    /// started: `autolaunch:`.
    package static func startsBus(_ address: String) -> Bool {
        var rest = address.utf8[...]
        while !rest.starts(with: "autolaunch:".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
            rest = rest[rest.index(after: end)...]
        }
        return true
    }

    private init(raw: OpaquePointer, loop: EventLoop) {
        self.raw = raw
        self.loop = loop
    }

    private func attach() -> Bool {
        guard let raw else { return false }
        let watches = SocketWatches(loop: loop) { [weak self] in
            self?.receive()
            self?.socketServed()
            self?.onTransfer?()
        }
        self.watches = watches
        dbus_connection_set_dispatch_status_function(
            raw,
            { _, status, data in
                guard status == DBUS_DISPATCH_DATA_REMAINS, let data else { return }
                Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue().receiveSoon()
            },
            Unmanaged.passUnretained(self).toOpaque(), nil)
        return watches.attach(to: raw)
    }

    deinit {
        release()
    }

    /// False once the bus has gone or `close()` was called.
    public var isOpen: Bool { raw != nil }

    /// Closes the connection; calls that wait fail with `disconnected`, subscriptions end. May be called in a callback,
    /// and more than once.
    public func close() {
        guard isOpen else { return }
        release()
        for subscription in subscriptions { subscription.cancel() }
        subscriptions = []
        let calls = pendingCalls.inOrder
        pendingCalls = PendingCalls()
        for call in calls { call.finish(.failure(.disconnected)) }
    }

    private func release() {
        writeOut()
        outbox = Outbox()
        guard let raw else { return }
        self.raw = nil
        continuation?.cancel()
        dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
        watches?.detach(from: raw)
        // libdbus wants a private connection closed before its last reference goes.
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    // MARK: Sending

    /// Sends a message, at once where the socket takes it.
    ///
    /// - Throws: `Disconnected`; `Failed` for a message that was sent before.
    public func send(_ message: Message) throws(BusError) {
        _ = try transmit(message)
    }

    private func transmit(_ message: Message, isCall: Bool = false) throws(BusError) -> UInt32 {
        guard !message.isSent else { throw .failed("a message can be sent but once") }
        guard let raw, dbus_connection_get_is_connected(raw) != 0 else { throw .disconnected }
        let serial = nextSerial(isCall: isCall)
        dbus_message_set_serial(message.raw, serial)
        writeOut()
        if outbox.isEmpty {
            guard dbus_connection_send(raw, message.raw, nil) != 0 else { throw .noMemory }
        } else {
            outbox.append(message.wire, isAnswer: false)
        }
        message.isSent = true
        onTransfer?()
        return serial
    }

    /// Bytes that wait for the socket to take them.
    public var outgoingBytes: Int { outbox.count + (raw.map { dbus_connection_get_outgoing_size($0) } ?? 0) }

    /// Lets the kernel hold but so much of what is not read yet, so that the rest waits here, where it can be seen. What the
    /// kernel does not grant stays as it is.
    func limitSendBuffer(to bytes: Int) {
        var fd: Int32 = -1
        guard let raw, dbus_connection_get_socket(raw, &fd) != 0 else { return }
        var size = Int32(bytes)
        _ = setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    }

    /// Blocks until everything is written, for a last word before the process ends.
    ///
    /// - Returns: false when time ran out, or the bus has gone, with messages unwritten.
    @discardableResult
    public func flush(timeout: Duration = .seconds(2)) -> Bool {
        let deadline = Moment.now + timeout
        writeOut()
        while let raw, dbus_connection_get_is_connected(raw) != 0, outgoingBytes > 0 {
            let milliseconds = deadline.millisecondsLeft
            guard milliseconds > 0 else { return false }
            if dbus_connection_has_messages_to_send(raw) != 0 {
                dbus_connection_read_write(raw, milliseconds)
            } else {
                watches?.waitForWriting(milliseconds)
            }
            socketServed()
        }
        return outgoingBytes == 0
    }

    // MARK: Calls

    /// Sends a call and hands its answer to the completion, once, and never before this returns.
    ///
    /// - Parameters:
    ///   - message: a method call; it is made to expect an answer.
    ///   - timeout: how long to wait for the answer.
    ///   - completion: gets the answer, an error answer as a failure; `NoReply` when time has run out, `Disconnected`
    ///     when the connection is gone.
    @discardableResult
    public func call(
        _ message: Message, timeout: Duration = .seconds(25),
        completion: @escaping (Result<Message, BusError>) -> Void
    ) -> PendingCall {
        do {
            if !message.isSent { message.expectsNoReply = false }
            let serial = try transmit(message, isCall: true)
            callCount += 1
            let call = PendingCall(
                connection: self, serial: serial, order: callCount, destination: message.destination, completion: completion)
            pendingCalls.insert(call)
            call.timer = loop.schedule(after: timeout) { [weak self, weak call] in
                guard let self, let call else { return }
                self.forget(call)
                call.finish(.failure(.timeout(Self.timeoutText(message, timeout))))
            }
            return call
        } catch {
            let call = PendingCall(connection: self, serial: 0, order: 0, destination: nil, completion: completion)
            loop.schedule(after: .zero) { call.finish(.failure(error)) }
            return call
        }
    }

    /// The serial for a message: of a call, one that is hard to guess. A session bus delivers replies that nobody has
    /// asked for, and where the call goes to a well-known name, nothing but the serial tells the owner's answer from
    /// another's.
    ///
    /// Serials grow, since xdg-dbus-proxy before 0.1.5 ends the connection of a sandboxed application otherwise; it keeps
    /// the last 65,536 for itself. A step takes a small part of what is left, which lasts for millions of messages.
    func nextSerial(isCall: Bool) -> UInt32 {
        repeat {
            let left = UInt32.max - 65_536 - lastSerial
            let step = isCall ? UInt32.random(in: 1...max(1, left >> 16)) : 1
            lastSerial = left == 0 ? .random(in: 1...1 << 30) : lastSerial + step
        } while pendingCalls[lastSerial] != nil
        return lastSerial
    }

    private static func timeoutText(_ message: Message, _ timeout: Duration) -> String {
        "\(message.destination ?? "the bus") has not answered \(message.member ?? "a call") within \(timeout)"
    }

    func forget(_ call: PendingCall) {
        pendingCalls.remove(call)
    }

    /// Sends a call and serves the loop until its answer is there; other callbacks run meanwhile.
    ///
    /// - Returns: the answer.
    /// - Throws: the error answer, or what `call` reports.
    public func callAndWait(_ message: Message, timeout: Duration = .seconds(25)) throws(BusError) -> Message {
        var result: Result<Message, BusError>?
        call(message, timeout: timeout) { result = $0 }
        loop.run(until: { result != nil })
        guard let result else { throw .disconnected }
        return try result.get()
    }

    // MARK: Receiving

    /// Continues to take messages in the next turn, should any be there.
    private func receiveSoon() {
        guard isOpen, continuation == nil, watches?.isHandling != true else { return }
        continuation = loop.schedule(after: .zero) { [weak self] in
            self?.continuation = nil
            self?.receive()
        }
    }

    private func receive() {
        for _ in 0..<Self.messagesPerTurn {
            // Any handler may close the connection.
            guard let raw, let message = dbus_connection_pop_message(raw) else {
                continuation?.cancel()
                continuation = nil
                return
            }
            // What was read already causes no event, and the handler may run turns to wait for it.
            if dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS { receiveSoon() }
            take(Message(adopting: message))
        }
    }

    /// Deals with one message that came in.
    func take(_ message: Message) {
        guard message.isOfKnownKind else { return }
        switch message.kind {
        case .methodReturn, .error:
            guard let call = pendingCalls[message.replySerial], call.mayBeAnswered(by: message.sender) else { return }
            forget(call)
            call.finish(message.error.map { .failure($0) } ?? .success(message))
        case .methodCall:
            if let onMethodCall { onMethodCall(message) } else { answerWithoutObjects(message) }
        case .signal:
            if message.interface == "org.freedesktop.DBus.Local" {
                lost()
            } else {
                deliver(message)
            }
        }
    }

    private func deliver(_ signal: Message) {
        for subscription in subscriptions where subscription.isActive && subscription.rule.matches(signal) {
            subscription.handler(signal)
        }
    }

    /// The bus has gone. libdbus says so by a signal of its own making, which no peer can send.
    func lost() {
        guard isOpen else { return }
        close()
        onDisconnect?()
    }
}

extension BusError {
    /// What libdbus reports.
    init(_ error: DBusError) {
        let name = error.name.flatMap { ErrorName(String(copying: $0)) }
        self.init(name: name ?? .failed, message: error.message.map { String(copying: $0) } ?? "")
    }
}
