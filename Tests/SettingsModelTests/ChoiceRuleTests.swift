import SettingsModel
import Testing

@Suite struct ChoiceRuleTests {
    static let providers = [
        "none", "spotify", "apple-music", "deezer", "tidal", "youtube-music", "amazon-music", "soundcloud", "qobuz", "bandcamp",
        "jellyfin", "subsonic", "mpd", "local",
    ]

    @Test(
        arguments: providers + [
            "custom:a", "custom:0", "custom:my-player-2", "custom:a-", "custom:" + String(repeating: "x", count: 63),
        ])
    func aProviderIsSelected(_ provider: String) throws {
        let start = provider == "tidal" ? "deezer" : "tidal"
        let outcome = try Fixture(["provider.id": .string(start)]).outcome(.selectProvider(MusicProvider(rawValue: provider)))
        #expect(outcome.edits == [Edit(key: "provider.id", before: .string(start), after: .string(provider))])
    }

    @Test(arguments: [
        ("myspace", "it takes one of: none, spotify, apple-music"), ("", "it takes one of: none, spotify"),
        ("Spotify", "did you mean \"spotify\"?"),
        ("spotfy", "did you mean \"spotify\"?"), ("youtube", "did you mean \"youtube-music\"?"),
        ("aple-music", "\"apple-music\"?"),
        ("spotify ", "did you mean \"spotify\"?"), ("spotify\u{0}", "did you mean \"spotify\"?"),
        ("custom:", "after custom: come 1 to 63 of a-z, 0-9 and -, the first no hyphen"), ("custom:-a", "after custom:"),
        ("custom:A", "after custom:"), ("custom:a_b", "after custom:"), ("custom:é", "after custom:"),
        ("custom:a\n", "after custom:"),
        ("custom:" + String(repeating: "x", count: 64), "after custom:"), ("custom", "it takes one of: none"),
        ("Custom:a", "it takes one of: none"),
        ("a,custom:b", "it takes one of: none"),
    ])
    func whatIsNoProviderIsRefusedWithWhatIsAllowed(_ provider: String, _ reason: String) {
        let message = fault("provider.id", provider)
        #expect(message?.hasPrefix("provider.id: \(provider.quoted()) is refused: ") == true, "\(message ?? "accepted")")
        #expect(message?.contains(reason) == true, "\(message ?? "accepted")")
    }

    /// What is near is offered alone, what is not gets everything that is taken.
    @Test func theChoicesAreListedWhereNoneIsNear() {
        #expect(fault("provider.id", "spotfy") == "provider.id: \"spotfy\" is refused: did you mean \"spotify\"?")
        #expect(fault("provider.id", "myspace")?.hasSuffix("mpd, local, or custom:NAME") == true)
    }

    @Test func theTableOfProvidersIsConsistent() throws {
        let rule = try #require(Schema.builtIn.setting(named: "provider.id")?.rule.string?.choices)
        let (choices, prefix) = (rule.known, rule.customPrefix)
        #expect(choices.map(\.id) == Self.providers)
        #expect(prefix == "custom:")
        #expect(try Schema.builtIn.setting("provider.id").rule.string?.patternSource == "custom:[a-z0-9][a-z0-9-]{0,62}")
        #expect(Set(choices.map(\.name)).count == choices.count)
        let suffixes = choices.flatMap(\.mpris)
        let links = choices.flatMap(\.links)
        #expect(Set(suffixes).count == suffixes.count)
        #expect(Set(links).count == links.count)
        for choice in choices {
            #expect(MusicProvider(rawValue: choice.id).details == choice)
            #expect(!choice.name.isEmpty)
            // A link that begins with one provider's pattern begins with no other's.
            for link in choice.links { #expect(links.filter { link.hasPrefix($0) } == [link], "\(link)") }
            for suffix in choice.mpris { #expect(!suffix.contains(".instance") && !suffix.hasPrefix("org.mpris"), "\(suffix)") }
        }
        #expect(MusicProvider.custom("mine").rawValue == "custom:mine")
        #expect(MusicProvider.custom("mine").details == nil)
    }

    /// The facts that were verified, and no more.
    @Test func theFactsAboutProvidersAreTheVerifiedOnes() {
        let facts: [(MusicProvider, String, [String], [String])] = [
            (.none, "None", [], []),
            (.spotify, "Spotify", ["spotify:", "https://open.spotify.com/"], ["spotify", "spotifyd", "ncspot"]),
            (.appleMusic, "Apple Music", ["https://music.apple.com/"], ["cider", "cider2"]),
            (.deezer, "Deezer", ["deezer://", "https://www.deezer.com/"], []),
            (.tidal, "TIDAL", ["tidal://", "https://tidal.com/"], ["tidal-hifi"]),
            (.youtubeMusic, "YouTube Music", ["https://music.youtube.com/"], ["youtube-music", "YoutubeMusic"]),
            (.amazonMusic, "Amazon Music", ["https://music.amazon.com/"], []),
            (.soundcloud, "SoundCloud", ["https://soundcloud.com/"], []),
            (.qobuz, "Qobuz", ["https://www.qobuz.com/", "https://play.qobuz.com/"], []),
            (.bandcamp, "Bandcamp", ["https://bandcamp.com/"], []), (.jellyfin, "Jellyfin", [], []),
            (.subsonic, "Subsonic", [], ["Feishin"]), (.mpd, "MPD", [], ["mpd"]),
            (.local, "Local files", ["file://"], ["io.bassi.Amberol", "strawberry"]),
        ]
        #expect(facts.map(\.0.rawValue) == Self.providers)
        for (provider, name, links, mpris) in facts {
            #expect(provider.details == Choice(provider.rawValue, name, links: links, mpris: mpris))
        }
    }
}
