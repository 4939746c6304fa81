import SettingsClient

/// What the exit status says to scripts; the same as settingsctl's.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case unknown = 3
    case refused = 4
    case unavailable = 5
    case conflict = 6
    case locked = 7
    case storage = 8
}

/// Why a program could not do what it was asked for.
public struct Failure: Error {
    /// For programs: `Usage`, or the D-Bus name of the service's error.
    public var name: String
    /// What failed and why, in a sentence without a full stop.
    public var message: String
    /// What to do about it.
    public var hint: String?
    public var status: ExitStatus

    public init(_ message: String, hint: String? = nil, status: ExitStatus = .failed, name: String = "Failed") {
        self.name = name
        self.message = message
        self.hint = hint
        self.status = status
    }

    /// The arguments are not as they should be.
    public static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(message, hint: hint, status: .usage, name: "Usage")
    }

    public init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(error)
        default: self.init("\(error)")
        }
    }

    init(_ error: ClientError) {
        self.init(error.message, hint: Self.hint(for: error), status: ExitStatus(error), name: error.name)
    }

    private static func hint(for error: ClientError) -> String? {
        switch (error.kind, error.absence) {
        case (.noBus, _): "run it in a session of a desktop, or try: dbus-run-session bash"
        case (.noDaemon, .failedToStart): "journalctl --user -u settingsd may say why"
        case (.noDaemon, _): "start it in another terminal of this session: settingsd"
        default: nil
        }
    }
}

extension ExitStatus {
    init(_ error: ClientError) {
        self =
            switch error.kind {
            case .refused(.unknownKey), .refused(.unknownAction): .unknown
            case .refused(.locked), .refused(.readOnly): .locked
            case .refused(.conflict): .conflict
            case .refused(.storageFailed), .refused(.documentDamaged): .storage
            case .refused(.nothingToUndo): .failed
            case .refused, .mismatch: .refused
            case .noBus, .noDaemon, .timeout: .unavailable
            // Whether the change was made is not known.
            case .bus: error.name == "org.freedesktop.DBus.Error.NoReply" ? .unavailable : .failed
            }
    }
}
