import SettingsModel
import Testing

@Suite struct URIRuleTests {
    private static let webLinks = [
        "", "https://example.org", "http://example.org/", "https://example.org/ä?q=1#f", "HTTPS://EXAMPLE.ORG", "hTTp://x",
        "https://exämple.de/山?ü=é#ß", "https://user:secret@example.org:8080/x", "https://example.org:/x", "https://[::1]:443/",
        "https://[2001:db8::1]", "https://192.168.0.1/x", "https://localhost?x", "https://example.org#x",
        "https://example.org/a%20b", "https://example.org/\"<>\\^`{|}", "https://a@b@example.org/",
        "https://example.org/e\u{301}", "https://example.org/👩‍👩‍👧‍👦",
    ]

    @Test(arguments: webLinks + ["mailto:help@example.org", "MAILTO:x@y?subject=Hi%20there", "mailto:?to=x@y"])
    func aSupportLinkIsStoredExactly(_ link: String) throws {
        let outcome = try Fixture(["support.help": "https://before.example"]).outcome(.setSupportLink(.help, url: link))
        let stored = outcome.edits.first?.after?.string
        #expect(stored.map { Array($0.utf8) } == Array(link.utf8))
    }

    @Test(
        arguments: webLinks + [
            "file:///home/u/My%20Pictures/é.png", "file:/home/u/x.png", "file://localhost/x", "FILE:///", "file:///home/u/é.png",
        ])
    func anAvatarIsStoredExactly(_ link: String) throws {
        let outcome = try Fixture(["profile.avatar": "https://before.example"]).outcome(.updateProfile(avatar: link))
        let stored = outcome.edits.first?.after?.string
        #expect(stored.map { Array($0.utf8) } == Array(link.utf8))
    }

