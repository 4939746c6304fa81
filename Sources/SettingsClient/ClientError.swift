public import DBus
internal import SettingsBus
public import SettingsModel

/// Why a call failed, or why a follower hears nothing.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Kind: Hashable, Sendable {
        /// The service refused the call.
        case refused(SettingsError.Name)
        /// There is no session bus, or it has gone.
        case noBus
        /// No service is on the bus, and none could be started (or was not to be).
        case noDaemon
        /// No answer in time. Whether a change was made is not known.
        case timeout
        /// Any other error, with its full D-Bus name. `NoReply`: the service left the bus before it answered, and
        /// whether a change was made is not known.
        case bus(ErrorName)
        /// A value does not have the form that the program reads it as, or one of the program's cannot be a setting's.
        case mismatch
    }

    /// What went wrong, for programs.
    public var kind: Kind
    /// What failed and why, for people.
    public var message: String
    /// Why there is no daemon, where that is known.
    public var absence: Absence?

    /// Why no service is on the bus.
    public enum Absence: Hashable, Sendable {
        /// It was not to be started.
        case notStarted
        /// The bus knows no way to start it.
        case notInstalled
        /// It was started and did not come.
        case failedToStart
    }

    /// Makes an error of a kind, with a message for people.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The name for programs: `NoBus`, `NoDaemon`, `Timeout`, `Mismatch`, else the full D-Bus name.
    public var name: String {
        switch kind {
        case .refused(let name): name.errorName.rawValue
        case .noBus: "NoBus"
        case .noDaemon: "NoDaemon"
        case .timeout: "Timeout"
        case .bus(let name): name.rawValue
        case .mismatch: "Mismatch"
        }
    }

    public var description: String { "\(message) (\(name))" }
}

extension ClientError {
    /// An error answer to a call, or the connection's own error instead of an answer.
    public init(_ error: BusError) {
        let reason = error.message.isEmpty ? error.name.rawValue : error.message
        absence = Self.absence(in: error)
        kind = absence == nil ? Self.kind(of: error) : .noDaemon
        message =
            switch absence {
            case nil: reason
            case .notStarted: "the daemon is not running"
            case .notInstalled: "the daemon is not running, and the bus does not know how to start it"
            case .failedToStart: Self.startFailure(reason)
            }
    }

    /// A daemon that was to be started and has not come.
    package init(failedToStart reason: String) {
        self.init(.noDaemon, Self.startFailure(reason))
        absence = .failedToStart
    }

    private static func startFailure(_ reason: String) -> String { "the daemon could not be started: \(reason)" }

    /// A refusal that is known without asking the service.
    init(_ error: SettingsError) {
        self.init(.refused(error.name), error.message)
    }

    /// An error from connecting: whatever its name, there is no bus.
    static func noBus(_ error: BusError) -> ClientError {
        ClientError(.noBus, error.message.isEmpty ? error.name.rawValue : error.message)
    }

    static let closed = ClientError(.noBus, "the client is closed")

    private static func kind(of error: BusError) -> Kind {
        if let refusal = SettingsError(error) { return .refused(refusal.name) }
        switch error.name {
        case .noServer, .disconnected: return .noBus
        default: return .bus(error.name)
        }
    }

    private static func absence(in error: BusError) -> Absence? {
        switch error.name {
        case .nameHasNoOwner: .notStarted
        case .serviceUnknown: .notInstalled
        case activationTimedOut: .failedToStart
        case let name where name.rawValue.hasPrefix(activationFailed): .failedToStart
        default: nil
        }
    }

    /// The bus gave up waiting for a service that it has started.
    private static let activationTimedOut: ErrorName = "org.freedesktop.DBus.Error.TimedOut"
    /// What the names of the errors from starting a service begin with.
    private static let activationFailed = "org.freedesktop.DBus.Error.Spawn."
}
