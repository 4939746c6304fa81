import Foundation
import TestSupport
import Testing

/// A section stands for its settings wherever several keys may stand.
@Suite(.logsOnFailure) struct CommandSectionTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        try session.control("set", "profile.name=Ada", "profile.email=ada@example.org", "support.help=https://help.example/")
    }

    @Test func describeExplainsEachOfItsSettings() throws {
        let keys = try session.object(["describe", "profile", "support.help", "--json"]).keys.sorted()
        #expect(keys == ["profile.avatar", "profile.email", "profile.name", "support.help"])
    }

    @Test func resetTakesAllOfThemBackInOneTransaction() throws {
        try session.control("reset", "profile")
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 2)
        let values = try #require(try session.object(["list", "--json"])["values"] as? [String: String])
        #expect(values["profile.name"] == "" && values["profile.email"] == "" && values["support.help"] != "")
    }

    @Test func logShowsItsChangesOnly() throws {
        try session.control("set", "support.help", "https://other.example/")
        let log = try session.control("log", "profile", "--json").stdout.objects()
        #expect(log.map { $0["revision"] as? Int } == [1])
        #expect((log.first?["values"] as? [String: String])?.keys.sorted() == ["profile.email", "profile.name"])
    }

    @Test func watchFollowsItsSettings() throws {
        let watch = try session.startControl(["watch", "profile", "--json"])
        try watch.waitForOutput("\"snapshot\"")
        let first = try #require(try watch.stdout.objects().first?["values"] as? [String: String])
        #expect(first.keys.sorted() == ["profile.avatar", "profile.email", "profile.name"])
        try session.control("set", "support.help", "https://other.example/")
        try session.control("set", "profile.name", "Eve")
        try watch.waitForOutput("Eve")
        #expect(try watch.stdout.objects().compactMap { $0["revision"] as? Int } == [1, 3])
        try watch.end(SIGINT)
    }

    /// An alias is a setting's own name first.
    @Test func anAliasStaysOneSetting() throws {
        #expect(try session.object(["describe", "provider", "--json"]).keys.sorted() == ["provider.id"])
    }

    @Test func anApplicationHasSectionsToo() throws {
        try session.install()
        let keys = try session.object(["-a", WorldClock.id, "describe", "meeting", "--json"]).keys.sorted()
        #expect(keys == ["meeting.start"])
        try session.control("-a", WorldClock.id, "set", "meeting.start", "9")
        try session.control("-a", WorldClock.id, "reset", "meeting")
        #expect(try session.control("-a", WorldClock.id, "get", "meeting.start").stdout == "8\n")
    }
}