    /// What somebody means who leaves the scheme out.
    @Test(arguments: [
        ("profile.avatar", "/home/ada/me.png", "file:///home/ada/me.png"),
        ("profile.avatar", "/home/ada/My Pictures/é.png", "file:///home/ada/My%20Pictures/é.png"),
        ("profile.avatar", "www.example.org", "https://www.example.org"),
        ("profile.avatar", "example.org/me.png", "https://example.org/me.png"),
        ("support.help", "example.org", "https://example.org"),
        ("support.help", "example.org:8080/x?y#z", "https://example.org:8080/x?y#z"),
        ("support.help", "localhost:8080", "https://localhost:8080"), ("support.help", "exämple.de/ü", "https://exämple.de/ü"),
        ("support.contact", "help@example.org", "mailto:help@example.org"),
    ])
    func aLinkWithoutItsSchemeIsRefusedOfferingTheWholeOne(_ key: String, _ text: String, _ link: String) {
        #expect(
            fault(key, text)
                == "\(key): \(text.quoted()) is refused: a link begins with its scheme; did you mean \(link.quoted(limit: 200))?")
        #expect(fault(key, link) == nil)
    }

    @Test func aPathInTheHomeIsToBeWrittenInFull() {
        #expect(fault("profile.avatar", "~/me.png")?.contains("file:///home/ada/me.png") == true)
        #expect(fault("support.help", "~/me.png")?.contains("allowed are http:") == true)
    }

    /// An offer that would be refused, or that may as well be wrong, is not made.
    @Test(arguments: [
        ("support.help", "/home/ada/x.html"), ("profile.avatar", "ada@example.org"), ("profile.avatar", "me.png"),
        ("profile.avatar", "pictures/me.png"), ("support.help", "help"), ("support.help", "javascript:alert(1)"),
        ("support.help", "//example.org/"), ("support.help", "a..b"), ("support.help", "x:y:1"),
        ("support.help", "example.org:70000"),
    ])
    func noOtherLinkIsOffered(_ key: String, _ text: String) {
        #expect(fault(key, text)?.contains("did you mean") == false)
    }

    @Test(
        arguments: [
            (
                "javascript:alert(1)",
                "the scheme \"javascript\" is not allowed; allowed are http:, https:, mailto: and the empty text"
            ),
            ("file:///etc/passwd", "the scheme \"file\" is not allowed"),
            ("data:text/html,x", "the scheme \"data\" is not allowed"),
            ("https:evil.example", "https: is followed by //, a host and a path"), ("http:/x", "http: is followed by //"),
            ("http://", "it names no host"), ("https:///path", "it names no host"), ("https://?x", "it names no host"),
            ("https://#x", "it names no host"), ("https://user@/x", "it names no host"), ("https://:80/", "it names no host"),
            ("https://exa mple.org", "U+0020 SPACE must be percent-encoded: \"https://exa%20mple.org\""),
            ("https://example.org/a\tb", "U+0009 control character must be percent-encoded: \"https://example.org/a%09b\""),
            ("https://example.org/\n", "U+000A"), ("https://example.org/\u{202E}x", "U+202E RIGHT-TO-LEFT OVERRIDE must be"),
            ("https://example.org/\u{200F}x", "%E2%80%8Fx"), ("https://example.org/\u{A0}", "%C2%A0"),
            ("https://a.b/\u{FEFF}", "%EF%BB%BF"), ("https://a.b/\u{200E}", "%E2%80%8E"),
            ("https://a.b/\u{7F}", "%7F"),
            ("example.org", "a link begins with its scheme"), ("//example.org/", "a link begins with its scheme"),
            ("/home/u/x.png", "a link begins with its scheme"), (":x", "a link begins with its scheme"),
            (" https://x", "the scheme \" https\""),
            ("mailto:", "nothing follows mailto:"), ("https://[::1", "the address in brackets has no end"),
            ("https://[x]/", "not an IPv6 address"), ("https://[]/", "not an IPv6 address"), ("https://[::1]x", "not a port"),
            ("https://x:port/", "not a port"), ("https://x:65536/", "not a port"), ("https://x:+1/", "not a port"),
            ("https://x:80:80/", "not a port"), ("https://a\\b/", "U+005C REVERSE SOLIDUS is not allowed in a host"),
            ("https://<x>/", "U+003C LESS-THAN SIGN is not allowed in a host"),
            ("httpſ://x", "the scheme \"httpſ\" is not allowed"),
            ("https", "a link begins with its scheme"), ("https://", "it names no host"),
            // Swift's characters would join a mark to the sign before it, and take wide digits for digits.
            ("https:\u{301}//x", "https: is followed by //"), ("https:/\u{338}/x", "https: is followed by //"),
            ("https://@\u{301}/x", nil), ("https://x:\u{301}80/", "not a port"), ("https://[：:１]/", "not an IPv6 address"),
            ("https://[:\u{301}]/", "not an IPv6 address"), ("https://[::1\u{301}]/", "not an IPv6 address"),
        ] as [(String, String?)])
    func whatIsNoSupportLinkIsRefusedWithTheReason(_ link: String, _ reason: String?) {
        let message = fault("support.help", link)
        guard let reason else { return #expect(message == nil) }
        #expect(message?.hasPrefix("support.help: \(link.quoted()) is refused: ") == true)
        #expect(message?.contains(reason) == true, "\(message ?? "accepted")")
    }

    @Test(arguments: [
        ("file:///home/u/My Pictures/é.png", "U+0020 SPACE must be percent-encoded: \"file:///home/u/My%20Pictures/é.png\""),
        ("file:relative.png", "file: is followed by // and an absolute path"), ("file://", "an absolute path"),
        ("file:", "an absolute path"), ("file://host", "an absolute path"),
        ("mailto:x@y", "the scheme \"mailto\" is not allowed"),
        ("file:\u{338}/x", "an absolute path"),
    ])
    func whatIsNoAvatarIsRefusedWithTheReason(_ link: String, _ reason: String) {
        let message = fault("profile.avatar", link)
        #expect(message?.contains(reason) == true, "\(message ?? "accepted")")
    }

    @Test func theEncodedFormThatIsOfferedIsAccepted() throws {
        for link in ["https://example.org/a b/\u{202E}\u{85}é", "file:///My Pictures/\u{3000}.png"] {
            let message = try #require(fault("profile.avatar", link))
            let offered = try #require(message.split(separator: "encoded: ").last).dropFirst().dropLast()
            #expect(fault("profile.avatar", String(offered)) == nil, "\(offered)")
        }
    }

    @Test func aLinkHasAtMost64KiB() {
        let longest = "https://example.org/" + String(repeating: "x", count: 65_536 - 20)
        #expect(fault("support.help", longest) == nil)
        let message = fault("support.help", longest + "x")
        #expect(message?.contains("it has 65537 bytes; at most 65536 are allowed") == true)
        #expect((message?.utf8.count ?? .max) < 300)
    }
}
