import SettingsClient
package import SettingsCommand

/// Why a program could not do what it was asked for.
public struct Failure: Error {
    /// For programs: `Usage`, or the D-Bus name of the service's error.
    public var name: String
    /// What failed and why, in a sentence without a full stop.
    public var message: String
    /// What to do about it.
    public var hint: String?
    package var status: ExitStatus

    package init(_ message: String, hint: String? = nil, status: ExitStatus = .failed, name: String = "Failed") {
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
        self.init(error.message, hint: Self.hint(for: error), status: ExitStatus(error.kind), name: error.name)
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
