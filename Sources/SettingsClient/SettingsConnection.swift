public import DBus
public import EventLoop
public import SettingsBus

/// The calls of the contract over one connection to the bus.
///
/// Loop-confined, callbacks too. When the bus goes, the calls that wait fail with `noBus`, and so do all later ones;
/// nothing is sent again by itself.
public final class SettingsConnection {
    /// The connection underneath, for what the contract does not cover.
    public let bus: Connection
    /// Whether a call may start the service where it is not running.
    public let startsDaemon: Bool
    let path: ObjectPath

    /// - Parameters:
    ///   - bus: a connection to the session bus.
    ///   - path: the object whose settings these are.
    ///   - startsDaemon: whether a call starts the daemon where it does not run.
    public init(_ bus: Connection, path: ObjectPath = SettingsNames.path, startsDaemon: Bool = true) {
        self.bus = bus
        self.path = path
        self.startsDaemon = startsDaemon
    }

    /// Connects to the bus at an address; blocks while the socket is opened.
    ///
    /// - Throws: `noBus`.
    public static func open(
        address: String, loop: EventLoop, path: ObjectPath = SettingsNames.path, startsDaemon: Bool = true
    ) throws(ClientError) -> SettingsConnection {
        do throws(BusError) {
            return SettingsConnection(try .open(address: address, loop: loop), path: path, startsDaemon: startsDaemon)
        } catch {
            throw ClientError(.noBus, "cannot connect to the bus at \(address): \(ClientError.noBus(error).message)")
        }
    }

    /// What came back: the answer, and the unique name of the service that gave it.
    public struct Reply<Answer> {
        /// What was answered.
        public var answer: Answer
        /// The unique name of whoever has answered.
        public var sender: String
    }

    /// Sends a call; the completion gets its answer, once, and never before this returns.
    ///
    /// - Parameters:
    ///   - call: what to ask.
    ///   - service: the unique name of the service to ask; nil: whoever owns the well-known name, started if need be.
    ///   - timeout: how long to wait for the answer, the service's start included.
    ///   - completion: gets the answer, or why there is none, on the connection's loop.
    public func send<Answer>(
        _ call: SettingsCall<Answer>, to service: String? = nil, timeout: Duration = .seconds(25),
        completion: @escaping (Result<Reply<Answer>, ClientError>) -> Void
    ) {
        send(call.request, to: service, timeout: timeout) { result in
            completion(result.flatMap { message in Result { () throws(ClientError) in try Reply(message, to: call) } })
        }
    }

    /// Sends a call and serves the loop until its answer is there; other callbacks run meanwhile.
    ///
    /// - Parameter timeout: how long to wait for the answer, the service's start included.
    /// - Throws: the service's refusal, `noBus`, `noDaemon`, `timeout`, or another D-Bus error.
    public func reply<Answer>(
        to call: SettingsCall<Answer>, from service: String? = nil, timeout: Duration = .seconds(25)
    ) throws(ClientError) -> Reply<Answer> {
        try Reply(message(answering: call.request, from: service, timeout: timeout), to: call)
    }

    /// The same, with the message that answers.
    package func message(
        answering request: SettingsRequest, from service: String? = nil, timeout: Duration
    ) throws(ClientError) -> Message {
        var result: Result<Message, ClientError>?
        send(request, to: service, timeout: timeout) { result = $0 }
        bus.loop.run(until: { result != nil })
        guard let result else { throw ClientError(.disconnected) }
        return try result.get()
    }

    private func send(
        _ request: SettingsRequest, to service: String?, timeout: Duration,
        completion: @escaping (Result<Message, ClientError>) -> Void
    ) {
        if let excess = Limits.excess(in: request.arguments) {
            bus.loop.schedule(after: .zero) { completion(.failure(ClientError(.refused(.tooLarge), excess))) }
            return
        }
        let message = Message.methodCall(
            to: service.flatMap { BusName($0) } ?? SettingsNames.busName, path: path, interface: request.interface,
            member: request.member)
        message.autoStart = startsDaemon
        let deadline = Moment.now + timeout
        do throws(BusError) {
            try message.append(request.arguments)
        } catch {
            bus.loop.schedule(after: .zero) { completion(.failure(ClientError(error))) }
            return
        }
        bus.call(message, timeout: timeout) { result in
            completion(
                result.mapError {
                    Self.error($0, of: request, timeout: timeout, deadline: deadline, wasToStart: message.autoStart)
                })
        }
    }

    /// `NoReply` says either that time has run out or that the service left; the clock tells which.
    private static func error(
        _ error: BusError, of request: SettingsRequest, timeout: Duration, deadline: Moment, wasToStart: Bool
    ) -> ClientError {
        let mayHaveChanged = request.effect == .change ? "; the change may have been made or not" : ""
        switch error.name {
        case .noReply where Moment.now >= deadline:
            let mayChange = request.effect == .change ? "; the change may still be made or not" : ""
            return ClientError(.timeout, "no answer to \(request.member) within \(timeout.inSeconds)\(mayChange)")
        case .noReply:
            let message = "the daemon left the bus before it answered \(request.member)\(mayHaveChanged)"
            return ClientError(.bus(.noReply), message)
        case .disconnected:
            return ClientError(.noBus, ClientError(error).message + mayHaveChanged)
        case .nameHasNoOwner where wasToStart:
            // dbus-broker says so where the service manager has tried in vain.
            return ClientError(failedToStart: error.message)
        default: return ClientError(error)
        }
    }
}

extension SettingsConnection.Reply {
    /// Reads a message that answers a call.
    ///
    /// A command that makes but one call would feel it if the types of its answer were made while it runs; so the module
    /// that calls makes this its own for each of them.
    @inlinable
    package init(_ message: Message, to call: SettingsCall<Answer>) throws(ClientError) {
        guard let answer = call.decode(try message.contents()) else {
            throw ClientError(unreadable: message, to: call.request)
        }
        self.answer = answer
        sender = message.sender ?? ""
    }
}

extension Message {
    @usableFromInline
    package func contents() throws(ClientError) -> [Value] {
        do throws(BusError) { return try body() } catch { throw ClientError(error) }
    }
}

extension ClientError {
    @usableFromInline
    package init(unreadable message: Message, to request: SettingsRequest) {
        let text = "the answer to \(request.member) has unexpected types (\(message.signature)); is the daemon much newer?"
        self.init(.bus(.invalidSignature), text)
    }
}

extension Duration {
    /// The duration for people: `10 s`, `0.5 s`, below a millisecond `100 µs`.
    package var inSeconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        if seconds == 0, milliseconds == 0, attoseconds > 0 { return "\(max(1, attoseconds / 1_000_000_000_000)) µs" }
        if milliseconds == 0 { return "\(seconds) s" }
        let fraction = String(String(milliseconds + 1000).dropFirst())
        return "\(seconds).\(fraction.prefix(fraction.last == "0" ? (fraction.hasSuffix("00") ? 1 : 2) : 3)) s"
    }
}
