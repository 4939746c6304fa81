public import SettingsModel

/// What `SettingsClient.update` changes: values as they are, and the ones that are to be.
public struct SettingsDraft: Sendable {
    /// The values that the draft was made from.
    public let snapshot: SettingsSnapshot
    /// The value that each changed setting gets; nil: what the layers below the user's say.
    private var edits: [String: SettingValue?] = [:]

    init(_ snapshot: SettingsSnapshot) {
        self.snapshot = snapshot
    }

    /// A setting's value, the new one where it was written. Writing nil takes the user's value away; it then reads as
    /// before, since the layers below are the service's to know.
    ///
    /// - Parameter name: a key or an alias. One that no setting has makes the update fail with `UnknownKey`.
    public subscript(name: String) -> SettingValue? {
        get {
            let key = Self.key(name)
            return (edits[key] ?? nil) ?? snapshot.values[key]
        }
        set { edits.updateValue(newValue, forKey: Self.key(name)) }
    }

    /// The user's profile. Parts that stay the same are not written.
    public var profile: UserProfile {
        get { UserProfile(values) }
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

    /// The values with the new ones in their places.
    private var values: [String: SettingValue] {
        snapshot.values.merging(edits.compactMapValues { $0 }) { $1 }
    }

    /// The transaction that makes the draft true.
    var actions: [SettingsAction] {
        let values = edits.compactMapValues { $0 }
        let resets = edits.keys.filter { values[$0] == nil }.sorted()
        return (values.isEmpty ? [] : [.setValues(values)]) + (resets.isEmpty ? [] : [.resetValues(resets)])
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
