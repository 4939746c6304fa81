import Foundation
import JSON
import TestSupport
import Testing

/// Values as people have them, through the command line and back.
@Suite(.logsOnFailure) struct CommandLineValueTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    private func isStored(_ value: String, in key: String) throws {
        #expect(try session.control("set", key, "--", value).status == .exited(0), "\(value)")
        #expect(bytes(try session.control("get", key).stdout) == bytes(value + "\n"))
        let json = try JSONParser.parse(bytes(try session.control("get", key, "--json").stdout))
        #expect(bytes(json.root.object?["value"]?.string ?? "") == bytes(value))
        // The next start reads what is on the disk.
        try daemon.end()
        let again = try session.startDaemon()
        #expect(bytes(try session.control("get", key).stdout) == bytes(value + "\n"))
        _ = again
    }

    private func isRefused(_ value: String, in key: String, saying text: String) throws {
        let result = try session.control("set", key, "--", value)
        #expect(result.status == .exited(4), "\(value)")
        #expect(result.stderr.contains(text), "\(result.stderr)")
        #expect(try session.control("get", key).stdout == "\n")
    }

    @Test(arguments: [
        "Zoë", "Zoe\u{308}", "山田太郎", "محمد", "👩‍👩‍👧‍👦", String(repeating: "👩‍👩‍👧‍👦", count: 100), " two  spaces ", "\u{200F}שם\u{200E}",
        "a=b", "-x", "--", "\"quoted\" \\ 'single'", "$HOME `x`", "\u{FEFF}", "e\u{200B}f",
    ])
    func aNameIsStoredExactly(name: String) throws {
        try isStored(name, in: "profile.name")
    }

    @Test(arguments: [
        ("a\nb", "U+000A", 2), ("\u{1B}[31m", "U+001B", 1), ("Ada\u{202E}", "U+202E", 4), ("山\u{2066}x", "U+2066", 2),
        ("a\u{85}", "U+0085", 2), ("a\u{2028}", "U+2028", 2), ("\u{7F}", "U+007F", 1),
    ])
    func aNameWithAControlCharacterIsRefusedSayingWhichAndWhere(name: String, character: String, place: Int) throws {
        try isRefused(name, in: "profile.name", saying: character)
        try isRefused(name, in: "profile.name", saying: "character \(place) ")
    }

    @Test(arguments: ["a+b@example.org", "x@exämple.de", "x@example.photography", "root@localhost"])
    func anAddressIsStoredExactly(address: String) throws {
        try isStored(address, in: "profile.email")
    }

    @Test(arguments: ["x@", "@y", "a b@c.de", "x@y@z", "x"]) func whatIsNoAddressIsRefused(address: String) throws {
        try isRefused(address, in: "profile.email", saying: "profile.email")
    }

    @Test(arguments: [
        ("support.help", "https://example.org/ä?q=1#f"), ("support.contact", "mailto:help@example.org"),
        ("profile.avatar", "file:///home/u/My%20Pictures/%C3%A9.png"), ("profile.avatar", "file:///home/u/é.png"),
        ("support.help", "HTTPS://Example.ORG"),
    ])
    func aLinkIsStoredExactly(key: String, link: String) throws {
        try isStored(link, in: key)
    }

    @Test(arguments: [
        ("support.help", "javascript:alert(1)"), ("support.help", "https:evil.example"), ("support.help", "http://"),
        ("support.help", "https://exa mple.org"), ("profile.avatar", "mailto:x@y"), ("support.help", "file:///etc/passwd"),
    ])
    func whatIsNoLinkIsRefused(key: String, link: String) throws {
        try isRefused(link, in: key, saying: key)
    }

    @Test func aLinkWithASpaceIsRefusedOfferingTheEncodedForm() throws {
        try isRefused(
            "file:///home/u/My Pictures/é.png", in: "profile.avatar", saying: "file:///home/u/My%20Pictures/é.png")
    }

    @Test(arguments: ["", "relative/folder"]) func anEmptyOrRelativeConfigHomeCountsAsTheDefault(value: String) throws {
        try daemon.end()
        let again = try session.startDaemon(environment: ["XDG_CONFIG_HOME": value, "XDG_STATE_HOME": value])
        try session.control("set", "profile.name", "Ada")
        let status = try session.object(["status", "--json"])
        #expect(status["document"] as? String == session.folder.path(TestSession.document))
        #expect(status["journal"] as? String == session.folder.path(TestSession.journal))
        _ = again
    }
}
