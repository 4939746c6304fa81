extension Schema {
    /// The daemon's own settings: the user's profile, the music provider, support links.
    public static let builtIn = Schema(
        commonActions: ActionDeclaration.basic,
        settings: [
            Setting("profile.name", label, default: "", "The name that applications greet you by"),
            Setting("profile.email", .email, default: "", "Your e-mail address"),
            Setting("profile.avatar", .uri(schemes: ["http", "https", "file"]), default: "", "A picture of you"),
            Setting(
                "provider.id", alias: "provider", .choice(MusicProvider.table, customPrefix: MusicProvider.customPrefix),
                default: .string(MusicProvider.none.rawValue), "The music provider that applications use"),
            Setting("provider.account", label, default: "", "The label of the account linked with the provider"),
            Setting("support.help", link, default: "", "Where to find help"),
            Setting("support.contact", link, default: "", "Where to reach a person"),
            Setting("support.feedback", link, default: "", "Where to leave feedback"),
            Setting("support.community", link, default: "", "Where other users meet"),
            Setting("support.terms", link, default: "", "The terms of service"),
            Setting("support.privacy", link, default: "", "The privacy policy"),
            Setting("support.imprint", link, default: "", "Who publishes this"),
            Setting("support.licenses", link, default: "", "The licences of the software in use"),
        ],
        actions: [
            ActionDeclaration(
                "SelectProvider", "Selects the music provider; the linked account is reset when it changes",
                arguments: [.init("provider", .string, "A provider's id, as in provider.id")],
                [.set(.key("provider.id"), to: .argument("provider"))]),
            ActionDeclaration(
                "DisconnectProvider", "Goes back to no provider and no account",
                [.clear("provider.id", to: "none"), .reset("provider.account")]),
            ActionDeclaration(
                "LinkAccount", "Names the account that is linked with the provider",
                arguments: [.init("account", .string, "The account's label")],
                [
                    .refuse(
                        while: "provider.id", is: "none",
                        because: "no provider is selected; select one first, as with SelectProvider"),
                    .set(.key("provider.account"), to: .argument("account")),
                ]),
            ActionDeclaration(
                "UnlinkAccount", "Forgets the linked account", [.clear("provider.account", to: "")]),
            ActionDeclaration(
                "UpdateProfile", "Changes the given parts of the profile, the empty text too",
                arguments: [
                    .init("name", .string, optional: true, "The name, as in profile.name"),
                    .init("email", .string, optional: true, "The e-mail address, as in profile.email"),
                    .init("avatar", .string, optional: true, "The picture's link, as in profile.avatar"),
                ],
                ["name", "email", "avatar"].map { .set(.key("profile.\($0)"), to: .argument($0)) }),
            ActionDeclaration(
                "SignOut", "Resets the profile and the linked account",
                ["profile.name", "profile.email", "profile.avatar", "provider.account"].map { .reset($0) }),
            ActionDeclaration(
                "SetSupportLink", "Sets one of the support links",
                arguments: [
                    .init("link", .string, "Which link: a key of the support section without its section"),
                    .init("url", .string, "The new link; the empty text publishes none"),
                ],
                [.set(.member(section: "support", argument: "link"), to: .argument("url"))]),
            ActionDeclaration(
                "OpenSupportLink", "Asks for a support link to be opened; changes nothing",
                arguments: [.init("link", .string, "Which link: a key of the support section without its section")],
                [
                    .answer(
                        "url", .member(section: "support", argument: "link"),
                        otherwise: "has no link published; set one first, as with SetSupportLink")
                ]),
        ],
        cascades: [Cascade(when: "provider.id", changes: "provider.account")])

    private static let label = ValueRule.text(maximumLength: 100, maximumBytes: 4096)
    private static let link = ValueRule.uri(schemes: ["http", "https", "mailto"])
}
