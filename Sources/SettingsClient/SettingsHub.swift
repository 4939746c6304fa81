internal import EventLoop
internal import SettingsModel

/// Somebody who is told of events.
protocol SettingsListener: AnyObject, Sendable {
    /// Takes note of an event; called on the client's loop with locks held.
    ///
    /// - Returns: what is left to do, which is called without them.
    func receive(_ event: SettingsEvent, _ copy: SettingsCopy) -> (@Sendable () -> Void)?
    /// No event comes after this.
    func finish()
}

/// Where the client's loop leaves what it knows, and any thread picks it up.
///
/// A read takes a lock for the time of one retain; the loop makes the next copy outside of it. Listeners have another
/// lock, taken first, so that who begins to listen has the copy before the first event, and every event after it.
final class SettingsHub: Sendable {
    private struct Listeners {
        var all: [any SettingsListener] = []
        var isFinished = false
    }

    private let current: Locked<SettingsCopy>
    private let listeners = Locked(Listeners())

    init(_ copy: SettingsCopy) {
        current = Locked(copy)
    }

    var copy: SettingsCopy { current.withLock { $0 } }

    /// Takes an event over and tells it. The client's loop alone calls this.
    func publish(_ event: SettingsEvent) {
        let before = copy
        let next = before.after(event)
        let work = listeners.withLock { listeners in
            current.withLock { $0 = next }
            return listeners.all.compactMap { $0.receive(event, next) }
        }
        for step in work { step() }
        // What only this has kept is freed here, and not while readers wait.
        withExtendedLifetime(before) {}
    }

    /// Adds a listener, unless all is over.
    ///
    /// - Returns: the copy that its first event follows; nil where no event will come.
    func add(_ listener: some SettingsListener) -> SettingsCopy? {
        listeners.withLock { listeners in
            if listeners.isFinished { return nil }
            listeners.all.append(listener)
            return copy
        }
    }

    func remove(_ listener: some SettingsListener) {
        listeners.withLock { $0.all.removeAll { $0 === listener } }
    }

    /// Tells all listeners that no event comes any more.
    func finish() {
        let all = listeners.withLock { listeners in
            defer { listeners = Listeners(isFinished: true) }
            return listeners.all
        }
        for listener in all { listener.finish() }
    }
}
