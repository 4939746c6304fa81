public import Observation
public import SettingsModel

/// The settings as a user interface shows them: live, typed, observed with Swift's Observation.
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
public final class ObservableSettings {
    /// Hands work to the loop that runs where the settings were made; called on the client's thread, must not block.
    public typealias Delivery = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    /// Where the settings come from.
    public let client: SettingsClient
    /// Why the last change was refused; nil after one that was made. May be set to nil when it has been shown.
    public var error: ClientError? {
        didSet { observers.callDue(with: self) }
    }
    /// Why the settings are not followed now; nil while they are.
    public private(set) var loss: ClientError?

    private let delivery: UIDelivery
    private let observers = ObserverList()
    @ObservationIgnored private var copy: SettingsCopy
    /// What is shown: the copy's values, those on their way in front.
    @ObservationIgnored private var shown: [String: SettingValue]
    /// Values that are on their way, by key, with the edit that carries them.
    @ObservationIgnored private var pending: [String: (edit: UInt64, value: SettingValue)] = [:]
    @ObservationIgnored private var lastEdit: UInt64 = 0

    /// Makes the settings of the user interface that runs here, with all values in place.
    ///
    /// - Parameters:
    ///   - client: a connected client, shared with others or not.
    ///   - delivery: hands work to the user interface's loop.
    public init(_ client: SettingsClient, delivery: @escaping Delivery) {
        self.client = client
        self.delivery = UIDelivery(delivery)
        // What is told between this and the next line is delivered later and changes nothing then.
        copy = client.hub.add(self.delivery) ?? client.hub.copy
        shown = copy.snapshot.values
        loss = copy.loss
        self.delivery.begin(for: self)
    }

    deinit { client.hub.remove(delivery) }

    // MARK: Values

    /// A setting's value; setting nil takes the user's value away. Each setting is observed for itself.
    ///
    /// - Parameter name: a key or an alias.
    public subscript(name: String) -> SettingValue? {
        get {
            let key = Self.key(name)
            access(keyPath: \.[key])
            return shown[key]
        }
        set {
            let key = Self.key(name)
            guard newValue != shown[key] else { return }
            if let newValue {
                change(.setValues([key: newValue]), showing: [key: newValue])
            } else {
                change(.resetValues([key]), showing: [:])
            }
        }
    }

    /// The user's profile. Setting it, or a part of it, updates the parts that differ. Who reads it observes all parts;
    /// `settings["profile.name"]` is one.
    public var profile: UserProfile {
        get {
            let profile = UserProfile(shown)
            for (key, _) in profile.texts { access(keyPath: \.[key]) }
            return profile
        }
        set {
            var changed: [String: SettingValue] = [:]
            for (key, text) in newValue.texts(otherThanIn: UserProfile(shown)) { changed[key] = .string(text) }
            if changed.isEmpty { return }
            let action = SettingsAction.updateProfile(
                name: changed["profile.name"]?.string, email: changed["profile.email"]?.string,
                avatar: changed["profile.avatar"]?.string)
            change(action, showing: changed)
        }
    }

    /// The music provider in use. Setting it selects it.
    public var provider: MusicProvider {
        get { MusicProvider(rawValue: text("provider.id")) }
        set { set("provider.id", newValue.rawValue, by: .selectProvider(newValue)) }
    }

    /// The label of the account that is linked with the provider. Setting it links the account, the empty text unlinks it.
    public var account: String {
        get { text("provider.account") }
        set { set("provider.account", newValue, by: newValue.isEmpty ? .unlinkAccount : .linkAccount(newValue)) }
    }

    /// A support link; empty where none is published. Setting it publishes another.
    public subscript(link: SupportLink) -> String {
        get { text(link.key) }
        set { set(link.key, newValue, by: .setSupportLink(link, url: newValue)) }
    }

    /// Carries actions out as one transaction, without waiting; `error` tells of a refusal.
    public func dispatch(_ actions: SettingsAction...) {
        lastEdit += 1
        send(actions, as: lastEdit)
    }

    private func text(_ key: String) -> String { self[key]?.string ?? "" }

    private func set(_ key: String, _ text: String, by action: SettingsAction) {
        let value = SettingValue.string(text)
        if value != shown[key] { change(action, showing: [key: value]) }
    }

    private static func key(_ name: String) -> String { Schema.builtIn.setting(named: name)?.key ?? name }

    // MARK: Observing

    /// Calls the closure now and again after each change of what it has read from the settings. For toolkits that do not
    /// follow Observation themselves.
    ///
    /// - Parameter show: gets these settings, so that it need not keep them.
    /// - Returns: what ends the calls before the settings go.
    @discardableResult
    public func observe(_ show: @escaping (ObservableSettings) -> Void) -> SettingsObserver {
        let observer = observers.add(show)
        observers.callDue(with: self)
        return observer
    }

    // MARK: Changes

    private func change(_ action: SettingsAction, showing values: [String: SettingValue]) {
        lastEdit += 1
        for (key, value) in values {
            pending[key] = (lastEdit, value)
            show(key)
        }
        send([action], as: lastEdit)
        observers.callDue(with: self)
    }

    private func send(_ actions: [SettingsAction], as edit: UInt64) {
        client.send(actions) { [delivery] result in
            switch result {
            case .success: delivery.report(.init(edit: edit, error: nil))
            case .failure(let error): delivery.report(.init(edit: edit, error: error))
            }
        }
    }

    /// Shows what is newest, and ends the edits that have come out one way or the other.
    func takeOver(_ outcomes: [UIDelivery.Outcome]) {
        let before = copy
        copy = client.hub.copy
        for outcome in outcomes {
            for (key, value) in pending where value.edit == outcome.edit { pending[key] = nil }
        }
        if loss != copy.loss { loss = copy.loss }
        for key in Set(before.snapshot.values.keys).union(copy.snapshot.values.keys).union(shown.keys) { show(key) }
        for outcome in outcomes where error != outcome.error { error = outcome.error }
        observers.callDue(with: self)
    }

    private func show(_ key: String) {
        let value = pending[key]?.value ?? copy.snapshot.values[key]
        guard value != shown[key] else { return }
        withMutation(keyPath: \.[key]) { shown[key] = value }
    }
}
