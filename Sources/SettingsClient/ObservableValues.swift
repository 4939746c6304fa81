public import Observation
public import SettingsModel

/// Settings as a user interface shows them: what `ObservableSettings` and `ObservableApplication` have in common.
///
/// It belongs to who makes it: the user interface's thread or main actor, where alone it is used. News comes there through
/// the delivery, a closure that hands work to the loop that runs there:
///
/// | loop | delivery |
/// | --- | --- |
/// | Dispatch | `{ DispatchQueue.main.async(execute: $0) }` |
/// | GLib, GTK, and Qt with GLib's loop | a `g_idle_add` whose function calls the work |
/// | Qt | a `QMetaObject::invokeMethod(qApp, …, Qt::QueuedConnection)` that calls the work |
/// | Swift's main actor, where it is served | `{ work in Task { @MainActor in work() } }` |
/// | an `EventLoop` | `{ loop.post($0) }` |
///
/// At most one piece of work is under way at a time, however much happens; it brings what is shown up to the newest state.
///
/// Setting a property shows the new value at once and dispatches the action; nothing blocks. Should the service refuse,
/// the value goes back to what it was, and `error` says why. Changes by others meanwhile are shown as they come, but for a
/// value that is still on its way to the service.
///
/// When the service or the bus goes, the values stay, `loss` says why, and all is brought up to date on return. The
/// client is kept as long as this object is there.
@Observable
public class ObservableValues {
    /// Hands work to the loop that runs where the settings were made; called on the client's thread, must not block.
    public typealias Delivery = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    /// Where the settings come from.
    final let source: LiveSettings
    /// Why the last change was refused; nil after a later one that was made. May be set to nil when it has been shown.
    public final var error: ClientError? {
        didSet { observers.callDue() }
    }
    /// Why the settings are not followed now; nil while they are.
    public private(set) final var loss: ClientError?

    /// What is wrong with the settings' files, a sentence each; empty when well.
    public private(set) final var problems: [String] = []

    private let delivery: UIDelivery
    private let observers = ObserverList()
    @ObservationIgnored private var copy: SettingsCopy
    /// What is shown: the copy's values, those on their way in front.
    @ObservationIgnored private(set) final var shown: [String: SettingValue]
    /// Values that are on their way, the newest last, with the edits that carry them.
    @ObservationIgnored private var pending: [(key: String, edit: UInt64, value: SettingValue)] = []
    @ObservationIgnored private var lastEdit: UInt64 = 0
    /// The edit that `error` is about.
    @ObservationIgnored private var lastRefusal: UInt64 = 0

    /// Makes the settings of the user interface that runs here, with all values in place.
    ///
    /// - Parameters:
    ///   - source: a connected client, shared with others or not.
    ///   - delivery: hands work to the user interface's loop.
    init(from source: LiveSettings, delivery: @escaping Delivery) {
        self.source = source
        self.delivery = UIDelivery(delivery)
        // What is told between this and the next line is delivered later and changes nothing then.
        copy = source.hub.add(self.delivery) ?? source.hub.copy
        shown = copy.snapshot.values
        loss = copy.loss
        problems = copy.problems
        self.delivery.begin(for: self)
    }

    deinit { source.hub.remove(delivery) }

    // MARK: Values

    /// A setting's value; setting nil takes the user's value away. Each setting is observed for itself.
    ///
    /// - Parameter name: a key or an alias.
    public final subscript(name: String) -> SettingValue? {
        get {
            let key = copy.key(name)
            access(keyPath: \.[key])
            return shown[key]
        }
        set {
            let key = copy.key(name)
            guard newValue != shown[key] else { return }
            if let newValue {
                change([.setValues([key: newValue])], showing: [key: newValue])
            } else {
                change([.resetValues([key])], showing: [:])
            }
        }
    }

    /// What is shown, as a draft of something newer.
    final var draft: ApplicationDraft {
        for key in shown.keys { access(keyPath: \.[key]) }
        return ApplicationDraft(SettingsSnapshot(revision: copy.snapshot.revision, values: shown))
    }

    // MARK: Observing

    /// Calls the closure now and again after each change of what it has read from the settings.
    final func add(_ show: @escaping () -> Void) -> SettingsObserver {
        let observer = observers.add(show)
        observers.callDue()
        return observer
    }

    // MARK: Changes

    /// Shows values at once and carries actions out as one transaction, without waiting.
    final func change(_ actions: [Action], showing values: [String: SettingValue]) {
        lastEdit += 1
        for (key, value) in values {
            pending.append((key, lastEdit, value))
            show(key)
        }
        send(actions, as: lastEdit)
        observers.callDue()
    }

    private func send(_ actions: [Action], as edit: UInt64) {
        source.send(actions) { [delivery] result in
            switch result {
            case .success: delivery.report(.init(edit: edit, error: nil))
            case .failure(let error): delivery.report(.init(edit: edit, error: error))
            }
        }
    }

    /// Shows what is newest, and ends the edits that have come out one way or the other.
    final func takeOver(_ outcomes: [UIDelivery.Outcome]) {
        let before = copy
        copy = source.hub.copy
        let over = Set(outcomes.map(\.edit))
        pending.removeAll { over.contains($0.edit) }
        if loss != copy.loss { loss = copy.loss }
        if problems != copy.problems { problems = copy.problems }
        for key in Set(before.snapshot.values.keys).union(copy.snapshot.values.keys).union(shown.keys) { show(key) }
        for outcome in outcomes {
            if outcome.error != nil { lastRefusal = outcome.edit }
            // That an earlier change was made may be known later than that this one was refused.
            if outcome.edit >= lastRefusal, error != outcome.error { error = outcome.error }
        }
        observers.callDue()
    }

    private func show(_ key: String) {
        // Of a value that was refused the one before may be on its way still.
        let value = pending.last { $0.key == key }?.value ?? copy.snapshot.values[key]
        guard value != shown[key] else { return }
        withMutation(keyPath: \.[key]) { shown[key] = value }
    }
}
