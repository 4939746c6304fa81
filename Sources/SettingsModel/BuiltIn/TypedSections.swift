/// The user's profile: the typed face of the `profile` section.
public struct UserProfile: Hashable, Sendable {
    /// The name that applications greet the user by.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The link of a picture.
    public var avatar: String

    /// - Parameter values: effective values by key; a missing one counts as empty.
    public init(_ values: [String: SettingValue]) {
        name = values["profile.name"]?.string ?? ""
        email = values["profile.email"]?.string ?? ""
        avatar = values["profile.avatar"]?.string ?? ""
    }
}

/// The published support links: the typed face of the `support` section.
public struct SupportLinks: Hashable, Sendable {
    private var urls: [SupportLink: String] = [:]

    /// - Parameter values: effective values by key; a missing one counts as not published.
    public init(_ values: [String: SettingValue]) {
        for link in SupportLink.allCases { urls[link] = values[link.key]?.string ?? "" }
    }

    /// The link's URL, or the empty text where none is published.
    public subscript(link: SupportLink) -> String { urls[link] ?? "" }
}
