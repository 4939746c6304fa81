internal import Observation
internal import Synchronization

/// Somebody whom `ObservableSettings.observe` calls; ends with `cancel()` or with the settings.
public final class SettingsObserver: Sendable {
    private let isDue = Atomic(true)
    private let isCancelled = Atomic(false)

    /// Ends the calls.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

/// The observers of one `ObservableSettings`, called after changes of what they have read.
final class ObserverList {
    private var observers: [(observer: SettingsObserver, show: (ObservableSettings) -> Void)] = []
    private var isCalling = false

    func add(_ show: @escaping (ObservableSettings) -> Void) -> SettingsObserver {
        let observer = SettingsObserver()
        observers.append((observer, show))
        return observer
    }

    /// Calls those who have read what has changed, or were never called. What they change themselves is shown as well.
    func callDue(with settings: ObservableSettings) {
        if isCalling { return }
        isCalling = true
        defer { isCalling = false }
        observers.removeAll { $0.observer.isOver }
        while let (observer, show) = observers.first(where: { $0.observer.isCallable }) {
            observer.track { show(settings) }
        }
    }
}

extension SettingsObserver {
    fileprivate var isOver: Bool { isCancelled.load(ordering: .relaxed) }
    fileprivate var isCallable: Bool { isDue.load(ordering: .relaxed) && !isOver }

    fileprivate func track(_ show: () -> Void) {
        isDue.store(false, ordering: .relaxed)
        withObservationTracking(show) {
            // Called before the change; it is shown after.
            self.isDue.store(true, ordering: .relaxed)
        }
    }
}
