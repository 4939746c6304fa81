/// Every action of the built-in settings, typed.
public enum SettingsAction: Hashable, Sendable {
    case setValues([String: SettingValue])
    case resetValues([String])
    case resetAll
    case selectProvider(MusicProvider)
    case disconnectProvider
    case linkAccount(String)
    case unlinkAccount
    /// Sets the parts that are given, the empty text too; nil leaves a part as it is.
    case updateProfile(name: String? = nil, email: String? = nil, avatar: String? = nil)
    case signOut
    case setSupportLink(SupportLink, url: String)
    case openSupportLink(SupportLink)
    case undo
    case redo

    /// The action as it goes over the bus.
    public var action: Action {
        switch self {
        case .setValues(let values): Action("SetValues", ["values": .record(values)])
        case .resetValues(let keys): Action("ResetValues", ["keys": .strings(keys)])
        case .resetAll: Action("ResetAll")
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
        case .undo: Action("Undo")
        case .redo: Action("Redo")
        }
    }
}

/// One of the support links: the name of a key in the `support` section.
public enum SupportLink: String, CaseIterable, Sendable {
    case help
    case contact
    case feedback
    case community
    case terms
    case privacy
    case imprint
    case licenses

    public var key: String { "support.\(rawValue)" }
}
