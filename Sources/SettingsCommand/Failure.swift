internal import SettingsClient
internal import SettingsModel

/// Why a command ends without having done its work: what goes to standard error, and the exit status.
package struct Failure: Error, Sendable {
    /// The name for programs: the full D-Bus name, or `Usage`, `NoBus`, `NoDaemon`, `Timeout`, `Failed`.
    package var name: String
    /// What and why, for people.
    package var message: String
    /// What else is wrong, a sentence each.
    var further: [String] = []
    /// What to do about it.
    package var hint: String?
    package var status: ExitStatus

    package init(name: String, message: String, hint: String? = nil, status: ExitStatus) {
        self.name = name
        self.message = message
        self.hint = hint
        self.status = status
    }
}

extension Failure {
    /// A command line that cannot be carried out.
    ///
    /// - Parameters:
    ///   - command: the command whose usage line is the hint.
    ///   - hint: a better one.
    static func usage(_ message: String, of command: String? = nil, hint: String? = nil) -> Failure {
        let usage = command.flatMap { CommandTable.command($0) }.map { "usage: settingsctl \($0.usage)" }
        return Failure(
            name: "Usage", message: message, hint: hint ?? usage ?? "see settingsctl --help", status: .usage)
    }

    /// A failure on this side: output, a program that cannot be started.
    static func failed(_ message: String, hint: String? = nil) -> Failure {
        Failure(name: "Failed", message: message, hint: hint, status: .failed)
    }

    init(_ error: ClientError) {
        self.init(name: error.name, message: error.message, hint: Self.hint(for: error), status: ExitStatus(error.kind))
    }

    /// An error of the service's kind that was found here.
    init(_ error: SettingsError) {
        self.init(ClientError(.refused(error.name), error.message))
    }

    private static func hint(for error: ClientError) -> String? {
        switch error.kind {
        case .refused(.unknownAction): "settingsctl actions shows every action"
        case .refused(.documentDamaged):
            "nothing is overwritten until the file is mended; settingsctl doctor says what is wrong with it"
        case .refused(.storageFailed): "nothing was changed; free space or mend the cause and try again"
        case .noBus:
            "set DBUS_SESSION_BUS_ADDRESS to the address of a running session bus, or unset it to use $XDG_RUNTIME_DIR/bus; "
                + "dbus-run-session COMMAND starts a bus for one command"
        case .noDaemon:
            switch error.absence {
            case .notStarted: "leave out --no-start, and it is started"
            case .notInstalled: ServiceFiles.remedy
            case .failedToStart:
                "journalctl --user -u settingsd says why; systemctl --user restart settingsd, or settingsd in a terminal, tries again"
            case nil: nil
            }
        case .timeout: "is the daemon or the bus stuck? --timeout SECONDS waits longer"
        default: nil
        }
    }
}
