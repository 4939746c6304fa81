internal import DBus
internal import EventLoop
internal import SettingsBus

/// Follows what the service says is wrong with the settings' files: asks, and takes over what is announced. Loop-confined.
///
/// Where there is no answer, what was known stays: the question goes with one for the values, which tells of a loss.
final class ProblemFollower {
    private var problems: [String] = []
    /// The unique name of the service whose announcements count: the one that has answered.
    private var service: String?
    private weak var connection: SettingsConnection?
    private let tell: ([String]) -> Void

    /// - Parameter tell: gets what is wrong when it is another thing than before; at first nothing is.
    init(tell: @escaping ([String]) -> Void) { self.tell = tell }

    /// Listens on a connection, in place of the one before.
    func listen(on connection: SettingsConnection) {
        self.connection = connection
        service = nil
        let rule = MatchRule(
            sender: SettingsNames.busName, path: connection.path, interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged", arg0: SettingsNames.interface.rawValue)
        connection.bus.subscribe(rule) { [weak self] signal in
            guard let self, let service, signal.sender == service, let problems = signal.changedProblems else { return }
            take(problems)
        }
    }

    /// Asks what is wrong; to be called whenever the service may be another one.
    func ask(within timeout: Duration) {
        guard let connection else { return }
        connection.send(.problems, timeout: timeout) { [weak self, weak connection] result in
            guard let self, self.connection === connection, case .success(let reply) = result else { return }
            service = reply.sender
            take(reply.answer)
        }
    }

    private func take(_ problems: [String]) {
        if problems == self.problems { return }
        self.problems = problems
        tell(problems)
    }
}
