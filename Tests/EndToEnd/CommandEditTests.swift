import Foundation
import TestSupport
import Testing

/// `edit`, with editors that are scripts.
@Suite(.logsOnFailure) struct CommandEditTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.folder.write(#"{"locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        daemon = try session.startDaemon()
        try session.control("set", "profile.name=Ada", "provider=mpd", "provider.account=a")
    }

    /// Runs `edit` with a command as the editor.
    private func edit(
        _ editor: String, _ options: String..., environment changes: [String: String] = [:]
    ) throws -> CommandResult {
        let environment = try session.shellEnvironment().merging(["EDITOR": editor]) { $1 }
        return try session.startControl(["edit", "-q"] + options, environment: environment.merging(changes) { $1 }).result()
    }

    /// A script as the editor, which gets the copy as $1.
    private func script(_ text: String) throws -> String {
        "'\(try session.folder.program("#!/bin/bash\nset -e\n" + text + "\n", to: "editor \(UUID().uuidString)"))'"
    }

    private func replacing(_ old: String, _ new: String) throws -> String {
        try script("sed -i 's|\(old)|\(new)|' \"$1\"")
    }

    private func value(_ key: String) throws -> String { String(try session.control("get", key).stdout.dropLast()) }

    private func revision() throws -> Int? { try session.object(["status", "--json"])["revision"] as? Int }

    /// The copies that are there.
    private func copies() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: session.folder.path("run"))
        return names.filter { $0.hasPrefix("settingsctl-") }.map { "run/\($0)/settings.json" }
    }

    // MARK: The copy

    @Test func theEditorGetsAPrivateCopyOfTheUsersValues() throws {
        let seen = session.folder.path("seen")
        let result = try edit(try script("cat \"$1\" >\(seen); stat -c '%a %u' \"$1\" \"$(dirname \"$1\")\" >>\(seen)"))
        expect(result)
        #expect(session.folder.read("seen") == (try session.control("export").stdout) + "600 \(geteuid())\n700 \(geteuid())\n")
        #expect(try copies() == [])
    }

    @Test func withoutARuntimeFolderTheCopyIsInATemporaryOne() throws {
        let seen = session.folder.path("seen")
        let editor = try script("echo \"$1\" >\(seen)")
        expect(try edit(editor, environment: ["XDG_RUNTIME_DIR": "", "TMPDIR": session.folder.path("etc")]))
        let path = try #require(session.folder.read("seen"))
        #expect(path.hasPrefix(session.folder.path("etc/settingsctl-")))
        #expect(!FileManager.default.fileExists(atPath: String(path.dropLast())))
    }

    @Test func whatAnEditorLeavesBesideTheCopyGoesWithIt() throws {
        expect(try edit(try script("touch \"$1~\" \"$(dirname \"$1\")/.settings.json.swp\"")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path("run")) == [])
    }

    @Test func theEditorIsVisualElseEditorElseOneThatIsThere() throws {
        let visual = try replacing("Ada", "Visual")
        expect(try edit("false", environment: ["VISUAL": visual]), stdout: "profile.name\tAda → Visual\n")
        let editor = try replacing("Visual", "Editor")
        expect(try edit(editor, environment: ["VISUAL": ""]), stdout: "profile.name\tVisual → Editor\n")
        let programs = try session.folder.folder("bin")
        for name in ["sh", "sed"] {
            try FileManager.default.createSymbolicLink(atPath: "\(programs)/\(name)", withDestinationPath: "/bin/\(name)")
        }
        for (name, old) in [("vi", "Editor"), ("nano", "vi"), ("sensible-editor", "nano")] {
            try session.folder.program("#!/bin/sh\nsed -i 's/\"\(old)\"/\"\(name)\"/' \"$1\"\n", to: "bin/\(name)")
            expect(try edit("", environment: ["PATH": programs]), stdout: "profile.name\t\(old) → \(name)\n")
        }
        let none = try edit("", environment: ["PATH": session.folder.path("etc")])
        #expect(none.stderr == "settingsctl: edit: no editor was found\n")
    }

    @Test func theEditorMayHaveArguments() throws {
        expect(try edit("sed -i -e 's/\"Ada\"/\"Ada B\"/'"), stdout: "profile.name\tAda → Ada B\n")
        expect(try edit("sed -i s/B/C/ \"$@\"; true"), stdout: "profile.name\tAda B → Ada C\n")
    }

    // MARK: What changes

    @Test func anUnchangedCopyChangesNothing() throws {
        let quiet = try edit("true")
        expect(quiet)
        let result = try session.control("edit", environment: ["EDITOR": "true"])
        #expect(result.stderr.hasSuffix("settingsctl: edit: nothing was changed\n"))
        expect(try edit(try script("echo >>\"$1\"")))
        expect(try edit("true", "--json"), stdout: #"{"revision":1,"values":{}}"# + "\n")
        #expect(try revision() == 1)
        #expect(try copies() == [])
    }

    @Test func allDifferencesAreOneTransaction() throws {
        let text = #"{"profile": {"name": "Bob", "email": "b@example.org"}, "provider": {"account": "b"}}"#
        let file = try session.folder.write(text, to: "new.json")
        expect(
            try edit("cp \(file)", "--json"),
            stdout: #"{"revision":2,"values":{"profile.email":"b@example.org","profile.name":"Bob","provider.account":"b","#
                + #""provider.id":"none"}}"# + "\n")
        #expect(try session.control("log", "--json").stdout.objects().count == 2)
        try session.folder.write("{}", to: "new.json")
        #expect(try edit("cp \(file)").status == .exited(0))
        #expect(try session.control("export").stdout == "{\n  \"format\": 1\n}\n")
        #expect(try copies() == [])
    }

    @Test func aChangeOfTheProviderAloneResetsTheAccount() throws {
        expect(
            try edit(try replacing("mpd", "tidal")), stdout: "provider.id\tmpd → tidal\nprovider.account\ta → \"\"\n")
    }

    @Test func changesOfOthersMeanwhileStay() throws {
        let editor = try script("settingsctl set profile.email=o@example.org; sed -i s/Ada/Bob/ \"$1\"")
        expect(try edit(editor), stdout: "profile.name\tAda → Bob\n")
        #expect(try value("profile.email") == "o@example.org")
        let same = try script("settingsctl set profile.name=Eve; sed -i s/Bob/Eve/ \"$1\"")
        expect(try edit(same))
        #expect(try revision() == 4)
    }

    @Test func twoChangesOfOneSettingAreAConflictAndTheCopyIsKept() throws {
        let editor = try script("settingsctl set profile.name=Theirs; sed -i s/Ada/Mine/ \"$1\"")
        let result = try edit(editor)
        let copy = try #require(try copies().first)
        expect(
            result, 6,
            stderr: """
                settingsctl: edit: nothing was changed: somebody else has changed the same settings meanwhile: \
                profile.name (theirs: "Theirs", yours: "Mine")
                settingsctl: edit: what you have written is in \(session.folder.path(copy))

                """)
        #expect(session.folder.read(copy)?.contains("Mine") == true)
        #expect(try value("profile.name") == "Theirs")
        let reset = try edit(try script("settingsctl set provider.account=theirs; sed -i '/account/d; s/mpd\",/mpd\"/' \"$1\""))
        #expect(reset.status == .exited(6))
        #expect(reset.stderr.contains("provider.account (theirs: \"theirs\", yours: none)"))
    }

    @Test func expectHoldsForBeforeAndAfter() throws {
        let never = try edit("touch \(session.folder.path("ran")); true", "--expect", "0")
        #expect(never.status == .exited(6))
        #expect(session.folder.read("ran") == nil)
        let moved = try script("settingsctl set profile.email=o@example.org; sed -i s/Ada/Bob/ \"$1\"")
        #expect(try edit(moved, "--expect", "1").status == .exited(6))
        #expect(try value("profile.name") == "Ada")
        #expect(try edit(try replacing("Ada", "Bob"), "--expect", "2").status == .exited(0))
    }

    @Test func theTimeForEditingDoesNotCount() throws {
        expect(
            try edit(try script("sleep 0.6; sed -i s/Ada/Bob/ \"$1\""), "--timeout", "0.5"),
            stdout: "profile.name\tAda → Bob\n")
    }

    // MARK: What is refused

    @Test(arguments: [
        ("Ada", "x\\\\u0001y", 4, "line 4, column 13: profile.name: \"x\\u{01}y\" is refused"),
        ("\"Ada\"", "\"Ada\",", 4, "line 4, column 18: a stray comma"),
        ("\"name\"", "\"nmae\"", 3, "line 4, column 13: there is no setting \"profile.nmae\"; did you mean \"profile.name\"?"),
        ("\"profile\"", "\"support\": {\"terms\": \"https://t.example/\"}, \"profile\"", 7, "support.terms is locked by "),
    ])
    func whatIsRefusedIsNamedAndTheCopyKept(old: String, new: String, status: Int32, message: String) throws {
        let result = try edit(try replacing(old, new))
        let copy = try #require(try copies().first)
        #expect(result.status == .exited(status))
        #expect(result.stderr.contains(message), "\(result)")
        #expect(result.stderr.contains("what you have written is in \(session.folder.path(copy))"))
        #expect(try revision() == 1)
        let json = try edit(try replacing(old, new), "--json")
        let error = try #require(try json.stderr.object()["error"] as? [String: String])
        #expect(error["message"]?.contains("what you have written is in ") == true)
    }

    @Test func anEditorThatFailsChangesNothing() throws {
        for (editor, sentence) in [
            ("false", "false has ended with exit status 1"),
            ("no-such-editor", "no-such-editor has ended with exit status 127"),
            ("exec bash -c 'kill -9 $$'; true", "exec bash -c 'kill -9 $$'; true was ended by signal 9"),
        ] {
            let result = try edit(editor)
            #expect(result.status == .exited(1))
            #expect(result.stderr.hasSuffix("settingsctl: edit: \(sentence); nothing was changed\n"), "\(result)")
            #expect(try copies() == [])
        }
        let written = try edit(try script("sed -i s/Ada/Bob/ \"$1\"; exit 1"))
        #expect(written.status == .exited(1))
        #expect(try copies().count == 1)
        #expect(try revision() == 1)
    }

    @Test func aCopyThatIsGoneChangesNothing() throws {
        let result = try edit("rm")
        #expect(result.status == .exited(1))
        #expect(result.stderr.hasPrefix("settingsctl: edit: cannot read "))
        #expect(try revision() == 1)
        #expect(try copies() == [])
    }

    @Test func whatCannotBeStoredKeepsTheCopy() throws {
        let editor = try script("echo '{' >\(session.folder.path(TestSession.document)); sed -i s/Ada/Bob/ \"$1\"")
        let result = try edit(editor)
        #expect(result.status == .exited(8))
        #expect(try copies().count == 1)
    }

    /// As under sudo, where it would leave files that their owner cannot read.
    @Test(.enabled(if: geteuid() == 0)) func filesOfAnotherAccountAreLeftAlone() throws {
        let config = session.folder.path("home/.config")
        // The document follows the answer.
        try eventually("the folder") { chown(config, 65534, 65534) == 0 }
        let result = try edit("touch \(session.folder.path("ran")); true")
        #expect(result.status == .exited(7))
        #expect(result.stderr.contains("\(config) belongs to uid 65534, but this process runs as uid 0"))
        #expect(session.folder.read("ran") == nil)
        chown(config, 0, 0)
    }

    // MARK: On a terminal

    /// Runs `edit` on a terminal at which somebody types.
    private func terminal(_ editor: String, typing lines: String) throws -> CommandResult {
        let environment = try session.shellEnvironment().merging(["EDITOR": editor, "TERM": "xterm"]) { $1 }
        return try RunningProcess(
            "script", ["-qec", "exec settingsctl edit", "/dev/null"], environment: environment, input: lines
        ).result()
    }

    @Test func onATerminalAFaultMayBeMendedOrAbandoned() throws {
        let rounds = session.folder.path("rounds")
        let editor = try script(
            """
            echo >>\(rounds)
            case $(wc -l <\(rounds)) in
                1 | 3) sed -i 's/"name": "\\(.*\\)"/"name": "\\1",/' "$1" ;;
                2) sed -i 's/"Ada",/"Bob"/' "$1" ;;
            esac
            """)
        let mended = try terminal(editor, typing: "what\ne\n")
        #expect(mended.status == .exited(0), "\(mended)")
        #expect(mended.stdout.contains("a stray comma"))
        #expect(mended.stdout.contains("profile.name  Ada → Bob"))
        #expect(try copies() == [])
        let abandoned = try terminal(editor, typing: "a\n")
        #expect(abandoned.status == .exited(4))
        #expect(abandoned.stdout.contains("settingsctl: edit: abandoned; nothing was changed"))
        #expect(try copies() == [])
        #expect(try revision() == 2)
    }

    /// The terminal sends signals to the whole group of processes in its foreground.
    @Test func theEditorHasTheTerminalAndItsKeys() throws {
        let editor = try script("test -t 0; test -t 1; trap : INT; kill -INT 0; sed -i s/Ada/Bob/ \"$1\"")
        let result = try terminal(editor, typing: "")
        #expect(result.status == .exited(0), "\(result)")
        #expect(try value("profile.name") == "Bob")
    }
}
