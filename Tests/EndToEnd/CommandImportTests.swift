import DBus
import Foundation
import TestSupport
import Testing

/// What `import` takes and refuses, and what it changes.
@Suite(.logsOnFailure) struct CommandImportTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.folder.write(#"{"locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        daemon = try session.startDaemon()
        try session.control("set", "profile.name=Ada", "provider=mpd", "provider.account=a")
    }

    private func imports(_ text: String, _ options: String...) throws -> CommandResult {
        let file = try session.folder.write(text, to: "in.json")
        let process = try session.startControl(["import", file] + options)
        return try process.result()
    }

    private func values() throws -> [String: String] {
        let all = try #require(try session.object(["list", "--json"])["values"] as? [String: String])
        return all.filter { $0.value != "" }
    }

    private let start = ["profile.name": "Ada", "provider.id": "mpd", "provider.account": "a"]

    private func refuses(_ text: String, _ status: Int32, _ messages: String..., options: [String] = []) throws {
        let file = try session.folder.write(text, to: "in.json")
        let process = try session.startControl(["import", file] + options)
        #expect(try process.waitForExit() == .exited(status), "\(text)")
        let lines = process.stderr.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
        #expect(lines.map(String.init) == messages.map { "settingsctl: import: \(file), \($0)" }, "\(text)")
        #expect(process.stderr.components(separatedBy: "nothing was changed").count <= 2, "said once: \(process.stderr)")
        #expect(process.stdout == "")
        #expect(try values() == start)
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 1)
    }

    // MARK: What changes

    @Test func onlyTheGivenSettingsChangeInOneTransaction() throws {
        let result = try imports(
            #"{"format": 1, "profile": {"email": "a@example.org"}, "support": {"help": "https://h.example/"}}"#)
        expect(result)
        let added = ["profile.email": "a@example.org", "support.help": "https://h.example/"]
        #expect(try values() == start.merging(added) { $1 })
        let changes = try session.control("log", "--json").stdout.objects()
        #expect(changes.count == 2)
        #expect(changes.last?["values"] as? [String: String] == added)
    }

    @Test func replaceResetsEveryOtherSettingInTheSameTransaction() throws {
        let result = try imports(#"{"profile": {"email": "a@example.org"}, "provider": {"id": "mpd"}}"#, "--replace", "--json")
        #expect(
            result.stdout
                == #"{"revision":2,"values":{"profile.email":"a@example.org","profile.name":"","provider.account":""}}"# + "\n")
        #expect(try values() == ["profile.email": "a@example.org", "provider.id": "mpd"])
        try session.control("undo")
        #expect(try values() == start)
        #expect(try imports("{}", "--replace").status == .exited(0))
        #expect(try values() == ["provider.id": "none"])
    }

    @Test func anExportReadsBackAsItWas() throws {
        let export = try session.control("export").stdout
        try session.control("reset", "--all")
        let result = try session.control("import", "-", input: export)
        expect(result)
        #expect(try values() == start)
        #expect(try session.control("import", "-", "--json", input: export).stdout == #"{"revision":3,"values":{}}"# + "\n")
    }

    @Test func aDocumentIsTakenWithByteOrderMarkAndCarriageReturns() throws {
        let text =
            "\u{FEFF}{\r\n  \"$schema\": \"x\",\r\n  \"format\": 1,\r\n  \"revision\": 99,\r\n  \"profile\": {\"name\": \"Bob\"}\r\n}\r\n"
        #expect(try imports(text).status == .exited(0))
        #expect(try session.control("get", "profile.name", "--json").stdout.contains(#""revision":2,"#))
        #expect(try session.control("get", "profile.name").stdout == "Bob\n")
    }

    @Test(arguments: [[], ["--replace"]])
    func anAccountInTheSameImportStays(options: [String]) throws {
        let file = try session.folder.write(#"{"provider": {"id": "tidal", "account": "a"}}"#, to: "in.json")
        #expect(try session.startControl(["import", file] + options).waitForExit() == .exited(0))
        #expect(try session.control("list", "provider").stdout == "provider.id\tuser\ttidal\nprovider.account\tuser\ta\n")
    }

    @Test func aDryRunSaysWhatWouldChangeAndChangesNothing() throws {
        let text = #"{"profile": {"name": "Bob"}, "provider": {"id": "tidal"}}"#
        #expect(
            try imports(text, "--dry-run").stdout
                == "profile.name\tAda → Bob\nprovider.id\tmpd → tidal\nprovider.account\ta → \"\"\n")
        #expect(
            try imports(text, "--dry-run", "--replace", "--json").stdout
                == #"{"revision":1,"values":{"profile.name":"Bob","provider.account":"","provider.id":"tidal"}}"# + "\n")
        #expect(try imports(text, "--dry-run", "--expect", "7").status == .exited(6))
        let none = try imports(#"{"profile": {"name": "Ada"}}"#, "--dry-run")
        expect(none, stderr: "settingsctl: import: no effective value would change\n")
        #expect(try values() == start)
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 1)
        try refuses(
            #"{"profile": {"email": "x@"}}"#, 4, "line 1, column 23: profile.email: \"x@\" is refused: nothing follows the @",
            options: ["--dry-run"])
    }

    @Test func expectMakesTheChangeOnlyAtThatRevision() throws {
        #expect(try imports(#"{"profile": {"name": "Bob"}}"#, "--expect", "0").status == .exited(6))
        #expect(try values() == start)
        #expect(try imports(#"{"profile": {"name": "Bob"}}"#, "--expect", "1").status == .exited(0))
    }

    // MARK: What is refused

    /// Twelve values, one locked, one invalid.
    private static let twelve = """
        {
          "profile": { "name": "Bob", "email": "EMAIL" },
          "provider": { "id": "tidal", "account": "b" },
          "support": {
            "help": "https://x.example/", "contact": "https://x.example/", "feedback": "https://x.example/",
            "community": "https://x.example/", "terms": "https://x.example/", "privacy": "https://x.example/",
            "imprint": "https://x.example/", "licenses": "https://x.example/"
          }
        }
        """

    @Test func twelveValuesOneLockedOneInvalidAreAllOrNothingNamingBoth() throws {
        let text = Self.twelve.replacingOccurrences(of: "EMAIL", with: "x@")
        let invalid = "line 2, column 40: profile.email: \"x@\" is refused: nothing follows the @"
        let locked =
            "line 6, column 49: support.terms is locked by \(session.folder.path(TestSession.adminLayer)); "
            + "ask whoever administers this machine"
        try refuses(text, 4, invalid, locked)
        try refuses(text, 4, invalid, options: ["--skip-locked"])
        let error = try #require(try imports(text, "--json").stderr.object()["error"] as? [String: String])
        #expect(error["name"] == "org.settingsd.Settings1.Error.InvalidArgument")
        #expect(error["message"]?.contains("profile.email") == true)
        #expect(error["message"]?.contains("support.terms") == true)
        try refuses(text.replacingOccurrences(of: "x@", with: "x@y.example"), 7, locked)
        let rest = try imports(text.replacingOccurrences(of: "x@", with: "x@y.example"), "--skip-locked")
        expect(rest, stderr: "settingsctl: import: support.terms is locked and is left out\n")
        #expect(try values().count == 11)
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 2)
    }

    @Test func aLockedSettingThatHasTheValueAlreadyIsNoFault() throws {
        let caller = try Caller(session)
        try session.folder.write("{}", to: TestSession.adminLayer)
        try caller.ask("Reload")
        try session.control("set", "support.terms", "https://mine.example/")
        try session.folder.write(#"{"locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        try caller.ask("Reload")
        #expect(try imports(#"{"support": {"terms": "https://mine.example/"}}"#).status == .exited(0))
        #expect(try imports(#"{"support": {"terms": "https://new.example/"}}"#).status == .exited(7))
    }

    @Test func everyUnknownNameComesWithItsPlaceAndTheNearestOne() throws {
        try refuses(
            "{\n  \"profil\": {},\n  \"profile\": { \"nmae\": \"x\" },\n  \"zzz\": 1, \"profile.email\": \"x\"\n}", 3,
            "line 2, column 13: there is no setting \"profil\"; did you mean \"profile\"?",
            "line 3, column 24: there is no setting \"profile.nmae\"; did you mean \"profile.name\"?",
            "line 4, column 10: there is no setting \"zzz\"",
            "line 4, column 30: \"profile.email\" is to stand in its section: {\"profile\": {\"email\": …}}")
    }

    @Test func aValueOfAnotherTypeIsRefused() throws {
        try refuses(
            #"{"profile": {"name": 5, "email": null, "avatar": ["x"]}, "provider": "mpd", "support": {"help": {}}}"#, 4,
            "line 1, column 22: profile.name takes a string, not an integer",
            "line 1, column 34: profile.email takes a string; leave the setting out instead of null",
            "line 1, column 50: profile.avatar takes a string, not a list of strings",
            "line 1, column 70: provider is a section and takes an object of settings",
            "line 1, column 97: support.help takes a string, not a dictionary of named values")
    }

    @Test func whatIsNotJSONIsRefusedWithItsPlace() throws {
        try refuses("{\n  \"profile\": {\"name\": \"x\",}\n}", 4, "line 2, column 26: a stray comma before \"}\"; remove it")
        try refuses(
            #"{"profile": {"name": "x", "name": "y"}}"#, 4,
            "line 1, column 27: the key \"name\" was given before at line 1, column 14; give it once")
        for text in ["", "// x\n{}", "[]", "nonsense", "{\"format\": \"1\"}"] {
            let result = try imports(text)
            #expect(result.status == .exited(4), "\(text)")
            #expect(result.stderr.contains("in.json, line 1, column "), "\(text) \(result)")
        }
    }

    @Test func aNewerFormatAndLocksAreRefused() throws {
        try refuses(
            "{\"format\": 2}", 4,
            "line 1, column 12: format 2 is newer than 1, the newest that this version reads; update settingsd")
        try refuses(
            #"{"locked": ["profile.name"]}"#, 4,
            "line 1, column 12: \"locked\" has an effect in an administrator's file only, which settingsctl status names; remove it"
        )
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        let missing = try session.control("import", "/missing.json")
        #expect(missing.status == .exited(1))
        #expect(missing.stderr == "settingsctl: import: cannot read /missing.json: No such file or directory\n")
        #expect(try session.control("import", session.folder.path("home")).status == .exited(1))
        let endless = try session.control("import", "/dev/zero")
        #expect(endless.status == .exited(4))
        #expect(endless.stderr.contains("/dev/zero has more than"))
    }

    @Test func theTwoWaysExcludeEachOther() throws {
        let result = try session.control("import", "-", "--merge", "--replace")
        #expect(result.status == .exited(2))
        #expect(try session.control("import").status == .exited(2))
        #expect(try session.control("import", "-", "--merge", input: "{}").status == .exited(0))
    }

    @Test func whatTheDaemonCannotStoreIsRefusedAsAWhole() throws {
        try session.folder.write("{", to: TestSession.document)
        try eventually("the damage") { try session.control("set", "profile.name", "Eve").status == .exited(8) }
        #expect(try imports(#"{"profile": {"name": "Bob"}}"#).status == .exited(8))
        #expect(try imports(#"{"profile": {"name": "Bob"}}"#, "--dry-run").status == .exited(8))
        #expect(try imports(#"{"profile": {"email": "x@"}}"#).status == .exited(4))
    }
}
