internal import EventLoop
internal import SettingsModel

/// Carries news from the client's loop to the loop of a user interface, one delivery at a time: however much happens while
/// that is busy, one piece of work waits for it.
final class UIDelivery: SettingsListener {
    /// What became of one change that the user interface made.
    struct Outcome: Sendable {
        let edit: UInt64
        let error: ClientError?
    }

    private struct State {
        var isUnderWay = false
        var outcomes: [Outcome] = []
    }

    private let deliver: ObservableValues.Delivery
    private let state = Locked(State())
    /// Touched where the user interface runs only.
    nonisolated(unsafe) private weak var target: ObservableValues?

    init(_ deliver: @escaping ObservableValues.Delivery) {
        self.deliver = deliver
    }

    func begin(for target: ObservableValues) {
        unsafe self.target = target
    }

    func receive(_ event: SettingsEvent, _ copy: SettingsCopy) -> (@Sendable () -> Void)? {
        { self.send() }
    }

    func finish() {}

    /// Reports an outcome, once the copy has what came of it.
    func report(_ outcome: Outcome) {
        state.withLock { $0.outcomes.append(outcome) }
        send()
    }

    private func send() {
        let isFirst = state.withLock { state in
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst { deliver { self.arrive() } }
    }

    private func arrive() {
        let outcomes = state.withLock { state in
            defer { state = State() }
            return state.outcomes
        }
        // The copy is at least as new as the outcomes.
        unsafe target?.takeOver(outcomes)
    }
}
