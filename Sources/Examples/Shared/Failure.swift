import SettingsBus
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

    /// A text that is longer than one of a setting can be, before it is sent anywhere.
    ///
    /// - Parameters:
    ///   - subject: what has the text, as in `the note`.
    ///   - consequence: as in `nothing was stored`.
    /// - Returns: nil where it is not.
    package static func tooLong(_ text: String, of subject: String, _ consequence: String) -> Failure? {
        let size = text.utf8.count
        guard size > Limits.stringBytes else { return nil }
        return Failure(
            "\(subject) has \(size.inBytes) of text, and at most \(Limits.stringBytes.inBytes) are possible: \(consequence)",
            status: .refused, name: ClientError(.refused(.tooLarge), "").name)
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
        case (.noDaemon, .notInstalled): ServiceFiles.remedy
        case (.noDaemon, _): "start it in another terminal of this session: settingsd"
        default: nil
        }
    }
}

extension Int {
    /// So many bytes for people, never fewer than there are: `64 KiB`, `2.1 MiB`.
    fileprivate var inBytes: String {
        let (unit, name) = self < 1 << 20 ? (1 << 10, "KiB") : (1 << 20, "MiB")
        let tenths = (self * 10 + unit - 1) / unit
        return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }
}
