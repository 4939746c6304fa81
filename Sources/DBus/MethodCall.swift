/// A call of a declared method, to be answered once: by `reply` or by `fail`, now or later.
///
/// Loop-confined. A call that is let go unanswered is answered by an error, so that its caller need not wait for its
/// own time limit.
public final class MethodCall {
    public let message: Message
    public let interface: InterfaceName
    public let member: String
    /// Decoded, and of the declared types; large arrays and dictionaries are `packed`.
    public let arguments: [Value]
    /// The caller's unique name; empty without a bus.
    public let sender: String
    private let outputs: String
    private weak var connection: Connection?
    private var isAnswered = false

    init(
        _ message: Message, connection: Connection, interface: InterfaceName, method: Interface.Method,
        arguments: [Value]
    ) {
        self.message = message
        self.connection = connection
        self.interface = interface
        self.member = method.name.rawValue
        self.arguments = arguments
        self.sender = message.sender ?? ""
        outputs = method.outputs.signature
    }

    deinit {
        if !isAnswered { connection?.answer(message, with: .failed("\(interface).\(member) was not carried out")) }
    }

    /// Answers with values of the declared output types. What cannot be sent (a NUL in a string) becomes an error.
    public func reply(_ values: [Value]) {
        assert(
            values.map(\.signature.rawValue).joined() == outputs,
            "\(interface).\(member) is declared to answer \"\(outputs)\".")
        guard markAnswered() else { return }
        connection?.answer(message, with: values)
        message.ticket = nil
    }

    /// Answers with an error.
    public func fail(_ error: BusError) {
        guard markAnswered() else { return }
        connection?.answer(message, with: error)
        message.ticket = nil
    }

    private func markAnswered() -> Bool {
        assert(!isAnswered, "\(interface).\(member) is answered twice.")
        defer { isAnswered = true }
        return !isAnswered
    }
}

extension Connection {
    /// Answers a call that came in, unless its caller wants no answer.
    func answer(_ call: Message, with values: [Value]) {
        // An answer that goes to nobody need not be made.
        guard !call.expectsNoReply else { return }
        do throws(BusError) {
            transmitAnswer(try .reply(to: call, values))
        } catch {
            answer(call, with: error)
        }
    }

    func answer(_ call: Message, with error: BusError) {
        guard !call.expectsNoReply else { return }
        do throws(BusError) {
            transmitAnswer(try .error(replyingTo: call, error))
        } catch {
            // Only an error's text that is too long for a message has no message.
        }
    }

    private func transmitAnswer(_ answer: WireMessage) {
        do throws(BusError) {
            try send(answer, isAnswer: true)
        } catch {
            // The connection is gone, and the caller has been told so by the bus.
        }
    }
}
