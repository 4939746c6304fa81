internal import DBus
internal import EventLoop
internal import SettingsBus
public import SettingsModel

extension SettingsConnection {
    /// Makes a change and waits for what it did.
    ///
    /// The service answers and then sends the change; a ping behind the answer tells when the change must have come.
    ///
    /// - Parameters:
    ///   - call: one that makes a transaction.
    ///   - timeout: for all of it.
    /// - Returns: the revision, and the change; nil where nothing changed.
    /// - Throws: as `reply`. When the service is lost behind its answer, the message says that the change was made.
    public func report(
        of call: SettingsCall<UInt64>, timeout: Duration = .seconds(25)
    ) throws(ClientError) -> (revision: UInt64, change: SettingsChange?) {
        let deadline = Moment.now + timeout
        var answer: Result<Reply<UInt64>, ClientError>?
        var change: SettingsChange?
        let rule = MatchRule(
            sender: SettingsNames.busName, path: path, interface: SettingsNames.interface,
            member: SettingsSignal.changed.member)
        let subscription = bus.subscribe(rule) { signal in
            // A change that comes before the answer is an earlier one, by somebody else.
            guard case .success(let reply) = answer, signal.sender == reply.sender, let found = signal.settingsChange,
                found.revision == reply.answer
            else { return }
            change = found
        }
        defer { subscription.cancel() }
        send(call, timeout: timeout) { answer = $0 }
        bus.loop.run(until: { answer != nil })
        guard let reply = try answer?.get() else { throw ClientError(.disconnected) }
        do throws(ClientError) {
            _ = try self.reply(to: .ping, from: reply.sender, timeout: max(.zero, deadline - Moment.now))
        } catch {
            if change == nil {
                let text = "revision \(reply.answer) is stored, but what the call has changed is not known: \(error.message)"
                throw ClientError(error.kind, text)
            }
        }
        return (reply.answer, change)
    }
}
