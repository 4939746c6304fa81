internal import SettingsModel

/// The built-in settings, typed.
struct BuiltInFace {
    let profile: UserProfile
    let provider: MusicProvider
    let account: String
    let support: SupportLinks

    /// - Parameter values: effective values by key; a missing one counts as unset.
    init(_ values: [String: SettingValue]) {
        profile = UserProfile(values)
        provider = values["provider.id"]?.string.map(MusicProvider.init(rawValue:)) ?? .none
        account = values["provider.account"]?.string ?? ""
        support = SupportLinks(values)
    }

    /// That of settings which are not the built-in ones.
    static let empty = BuiltInFace([:])
}
