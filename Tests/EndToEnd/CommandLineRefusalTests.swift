import Foundation
import TestSupport
import Testing

/// What is refused: with which error, which exit status, and without any effect.
@Suite(.logsOnFailure) struct CommandLineRefusalTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.folder.write(
            #"{"support": {"terms": "https://admin.example/"}, "locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
    }

    /// What may not change.
    private func state() throws -> [String?] {
        [try session.control("list", "--json").stdout, session.folder.read(TestSession.document)]
    }

    /// A command line with what it is refused with.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let words: [String]
        let name: String
        let status: Int32
        /// What its message says.
        let says: [String]

        init(_ words: [String], _ name: String, _ status: Int32, says: String...) {
            self.words = words
            self.name = name
            self.status = status
            self.says = says
        }

        var testDescription: String { words.map { String($0.prefix(40)) }.joined(separator: " ") }
    }

    /// Who has mistyped two things would mend the one and be told of the other.
    @Test func setNamesEverythingThatIsWrong() throws {
        let result = try session.control(
            "set", "profile.nmae=x", "provider=spotfy", "profile.avatar=file:///a", "profile.email=nobody")
        #expect(result.status == .exited(4), "\(result)")
        let lines = result.stderr.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
        #expect(lines.count == 3, "\(result)")
        for text in ["\"profile.nmae\"", "\"spotify\"", "profile.email"] { #expect(result.stderr.contains(text), "\(result)") }
        try session.install()
        let typed = try session.control(
            "-a", WorldClock.id, "set", "meeting.start=nine", "seconds=perhaps", "scale=0.1", "zones=[\"UTC\"]")
        #expect(typed.status == .exited(4))
        for key in ["meeting.start", "seconds", "scale"] { #expect(typed.stderr.contains(key), "\(typed)") }
        #expect(try session.control("-a", WorldClock.id, "get", "zones").stdout == "[]\n")
    }

    static let refusals: [Refusal] = [
        Refusal(["get", "profile.nmae"], "UnknownKey", 3, says: "did you mean \"profile.name\"?"),
        Refusal(["set", "profile.nmae", "x"], "UnknownKey", 3, says: "profile.name"),
        Refusal(["set", "profile.name=x", "profile.nmae=x"], "UnknownKey", 3, says: "profile.name"),
        Refusal(["reset", "profile.name", "suport.help"], "UnknownKey", 3, says: "support.help"),
        Refusal(["describe", "hlp"], "UnknownKey", 3),
        Refusal(["get", "support"], "UnknownKey", 3, says: "\"support\" is a section; its settings are support.help, "),
        Refusal(["set", "profile", "x"], "UnknownKey", 3, says: "profile.name, profile.email, profile.avatar"),
        Refusal(["list", "suport"], "UnknownKey", 3, says: "support"),
        Refusal(["list", "volume"], "UnknownKey", 3, says: "the sections are profile, provider, support"),
        Refusal(["watch", "profile.nmae"], "UnknownKey", 3, says: "profile.name"),
        Refusal(["log", "profile.nmae"], "UnknownKey", 3, says: "profile.name"),
        Refusal(["open", "hlp"], "UnknownKey", 3, says: "did you mean \"help\"?"),
        Refusal(["set", "provider", "spotfy"], "InvalidValue", 4, says: "did you mean \"spotify\"?"),
        Refusal(["set", "provider", ""], "InvalidValue", 4),
        Refusal(["set", "provider", "custom:-x"], "InvalidValue", 4),
        Refusal(["set", "profile.name=Bob", "profile.email=nobody"], "InvalidValue", 4, says: "profile.email"),
        Refusal(["set", "provider=mpd", "provider.id=mpd"], "InvalidArgument", 4),
        Refusal(["set", "profile.name", String(repeating: "x", count: 101)], "InvalidValue", 4, says: "101", "100"),
        Refusal(["set", "profile.name", String(repeating: "x", count: 70_000)], "TooLarge", 4),
        Refusal(["set", "support.help", "https://e.org/" + String(repeating: "x", count: 70_000)], "TooLarge", 4),
        Refusal(["set", "support.help", "javascript:alert(1)"], "InvalidValue", 4, says: "javascript", "https:"),
        Refusal(["dispatch", "SelectProvder", "provider=mpd"], "UnknownAction", 3, says: "SelectProvider"),
        Refusal(["dispatch", "SelectProvider"], "InvalidArgument", 4, says: "provider"),
        Refusal(["dispatch", "SelectProvider", "providr=mpd"], "InvalidArgument", 4, says: "did you mean \"provider\"?"),
        Refusal(
            ["dispatch", "SetValues", #"values={"profile.name":5}"#], "InvalidValue", 4,
            says: "profile.name takes a string, not an integer"),
        Refusal(["dispatch", "SetValues", "values=profile.name"], "InvalidArgument", 4, says: "JSON"),
        Refusal(["dispatch", "SetValues", "values=[]"], "InvalidArgument", 4, says: "JSON"),
        Refusal(["dispatch", "SetValues", #"values={"profile.name":null}"#], "InvalidValue", 4, says: "a string, found null"),
        Refusal(["dispatch", "ResetValues", "keys=[1]"], "InvalidArgument", 4, says: "keys, item 1, takes a string"),
        Refusal(["dispatch", "LinkAccount", "account=a"], "InvalidArgument", 4, says: "provider"),
        Refusal(["dispatch", "SetSupportLink", "link=hlp", "url="], "UnknownKey", 3, says: "did you mean \"help\"?"),
        Refusal(["open", "help"], "InvalidArgument", 4, says: "support.help"),
        Refusal(["set", "support.terms", "https://e.org/"], "Locked", 7, says: "settings.json"),
        Refusal(["set", "profile.name=x", "support.terms=https://e.org/"], "Locked", 7, says: "support.terms"),
        Refusal(["set", "profile.name", "x", "--expect", "7"], "Conflict", 6, says: "7", "1"),
        Refusal(["redo"], "NothingToUndo", 1),
    ]

    @Test(arguments: refusals) func aRefusedCommandSaysWhyAndChangesNothing(refusal: Refusal) throws {
        let before = try state()
        let process = try session.startControl(refusal.words)
        #expect(try process.waitForExit() == .exited(refusal.status))
        #expect(process.stdout == "")
        #expect(process.stderr.hasPrefix("settingsctl: \(refusal.words[0]): "))
        for text in refusal.says { #expect(process.stderr.contains(text), "\(process.stderr)") }

        let programs = try session.startControl(refusal.words + ["--json"])
        #expect(try programs.waitForExit() == .exited(refusal.status))
        #expect(programs.stdout == "")
        let error = try #require(try programs.stderr.object()["error"] as? [String: String])
        #expect(Set(error.keys) == ["name", "message"])
        #expect(error["name"] == "org.settingsd.Settings1.Error.\(refusal.name)")
        #expect(process.stderr.hasPrefix("settingsctl: \(refusal.words[0]): \(error["message"] ?? "?")\n"))
        #expect(try state() == before)
    }

    @Test func quietLeavesHintsOut() throws {
        let loud = try session.control("set", "provider", "spotfy")
        let quiet = try session.control("set", "provider", "spotfy", "-q")
        #expect(quiet.stderr.split(separator: "\n").count == 1)
        #expect(loud.stderr == quiet.stderr + "hint: settingsctl describe provider.id lists the choices\n")
    }

    /// A refusal that somebody at a command line can do something about says with which command.
    @Test(arguments: [
        (["dispatch", "LinkAccount", "account=a"], "select a provider first: settingsctl set provider spotify"),
        (["open", "privacy"], "to give it a value: settingsctl set support.privacy URL"),
        (["dispatch", "OpenSupportLink", "link=help"], "to give it a value: settingsctl set support.help URL"),
        (["set", "profile.name=x", "provider=myspace"], "settingsctl describe provider.id lists the choices"),
        (["dispatch", "SelectProvider", "provider=myspace"], "settingsctl describe provider.id lists the choices"),
        (["dispatch", "SetValues", #"values={"provider":"x"}"#], "settingsctl describe provider.id lists the choices"),
        (["set", "provider", "=", "spotify"], "write provider=spotify, without spaces around ="),
        (["set", "provider=", "spotify"], "write provider=spotify, without spaces around ="),
        (["set", "profile.name", "=", "Ada King"], "write 'profile.name=Ada King', without spaces around ="),
        (["set", "profile.name=Ada", "Lovelace"], "quote a value of several words: 'profile.name=Ada Lovelace'"),
        (
            ["set", "provider=mpd", "profile.name=Ada", "King", "of", "x=y"],
            "quote a value of several words: 'profile.name=Ada King of'"
        ),
        (
            ["set", "provider", "none", "provider.account", "zed"],
            "for several settings write KEY=VALUE…: settingsctl set provider=none provider.account=zed"
        ),
        (["get", "provider", "profile.name"], "for several: settingsctl list provider profile.name"),
    ])
    func whatToDoIsSaidAsACommand(words: [String], hint: String) throws {
        let before = try state()
        let result = try session.startControl(words).result()
        #expect(result.stderr.hasSuffix("\nhint: \(hint)\n"), "\(result)")
        #expect(try state() == before)
    }

    /// Where the message says it all, nothing is added.
    @Test(arguments: [
        ["get", "profile.nmae"], ["get", "volume"], ["describe", "support"], ["set", "profile.email", "x"],
        ["dispatch", "LinkAccount"], ["open", "hlp"],
    ])
    func aMessageThatSaysItAllHasNoHint(words: [String]) throws {
        #expect(try !session.startControl(words).result().stderr.contains("hint: "))
    }

    @Test(arguments: [
        (["set"], "KEY is missing"), (["set", "profile.name"], "VALUE is missing"),
        (["set", "profile.name", "Ada", "Lovelace"], "set profile.name 'Ada Lovelace'"),
        (["set", "profile.name", "Ada", "provider=mpd"], "KEY=VALUE"), (["set", "profile.name=Ada", "x"], "KEY=VALUE"),
        (["set", "profile.name=a", "profile.name=b"], "given twice"), (["set", "=x"], "KEY=VALUE"), (["get"], "KEY is missing"),
        (["get", "a", "b"], "unexpected argument \"b\""), (["reset"], "--all"), (["reset", "--all", "provider"], "--all"),
        (["dispatch"], "ACTION is missing"), (["dispatch", "SelectProvider", "mpd"], "did you mean provider=mpd?"),
        (["dispatch", "SetSupportLink", "link=a", "link=b"], "given twice"), (["undo", "2"], "unexpected argument"),
        (["frobnicate"], "there is no command"), (["get", "profile.name", "--exec", "x"], "watch has --exec, get has not"),
        (["--timeout", "never", "get", "profile.name"], "--timeout"), (["set", "profile.name", "-x"], "put -- before it"),
        (["help", "gte"], "did you mean \"get\"?"), (["log", "-n", "x"], "-n takes a whole number"),
        (["reset", "--al"], "did you mean --all?"),
    ])
    func aWrongCommandLineIsStatusTwoAndChangesNothing(words: [String], text: String) throws {
        let before = try state()
        let process = try session.startControl(words)
        #expect(try process.waitForExit() == .exited(2))
        #expect(process.stdout == "")
        #expect(process.stderr.hasPrefix("settingsctl: "))
        #expect(process.stderr.contains(text), "\(process.stderr)")
        let programs = try session.startControl(["--json"] + words)
        #expect(try programs.waitForExit() == .exited(2))
        #expect((try programs.stderr.object()["error"] as? [String: String])?["name"] == "Usage")
        #expect(try state() == before)
    }

    @Test(arguments: [#"set profile.name $'\xff'"#, #"set $'profile.\xc3' x"#, #"get --timeout $'\xe2\x82' x"#])
    func textThatIsNotUTF8IsAWrongCommandLineThatSaysSo(line: String) throws {
        let before = try state()
        let result = try session.shell("settingsctl \(line)")
        #expect(result.status == .exited(2))
        #expect(result.stderr.contains("is not valid UTF-8"))
        #expect(try state() == before)
    }

    @Test func aDamagedDocumentIsStatusEightWithThePositionAndStaysAsItIs() throws {
        let text = #"{"format": 1, "profile": {"name": "Bob",}}"#
        try session.folder.write(text, to: TestSession.document)
        try eventually("the damage") { try session.control("set", "profile.name", "Eve").status == .exited(8) }
        let result = try session.control("set", "profile.name", "Eve")
        #expect(result.stderr.contains("1") && result.stderr.contains(TestSession.document.split(separator: "/").last ?? "?"))
        #expect(result.stderr.contains("hint: nothing is overwritten until the file is mended"))
        #expect(session.folder.read(TestSession.document) == text)
        #expect(try session.control("get", "profile.name").stdout == "Ada\n")
    }

    @Test func aDocumentThatMayNotBeWrittenIsStatusSevenNamingIt() throws {
        let document = session.folder.path(TestSession.document)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: document)
        let result = try session.control("set", "profile.name", "Eve")
        #expect(result.status == .exited(7))
        #expect(result.stderr.contains(document))
        #expect(try session.control("get", "profile.name").stdout == "Ada\n")
    }

    @Test func outputThatCannotBeWrittenIsAFailure() throws {
        let full = try session.shell("settingsctl list > /dev/full")
        #expect(full.status == .exited(1))
        #expect(full.stderr.contains("No space left on device"))
        let closed = try session.shell("settingsctl get profile.name >&-")
        #expect(closed.status == .exited(1))
        #expect(closed.stderr.contains("standard output"))
    }

    @Test func withoutStandardStreamsAChangeIsMade() throws {
        #expect(try session.shell("settingsctl set profile.name Bo <&- >&- 2>&-").status == .exited(0))
        #expect(try session.control("get", "profile.name").stdout == "Bo\n")
    }

    @Test func aReaderThatGoesEndsTheCommandQuietly() throws {
        for signal in ["default", "ignored"] {
            // Where SIGPIPE is ignored, as some parents leave it, the write fails instead.
            let trap = signal == "ignored" ? "trap '' PIPE; " : ""
            let result = try session.shell(trap + "exec 3> >(true); wait $!; settingsctl help >&3; echo $?")
            #expect(result.stdout == (signal == "ignored" ? "0\n" : "141\n"))
            #expect(result.stderr == "")
        }
    }
}
