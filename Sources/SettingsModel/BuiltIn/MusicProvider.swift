/// The music provider that a user has selected: the typed face of `provider.id`.
public struct MusicProvider: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The value of `provider.id`, from a newer daemon perhaps one that this library does not know.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// A provider that the table does not list: `custom:NAME`.
    ///
    /// - Parameter name: 1 to 63 of a-z, 0-9 and -, the first no hyphen; the daemon refuses others.
    public static func custom(_ name: String) -> MusicProvider {
        MusicProvider(rawValue: customPrefix + name)
    }

    /// No provider.
    public static let none = MusicProvider(rawValue: "none")
    /// Spotify.
    public static let spotify = MusicProvider(rawValue: "spotify")
    /// Apple Music.
    public static let appleMusic = MusicProvider(rawValue: "apple-music")
    /// Deezer.
    public static let deezer = MusicProvider(rawValue: "deezer")
    /// TIDAL.
    public static let tidal = MusicProvider(rawValue: "tidal")
    /// YouTube Music.
    public static let youtubeMusic = MusicProvider(rawValue: "youtube-music")
    /// Amazon Music.
    public static let amazonMusic = MusicProvider(rawValue: "amazon-music")
    /// SoundCloud.
    public static let soundcloud = MusicProvider(rawValue: "soundcloud")
    /// Qobuz.
    public static let qobuz = MusicProvider(rawValue: "qobuz")
    /// Bandcamp.
    public static let bandcamp = MusicProvider(rawValue: "bandcamp")
    /// Jellyfin.
    public static let jellyfin = MusicProvider(rawValue: "jellyfin")
    /// A server that speaks Subsonic's protocol.
    public static let subsonic = MusicProvider(rawValue: "subsonic")
    /// The Music Player Daemon.
    public static let mpd = MusicProvider(rawValue: "mpd")
    /// Files on this machine.
    public static let local = MusicProvider(rawValue: "local")

    public var description: String { rawValue }

    /// The table's entry: display name, link patterns and MPRIS suffixes; nil for custom and unknown providers.
    public var details: Choice? { Self.table.first { $0.id == rawValue } }

    static let customPrefix = "custom:"

    /// Every provider that is known by name. A link pattern or suffix that nobody has verified is left out.
    static let table: [Choice] = [
        Choice(none.rawValue, "None"),
        Choice(
            spotify.rawValue, "Spotify", links: ["spotify:", "https://open.spotify.com/"],
            mpris: ["spotify", "spotifyd", "ncspot"]),
        Choice(appleMusic.rawValue, "Apple Music", links: ["https://music.apple.com/"], mpris: ["cider", "cider2"]),
        Choice(deezer.rawValue, "Deezer", links: ["deezer://", "https://www.deezer.com/"]),
        Choice(tidal.rawValue, "TIDAL", links: ["tidal://", "https://tidal.com/"], mpris: ["tidal-hifi"]),
        Choice(
            youtubeMusic.rawValue, "YouTube Music", links: ["https://music.youtube.com/"],
            mpris: ["youtube-music", "YoutubeMusic"]),
        Choice(amazonMusic.rawValue, "Amazon Music", links: ["https://music.amazon.com/"]),
        Choice(soundcloud.rawValue, "SoundCloud", links: ["https://soundcloud.com/"]),
        Choice(qobuz.rawValue, "Qobuz", links: ["https://www.qobuz.com/", "https://play.qobuz.com/"]),
        Choice(bandcamp.rawValue, "Bandcamp", links: ["https://bandcamp.com/"]),
        Choice(jellyfin.rawValue, "Jellyfin"),
        Choice(subsonic.rawValue, "Subsonic", mpris: ["Feishin"]),
        Choice(mpd.rawValue, "MPD", mpris: ["mpd"]),
        Choice(local.rawValue, "Local files", links: ["file://"], mpris: ["io.bassi.Amberol", "strawberry"]),
    ]
}
