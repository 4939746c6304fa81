public import SettingsModel

/// What `SettingsClient.update` changes: the user's settings as they are, and as they are to be.
public struct SettingsDraft: Sendable {
    /// The same by keys.
    private(set) var draft: ApplicationDraft

    init(_ draft: ApplicationDraft) {
        self.draft = draft
    }

    /// The values that the draft was made from.
    public var snapshot: SettingsSnapshot { draft.snapshot }

    /// A setting's value, the new one where it was written. Writing nil takes the user's value away; it then reads as
    /// before, since the layers below are the service's to know.
    ///
    /// - Parameter name: a key or an alias. One that no setting has makes the update fail with `UnknownKey`.
    public subscript(name: String) -> SettingValue? {
        get { draft[Self.key(name)] }
        set { draft[Self.key(name)] = newValue }
    }

    /// The user's profile. Parts that stay the same are not written.
    public var profile: UserProfile {
        get { UserProfile(draft.values) }
        set {
            for (key, text) in newValue.texts(otherThanIn: profile) { self[key] = .string(text) }
        }
    }

    /// The music provider in use.
    public var provider: MusicProvider {
        get { MusicProvider(rawValue: self["provider.id"]?.string ?? MusicProvider.none.rawValue) }
        set { self["provider.id"] = .string(newValue.rawValue) }
    }

    /// The label of the account that is linked with the provider.
    public var account: String {
        get { self["provider.account"]?.string ?? "" }
        set { self["provider.account"] = .string(newValue) }
    }

    /// A support link; empty where none is published.
    public subscript(link: SupportLink) -> String {
        get { self[link.key]?.string ?? "" }
        set { self[link.key] = .string(newValue) }
    }

    private static func key(_ name: String) -> String { Schema.builtIn.setting(named: name)?.key ?? name }
}

extension UserProfile {
    /// The profile's parts by key.
    var texts: [(key: String, text: String)] {
        [("profile.name", name), ("profile.email", email), ("profile.avatar", avatar)]
    }

    /// The parts that are not byte for byte those of another profile.
    func texts(otherThanIn other: UserProfile) -> [(key: String, text: String)] {
        zip(texts, other.texts).filter { !$0.text.utf8.elementsEqual($1.text.utf8) }.map { $0.0 }
    }
}
