import Foundation
import TestSupport
import Testing

/// The commands that read, their text and JSON.
@Suite(.logsOnFailure) struct CommandLineReadTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.folder.write(#"{"support": {"help": "https://vendor.example/"}}"#, to: TestSession.vendorLayer)
        try session.folder.write(
            #"{"support": {"terms": "https://admin.example/"}, "locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        daemon = try session.startDaemon()
        try session.control("set", "profile.name=Zoë", "provider=mpd")
    }

    @Test func getPrintsTheBareValue() throws {
        #expect(try session.control("get", "profile.name").stdout == "Zoë\n")
        #expect(try session.control("get", "provider").stdout == "mpd\n")
        #expect(try session.control("get", "profile.email").stdout == "\n")
    }

    @Test func getAnswersAsAnObjectWithTheKeyItself() throws {
        let found = try session.control("get", "provider", "--json")
        #expect(found.stdout == #"{"key":"provider.id","revision":1,"source":"user","value":"mpd"}"# + "\n")
        #expect(found.stderr == "")
    }

    @Test func listIsTabSeparatedInAPipe() throws {
        let list = try session.control("list")
        let lines = list.stdout.split(separator: "\n")
        #expect(lines.count == 13)
        #expect(lines[0] == "profile.name\tuser\tZoë")
        #expect(lines[1] == "profile.email\tdefault\t")
        #expect(lines[5] == "support.help\tvendor\thttps://vendor.example/")
        #expect(lines.contains("support.terms\tlocked\thttps://admin.example/"))
        #expect(try session.control().stdout == list.stdout)
    }

    @Test func listTakesSectionsAndKeys() throws {
        let provider = "provider.id\tuser\tmpd\nprovider.account\tdefault\t\n"
        #expect(try session.control("list", "provider").stdout == provider)
        #expect(try session.control("list", "provider", "profile.name").stdout == "profile.name\tuser\tZoë\n" + provider)
        let object = try session.control("list", "provider", "--json").stdout
        #expect(object == #"{"revision":1,"values":{"provider.account":"","provider.id":"mpd"}}"# + "\n")
    }

    @Test func listIsAnObjectWithEveryValue() throws {
        let object = try session.object(["list", "--json"])
        #expect(object["revision"] as? Int == 1)
        let values = try #require(object["values"] as? [String: String])
        #expect(values.count == 13)
        #expect(values["support.help"] == "https://vendor.example/")
    }

    @Test func whatBeginsOrEndsWithABlankIsInQuotesForPeople() throws {
        try session.control("set", "profile.name= a ", "profile.avatar=file:///a")
        #expect(try session.terminal("list profile.name").contains("user    \" a \""))
        #expect(try session.control("list", "profile.name").stdout == "profile.name\tuser\t a \n")
        #expect(try session.control("log", "profile.name").stdout.hasSuffix("\tZoë → \" a \"\n"))
        #expect(try session.control("describe", "profile.name").stdout.contains("value    \" a \" (user"))
    }

    /// One wants to know where a layer would be looked for, and whether there is one.
    @Test func statusSaysWhichLayerFilesAreNotThere() throws {
        let vendor = session.folder.path(TestSession.vendorLayer)
        #expect(try session.control("status").stdout.contains("vendor    \(vendor)\n"))
        try FileManager.default.removeItem(atPath: vendor)
        #expect(try session.control("status").stdout.contains("vendor    \(vendor) (not there)\n"))
        #expect(try session.control("status").stdout.contains("\(session.folder.path(TestSession.adminLayer))\n"))
    }

    @Test func listIsATableOnATerminalThatMarksWhatIsNotTheDefault() throws {
        try session.control("set", "profile.name", "山田太郎")
        #expect(
            try session.terminal("list profile", environment: "TERM=xterm NO_COLOR=1") == """
                   KEY             SOURCE   VALUE
                *  profile.name    user     山田太郎
                   profile.email   default
                   profile.avatar  default

                """)
    }

    /// An empty value is a field of its own to a shell, which would take two tabs in a row for one.
    @Test func aShellReadsEveryField() throws {
        let loop = "while IFS=$'\\t' read -r key source value; do echo \"$key=$source=$value\"; done"
        let lines = try session.shell("settingsctl list profile | \(loop)").stdout
        #expect(lines == "profile.name=user=Zoë\nprofile.email=default=\nprofile.avatar=default=\n")
    }

    @Test func aTerminalShowsWhatIsLockedWithoutAValue() throws {
        try daemon.end()
        try session.folder.write(#"{"locked": ["support.help", "profile.email"]}"#, to: TestSession.adminLayer)
        let again = try session.startDaemon()
        let list = try session.terminal("list support.help profile.email", environment: "TERM=dumb")
        #expect(list.contains("   profile.email  default (locked)\n"))
        #expect(list.contains("*  support.help   vendor (locked)   https://vendor.example/\n"))
        #expect(try session.control("list", "profile.email").stdout == "profile.email\tdefault\t\n")
        _ = again
    }

    @Test func aTerminalIsToldOfProblemsBehindTheList() throws {
        #expect(try !session.terminal("list").contains("problem"))
        try session.folder.write(#"{"format": 1, "profile": {"name": "Bob",}}"#, to: TestSession.document)
        try eventually("the problem") { try !(session.object(["status", "--json"])["problems"] as? [String] ?? []).isEmpty }
        let list = try session.terminal("list profile.name", environment: "TERM=dumb")
        #expect(list.hasSuffix("Zoë\nsettingsctl: list: 1 problem; see settingsctl status\n"))
        for line in ["list -q", "list --json"] { #expect(try !session.terminal(line).contains("problem")) }
        #expect(try session.control("list").stderr == "")
    }

    @Test func colourIsForTerminalsThatWantIt() throws {
        #expect(try session.terminal("list profile").contains("\u{1B}[1m*  profile.name"))
        for environment in ["TERM=dumb", "TERM=xterm NO_COLOR=1"] {
            #expect(try !session.terminal("list profile", environment: environment).contains("\u{1B}"))
        }
        #expect(try session.terminal("list profile", environment: "TERM=xterm NO_COLOR=").contains("\u{1B}"))
        #expect(try !session.control("list").stdout.contains("\u{1B}"))
    }

    @Test func describeExplainsASetting() throws {
        let text = try session.control("describe", "support.terms").stdout
        #expect(
            text == """
                support.terms
                    The terms of service.
                    value    https://admin.example/ (locked, \(session.folder.path(TestSession.adminLayer)))
                    default  ""
                    kind     uri
                    locked   by the administrator; only they can change it
                    schemes  http, https, mailto

                """)
        let provider = try session.control("describe", "provider").stdout
        #expect(provider.contains("\n    choices  none           None\n             spotify        Spotify\n"))
    }

    @Test func describeAnswersWhatTheBusSays() throws {
        let object = try session.object(["describe", "provider", "profile.name", "--json"])
        #expect(Set(object.keys) == ["provider.id", "profile.name"])
        let name = try #require(object["profile.name"] as? [String: Any])
        #expect(name["type"] as? String == "s")
        #expect(name["maximum_length"] as? Int == 100)
        #expect(name["locked"] as? Bool == false)
        #expect(name["default"] as? String == "")
        let provider = try #require(object["provider.id"] as? [String: Any])
        #expect((provider["choices"] as? [String])?.contains("spotify") == true)
        #expect(provider["choice_details"] is [String: [String: Any]])
        #expect(try session.object(["describe", "--json"]).count == 13)
    }

    @Test func actionsListsNamesArgumentsAndSummaries() throws {
        let lines = try session.control("actions").stdout.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("LinkAccount\taccount=TEXT\t") })
        #expect(lines.contains { $0.hasPrefix("ResetValues\tkeys=JSON\t") })
        let object = try session.object(["actions", "--json"])
        let reset = try #require(object["ResetValues"] as? [String: Any])
        #expect(reset["arguments"] as? [String: String] == ["keys": "as"])
        #expect(reset["summary"] is String)
        #expect(object.count == lines.count)
    }

    @Test func statusShowsTheDaemonItsFilesAndProblems() throws {
        let object = try session.object(["status", "--json"])
        #expect(object["pid"] as? Int == Int(daemon.pid))
        #expect(object["revision"] as? Int == 1)
        #expect(object["document"] as? String == session.folder.path(TestSession.document))
        #expect(object["journal"] as? String == session.folder.path(TestSession.journal))
        let layers = try #require(object["layers"] as? [String: [String]])
        #expect(layers["admin"] == [session.folder.path(TestSession.adminLayer)])
        #expect(layers["vendor"] == [session.folder.path(TestSession.vendorLayer)])
        #expect(object["problems"] as? [String] == [])
        #expect((object["instance"] as? String)?.isEmpty == false)
        let text = try session.control("status").stdout
        #expect(text.contains(", process \(daemon.pid)\n"))
        #expect(text.hasSuffix("problems  none\n"))
    }

    @Test func statusWithProblemsShowsThemAndSucceeds() throws {
        try session.folder.write(#"{"format": 1, "profile": {"name": "Bob",}}"#, to: TestSession.document)
        try eventually("the problem") { try !(session.object(["status", "--json"])["problems"] as? [String] ?? []).isEmpty }
        let text = try session.control("status")
        #expect(text.status == .exited(0))
        #expect(text.stdout.contains("settings.json"))
        #expect(!text.stdout.contains("none"))
    }

    @Test func logShowsWhoChangedWhatOldestFirst() throws {
        try session.control("set", "provider.account", "zoe")
        try session.control("dispatch", "SelectProvider", "provider=spotify")
        let rows = try session.control("log").stdout.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(
            rows.map { "\($0[0]) \($0[2]) \($0[3]) \($0[4]) \($0[5])" } == [
                "1 settingsctl SetValues profile.name \"\" → Zoë", "1 settingsctl SetValues provider.id none → mpd",
                "2 settingsctl SetValues provider.account \"\" → zoe", "3 settingsctl SelectProvider provider.id mpd → spotify",
                "3 settingsctl SelectProvider provider.account zoe → \"\"",
            ])
        #expect(try session.control("log", "-n", "1").stdout.hasPrefix("3\t"))
        #expect(try session.control("log", "provider", "-n1").stdout.hasSuffix("\tprovider.id\tmpd → spotify\n"))
        let objects = try session.control("log", "profile.name", "--json").stdout.objects()
        #expect(objects.count == 1)
        #expect(objects[0]["event"] as? String == "changed")
        #expect(objects[0]["values"] as? [String: String] == ["profile.name": "Zoë"])
        #expect(objects[0]["previous"] as? [String: String] == ["profile.name": ""])
        #expect(objects[0]["actions"] as? [String] == ["SetValues"])
        #expect(objects[0]["origin"] as? String == "bus")
        #expect(objects[0]["application"] as? String == "settingsctl")
    }

    @Test func logTellsUndoAndTheFilesFromOtherChanges() throws {
        try session.control("undo")
        try session.control("redo")
        try session.control("dispatch", "SignOut")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("\"revision\": 4") == true }
        try session.folder.write(#"{"format": 1, "profile": {"name": "Bob"}}"#, to: TestSession.document)
        try eventually("the edit") { try session.control("get", "profile.name").stdout == "Bob\n" }
        try session.folder.write(#"{"profile": {"email": "x@y.example"}}"#, to: TestSession.adminLayer)
        try eventually("the layer") { try session.control("get", "profile.email").stdout == "x@y.example\n" }
        let rows = try session.control("log").stdout.split(separator: "\n").map { $0.split(separator: "\t") }
        var told: [String] = []
        for row in rows where told.last != "\(row[2]) \(row[3])" { told.append("\(row[2]) \(row[3])") }
        #expect(
            told == [
                "settingsctl SetValues", "settingsctl Undo", "settingsctl Redo", "settingsctl SignOut", "- file", "- layer",
            ])
    }

    @Test func logSaysWhenOlderChangesAreGone() throws {
        try daemon.end()
        try session.folder.write(
            #"{"format": 1, "revision": 50, "profile": {"name": "Ada"}}"#, to: TestSession.document)
        try FileManager.default.removeItem(atPath: session.folder.path(TestSession.journal))
        let again = try session.startDaemon()
        try session.control("set", "profile.name", "Bob")
        let log = try session.control("log")
        #expect(log.stdout.hasPrefix("51\t"))
        #expect(log.stdout.split(separator: "\n").count == 1)
        #expect(log.stderr == "settingsctl: log: older changes are no longer in the history, or too long to be told\n")
        #expect(try session.control("log", "-q").stderr == "")
        #expect(try session.control("log", "-n", "0").stdout == "")
        _ = again
    }

    @Test func logSaysWhereALineOfTheHistoryIsDamaged() throws {
        for name in ["Bob", "Eve"] { try session.control("set", "profile.name", name) }
        let revision = try #require(try session.object(["status", "--json"])["revision"] as? Int)
        try daemon.end()
        var lines = try #require(session.folder.read(TestSession.journal)).split(separator: "\n").map(String.init)
        lines[lines.count - 2] = "{"
        try session.folder.write(lines.joined(separator: "\n") + "\n", to: TestSession.journal)
        let again = try session.startDaemon()
        let log = try session.control("log")
        #expect(log.status == .exited(0))
        #expect(log.stdout.hasPrefix("\(revision)\t"))
        #expect(log.stdout.split(separator: "\n").count == 1)
        let journal = session.folder.path(TestSession.journal)
        #expect(log.stderr.hasPrefix("settingsctl: log: \(journal), line \(lines.count - 1) is damaged ("), "\(log)")
        #expect(
            log.stderr.hasSuffix(
                "\nsettingsctl: log: the changes up to revision \(revision - 1) are not shown, for one of them is missing\n"))
        _ = again
    }

    @Test func helpAndVersionNeedNoBus() throws {
        let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        #expect(try session.control("--version", environment: nowhere).stdout.hasPrefix("settingsctl 0."))
        let help = try session.control("help", environment: nowhere)
        #expect(help.status == .exited(0))
        #expect(help.stdout.contains("Commands:\n"))
        let watch = try session.control("help", "watch", environment: nowhere)
        #expect(watch.stdout.hasPrefix("Examples:\n  settingsctl watch"))
        #expect(try session.control("watch", "-h", environment: nowhere) == watch)
        #expect(try session.control("--help", environment: nowhere) == help)
    }
}
