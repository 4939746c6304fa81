public import SettingsModel

/// The user's settings as a user interface shows them: live, typed, observed with Swift's Observation.
///
/// How it is delivered to, and when it shows what, is in `ObservableValues`.
public final class ObservableSettings: ObservableValues {
    /// Where the settings come from.
    public let client: SettingsClient

    /// Makes the settings of the user interface that runs here, with all values in place.
    ///
    /// - Parameters:
    ///   - client: a connected client, shared with others or not.
    ///   - delivery: hands work to the user interface's loop.
    public init(_ client: SettingsClient, delivery: @escaping Delivery) {
        self.client = client
        super.init(from: client, delivery: delivery)
    }

    // MARK: Values

    /// The user's profile. Setting it, or a part of it, updates the parts that differ. Who reads it observes all parts;
    /// `settings["profile.name"]` is one.
    public var profile: UserProfile {
        get {
            let profile = UserProfile(shown)
            for (key, _) in profile.texts { _ = self[key] }
            return profile
        }
        set {
            var changed: [String: SettingValue] = [:]
            for (key, text) in newValue.texts(otherThanIn: UserProfile(shown)) { changed[key] = .string(text) }
            if changed.isEmpty { return }
            let action = SettingsAction.updateProfile(
                name: changed["profile.name"]?.string, email: changed["profile.email"]?.string,
                avatar: changed["profile.avatar"]?.string)
            change([action.action], showing: changed)
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
        change(actions.map(\.action), showing: [:])
    }

    private func text(_ key: String) -> String { self[key]?.string ?? "" }

    private func set(_ key: String, _ text: String, by action: SettingsAction) {
        let value = SettingValue.string(text)
        if value != shown[key] { change([action.action], showing: [key: value]) }
    }

    // MARK: Observing

    /// Calls the closure now and again after each change of what it has read from the settings. For toolkits that do not
    /// follow Observation themselves.
    ///
    /// - Parameter show: gets these settings, so that it need not keep them.
    /// - Returns: what ends the calls before the settings go.
    @discardableResult
    public func observe(_ show: @escaping (ObservableSettings) -> Void) -> SettingsObserver {
        add { [unowned self] in show(self) }
    }
}
