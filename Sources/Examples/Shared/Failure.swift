import SettingsClient
package import SettingsCommand

extension Failure {
    /// Why a program could not do what it was asked for.
    ///
    /// - Parameters:
    ///   - message: what failed and why, in a sentence without a full stop.
    ///   - hint: what to do about it.
    ///   - name: for programs: `Usage`, or the D-Bus name of the service's error.
    package init(_ message: String, hint: String? = nil, status: ExitStatus = .failed, name: String = "Failed") {
        self.init(name: name, message: message, hint: hint, status: status)
    }

    /// The arguments are not as they should be.
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(message, hint: hint, status: .usage, name: "Usage")
    }

    package init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError:
            self.init(error.message, hint: Self.hint(for: error), status: ExitStatus(error.kind), name: error.name)
        default: self.init("\(error)")
        }
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
