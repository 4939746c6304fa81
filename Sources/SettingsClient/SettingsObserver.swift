internal import Observation
internal import Synchronization

/// Somebody whom `observe` of `ObservableSettings` or `ObservableApplication` calls; ends with `cancel()` or with the settings.
public final class SettingsObserver: Sendable {
    private let isDue = Atomic(true)
    private let isCancelled = Atomic(false)

    /// Ends the calls.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

/// The observers of one `ObservableValues`, called after changes of what they have read.
final class ObserverList {
    private var observers: [(observer: SettingsObserver, show: () -> Void)] = []
    private var isCalling = false
    private var isChangedByObserver = false

    func add(_ show: @escaping () -> Void) -> SettingsObserver {
        let observer = SettingsObserver()
        observers.append((observer, show))
        return observer
    }

    /// Calls those who have read what has changed, or were never called. What they change themselves is shown as well.
    func callDue() {
        if isCalling {
            isChangedByObserver = true
            return
        }
        isCalling = true
        defer { isCalling = false }
        observers.removeAll { $0.observer.isOver }
        while let (observer, show) = observers.first(where: { $0.observer.isCallable }) {
            isChangedByObserver = false
            observer.track(show)
            // Observation tells of changes after the call alone, and the observer may have read before it changed.
            if isChangedByObserver { observer.recall() }
        }
    }
}

extension SettingsObserver {
    fileprivate var isOver: Bool { isCancelled.load(ordering: .relaxed) }
    fileprivate var isCallable: Bool { isDue.load(ordering: .relaxed) && !isOver }

    fileprivate func recall() { isDue.store(true, ordering: .relaxed) }

    fileprivate func track(_ show: () -> Void) {
        isDue.store(false, ordering: .relaxed)
        withObservationTracking(show) {
            // Called before the change; it is shown after.
            self.recall()
        }
    }
}
