/// Every action of the built-in settings, typed.
public enum SettingsAction: Hashable, Sendable {
    /// Sets each of the given settings.
    case setValues([String: SettingValue])
    /// Takes the user's values of these keys away.
    case resetValues([String])
    /// Takes every user value away that is not locked.
    case resetAll
    /// Selects the music provider.
    case selectProvider(MusicProvider)
    /// Goes back to no provider and no account.
    case disconnectProvider
    /// Names the account that is linked with the provider.
    case linkAccount(String)
    /// Forgets the linked account.
    case unlinkAccount
    /// Sets the parts that are given, the empty text too; nil leaves a part as it is.
    case updateProfile(name: String? = nil, email: String? = nil, avatar: String? = nil)
    /// Resets the profile and the linked account.
    case signOut
    /// Sets one of the support links; the empty text publishes none.
    case setSupportLink(SupportLink, url: String)
    /// Asks for a support link to be opened; changes nothing.
    case openSupportLink(SupportLink)
    /// Takes the last transaction back, whoever made it.
    case undo
    /// Makes the last undone transaction again.
    case redo

    /// The action as it goes over the bus.
    public var action: Action {
        switch self {
        case .setValues(let values): .setValues(values)
        case .resetValues(let keys): .resetValues(keys)
        case .resetAll: .resetAll
        case .selectProvider(let provider): Action("SelectProvider", ["provider": .string(provider.rawValue)])
        case .disconnectProvider: Action("DisconnectProvider")
        case .linkAccount(let account): Action("LinkAccount", ["account": .string(account)])
        case .unlinkAccount: Action("UnlinkAccount")
        case .updateProfile(let name, let email, let avatar):
            Action(
                "UpdateProfile",
                ["name": name, "email": email, "avatar": avatar].compactMapValues { $0.map(SettingValue.string) })
        case .signOut: Action("SignOut")
        case .setSupportLink(let link, let url):
            Action("SetSupportLink", ["link": .string(link.rawValue), "url": .string(url)])
        case .openSupportLink(let link): Action("OpenSupportLink", ["link": .string(link.rawValue)])
        case .undo: .undo
        case .redo: .redo
        }
    }
}

/// One of the support links: the name of a key in the `support` section.
public enum SupportLink: String, CaseIterable, Sendable {
    /// Where to find help.
    case help
    /// Where to reach a person.
    case contact
    /// Where to leave feedback.
    case feedback
    /// Where other users meet.
    case community
    /// The terms of service.
    case terms
    /// The privacy policy.
    case privacy
    /// Who publishes this.
    case imprint
    /// The licences of the software in use.
    case licenses

    /// The setting that holds the link.
    public var key: String { "support.\(rawValue)" }
}
