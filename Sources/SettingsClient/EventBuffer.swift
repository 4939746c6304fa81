internal import EventLoop

/// Events that wait for one reader, at most so many.
///
/// When it is full, everything in it is replaced by a snapshot: the reader misses steps but no state, and sees that it did.
final class EventBuffer: SettingsListener {
    private struct State {
        var events: [SettingsEvent] = []
        var reader: CheckedContinuation<SettingsEvent?, Never>?
        var isFinished = false
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: how many events wait at most.
    init(limit: Int) {
        precondition(limit > 0, "A buffer holds at least one event.")
        self.limit = limit
    }

    func receive(_ event: SettingsEvent, _ copy: SettingsCopy) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.isFinished { return nil }
            if let reader = state.reader {
                state.reader = nil
                return { reader.resume(returning: event) }
            }
            if state.events.count < limit {
                state.events.append(event)
            } else {
                let tellsProblems = (state.events + [event]).contains { if case .problems = $0 { true } else { false } }
                state.events = [.snapshot(copy.snapshot)]
                // What is wrong is not in a snapshot, nor that the service has gone, nor what was only announced.
                if tellsProblems { state.events.append(.problems(copy.problems)) }
                if case .lost = event { state.events.append(event) }
                if case .action = event { state.events.append(event) }
            }
            return nil
        }
    }

    func finish() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            state.isFinished = true
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next event, waited for if need be; nil when there is none any more, or the reader's task was cancelled.
    func next() async -> SettingsEvent? {
        await suspend {
            take(for: $0)
        } onCancel: {
            state.withLock { $0.events = [] }
            finish()
        }
    }

    private func take(for reader: CheckedContinuation<SettingsEvent?, Never>) {
        let event: SettingsEvent?? = state.withLock { state in
            if !state.events.isEmpty { return state.events.removeFirst() }
            if state.isFinished { return .some(nil) }
            precondition(state.reader == nil, "An iterator is for one task.")
            state.reader = reader
            return nil
        }
        if let event { reader.resume(returning: event) }
    }
}
