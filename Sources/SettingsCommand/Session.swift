internal import DBus
internal import EventLoop
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

/// The connection of one invocation: opened by the first call, everything within one time limit.
final class Session {
    private let options: Options
    private let deadline: Moment
    /// The settings and actions that the command line is about, once they are known.
    var schemas = SessionSchemas()
    private var opened: (loop: EventLoop, connection: SettingsConnection)?

    init(_ options: Options) {
        self.options = options
        deadline = Moment.now + options.timeout
    }

    /// The id of the application whose settings these are; empty: the daemon's own.
    var application: String { options.application }

    /// What is left of the time limit.
    var remaining: Duration { max(.zero, deadline - Moment.now) }

    /// Makes a call and waits for its answer.
    func answer<Answer>(to call: SettingsCall<Answer>) throws(Failure) -> Answer {
        try reply(to: call).answer
    }

    /// Makes a call and waits for its answer and the name of who gave it.
    func reply<Answer>(to call: SettingsCall<Answer>) throws(Failure) -> SettingsConnection.Reply<Answer> {
        let connection = try self.connection()
        do throws(ClientError) {
            return try SettingsConnection.Reply(attempt(call.request, over: connection), to: call)
        } catch {
            throw failure(call.request.explaining(error), effect: call.request.effect)
        }
    }

    /// Makes a call, and once more where the daemon has gone before it answered and nothing can have come of it.
    func attempt(_ request: SettingsRequest, over connection: SettingsConnection) throws(ClientError) -> Message {
        do throws(ClientError) {
            return try connection.message(answering: request, timeout: remaining)
        } catch  where error.kind == .bus(.noReply) && request.effect == .none {
            return try connection.message(answering: request, timeout: remaining)
        }
    }

    /// Makes a change and waits for what it did.
    ///
    /// - Returns: the revision, and the change; nil where nothing changed.
    func report(of call: SettingsCall<UInt64>) throws(Failure) -> (revision: UInt64, change: SettingsChange?) {
        let connection = try self.connection()
        do throws(ClientError) {
            return try connection.report(of: call, timeout: remaining)
        } catch {
            throw failure(call.request.explaining(error), effect: call.request.effect)
        }
    }

    /// The connection, for what goes beyond one call and its answer.
    ///
    /// - Throws: `NoBus`.
    func connection() throws(Failure) -> SettingsConnection {
        if let opened { return opened.connection }
        let address = try Environment.busAddress()
        let loop = try self.loop()
        let connection = try connect { () throws(ClientError) in
            try SettingsConnection.open(
                address: address, loop: loop, path: SettingsNames.path(ofApplication: application),
                startsDaemon: options.startsDaemon)
        }
        opened = (loop, connection)
        return connection
    }

    /// Does what connects to the bus, within the time limit.
    func connect<Success>(_ open: () throws(ClientError) -> Success) throws(Failure) -> Success {
        do throws(ClientError) {
            return try withTimeLimit(remaining, open)
        } catch {
            if remaining == .zero { throw failure(ClientError(.timeout, "")) }
            throw failure(ClientError(error.kind, "\(error.message) (\(Environment.busVariable))"))
        }
    }

    /// A loop for a command that follows.
    func loop() throws(Failure) -> EventLoop {
        do throws(EventLoopError) { return try EventLoop() } catch { throw .failed("\(error)") }
    }

    /// A failed call, in the words of somebody who has typed a command: with the time limit that they know.
    ///
    /// - Parameter effect: what the call does where it is carried out.
    func failure(_ error: ClientError, effect: SettingsCallEffect = .none) -> Failure {
        var error = error
        if error.kind == .timeout, options.startsDaemon, isDaemonAbsent {
            error = ClientError(failedToStart: "it did not come within \(options.timeout.inSeconds)")
        }
        if error.kind == .timeout {
            let mayChange = effect == .change ? "; the change may still be made or not" : ""
            error.message = "no answer within \(options.timeout.inSeconds)\(mayChange)"
        }
        if error.kind == .noDaemon, !options.startsDaemon {
            // Some buses say the same where nobody was to be started and where nobody can be.
            error.message = "the daemon is not running"
            error.absence = .notStarted
        }
        if !application.isEmpty, error.kind == .bus(.unknownObject) { return .unserved(application, error) }
        return Failure(error)
    }

    /// Whether nobody has the daemon's name. A bus need not tell that the service manager could not start it.
    private var isDaemonAbsent: Bool {
        guard let bus = opened?.connection.bus else { return false }
        var answer: Result<Int32, BusError>?
        bus.processID(of: SettingsNames.busName.rawValue) { answer = $0 }
        _ = bus.loop.run(until: { answer != nil }, timeout: .milliseconds(200))
        if case .failure(let error)? = answer { return error.name == .nameHasNoOwner }
        return false
    }
}
