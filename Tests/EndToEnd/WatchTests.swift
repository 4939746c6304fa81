import Foundation
import TestSupport
import Testing

/// `settingsctl watch` while nothing is restarted.
@Suite(.logsOnFailure) struct WatchTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
    }

    /// Starts a watch and waits for its snapshot.
    private func watch(_ arguments: String...) throws -> RunningProcess {
        let watch = try session.startControl(["watch"] + arguments)
        try watch.waitForOutput("\n")
        return watch
    }

    @Test func linesTellTheValuesAndThenEachChange() throws {
        let watch = try watch("provider", "provider.account", "profile.name")
        try session.control("set", "profile.email", "ada@example.org")
        try session.control("set", "provider=spotify", "provider.account=ada")
        try session.control("set", "provider", "mpd")
        try watch.waitForOutput("mpd\nprovider.account\tada → \"\"\n")
        #expect(
            watch.stdout == """
                profile.name\tAda
                provider.id\tnone
                provider.account\t
                provider.id\tnone → spotify
                provider.account\t"" → ada
                provider.id\tspotify → mpd
                provider.account\tada → ""

                """)
        #expect(watch.stderr == "")
    }

    @Test func aTerminalShowsATableAndTheTimeOfEachChange() throws {
        let watch = try session.startShell("script -qec 'TERM=dumb settingsctl watch profile.name provider.account' /dev/null")
        try watch.waitForOutput("provider.account\r\n")
        try session.control("set", "profile.name", "Bob")
        try watch.waitForOutput("Ada → Bob\r\n")
        let lines = watch.stdout.split(whereSeparator: \.isNewline)
        #expect(lines[..<2] == ["profile.name      Ada", "provider.account"])
        #expect(try #/\d\d:\d\d:\d\d  profile.name      Ada → Bob/#.wholeMatch(in: lines[2]) != nil, "\(lines[2])")
    }

    @Test func whatIsWrongWithTheFilesIsToldToPeopleAsItComesAndGoes() throws {
        let watches = [try watch("profile.name"), try watch("profile.name", "--json")]
        try session.folder.write("{ \"format\": 1,", to: TestSession.document)
        try watches[0].waitForLog(
            "settingsctl: watch: \(session.folder.path(TestSession.document)) is damaged: line 1, column 15")
        try session.folder.write("{ \"format\": 1, \"profile\": { \"name\": \"Bob\" } }", to: TestSession.document)
        try watches[0].waitForLog("settingsctl: watch: nothing is wrong any more\n")
        try watches[1].waitForOutput("\"revision\":2")
        #expect(watches[0].stdout == "profile.name\tAda\nprofile.name\tAda → Bob\n")
        // Programs ask for the status.
        #expect(watches[1].stderr == "")
    }

    @Test func objectsTellTheSnapshotAndThenEachChange() throws {
        let watch = try watch("--json")
        try session.control("dispatch", "UpdateProfile", "name=Bob", "email=bob@example.org")
        try session.control("set", "provider", "none")
        try watch.waitForOutput("\"revision\":3")
        let events = try watch.stdout.objects()
        #expect(events.map { $0["event"] as? String } == ["snapshot", "changed", "changed"])
        #expect(events.map { $0["revision"] as? Int } == [1, 2, 3])
        #expect(Set(events[0].keys) == ["event", "revision", "values"])
        #expect((events[0]["values"] as? [String: String])?.count == 13)
        let change = events[1]
        #expect(
            Set(change.keys) == ["event", "revision", "values", "previous", "actions", "origin", "application", "time"])
        #expect(change["values"] as? [String: String] == ["profile.name": "Bob", "profile.email": "bob@example.org"])
        #expect(change["previous"] as? [String: String] == ["profile.name": "Ada", "profile.email": ""])
        #expect(change["actions"] as? [String] == ["UpdateProfile"])
        #expect(change["origin"] as? String == "bus")
        #expect(change["application"] as? String == "settingsctl")
        #expect(abs((change["time"] as? Double ?? 0) / 1e6 - Date().timeIntervalSince1970) < 60)
        // The default, made the user's own.
        #expect(events[2]["values"] as? [String: String] == [:])
    }

    @Test func onlyTheKeysThatWereAskedForAreTold() throws {
        let watch = try watch("profile.name", "--json")
        try session.control("set", "profile.email", "ada@example.org")
        try session.control("set", "support.help", "https://e.org/")
        try session.control("open", "help", "--print")
        try session.control("set", "profile.name=Bob", "provider=mpd")
        try watch.waitForOutput("Bob")
        let events = try watch.stdout.objects()
        #expect(events.count == 2)
        #expect(events[0]["values"] as? [String: String] == ["profile.name": "Ada"])
        #expect(events[1]["values"] as? [String: String] == ["profile.name": "Bob"])
        #expect(events[1]["previous"] as? [String: String] == ["profile.name": "Ada"])
    }

    @Test func anEditOfTheDocumentByHandIsTold() throws {
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        let watch = try watch("--json")
        let text = try #require(session.folder.read(TestSession.document))
        try session.folder.write(text.replacingOccurrences(of: "Ada", with: "Eve"), to: TestSession.document)
        try watch.waitForOutput("Eve")
        let change = try #require(try watch.stdout.objects().last)
        #expect(change["origin"] as? String == "file")
        #expect(change["application"] as? String == "")
        #expect(change["actions"] as? [String] == [])
    }

    @Test func aPipeGetsEachLineAtOnce() throws {
        let shell = try session.startShell(
            "settingsctl watch profile.name | while IFS= read -r line; do echo \"got $line\"; done")
        try shell.waitForOutput("got profile.name\tAda\n")
        try session.control("set", "profile.name", "Bob")
        try shell.waitForOutput("got profile.name\tAda → Bob\n")
        try session.control("set", "profile.name", "Eve")
        try shell.waitForOutput("got profile.name\tBob → Eve\n")
        try daemon.end()
        // The shell ends with its reader; the watch is found by its parent.
        let watch = try session.shell("pkill -TERM -P \(shell.pid) settingsctl")
        #expect(watch.status == .exited(0))
        try shell.waitForExit()
    }

    @Test func aReaderThatTakesOneLineEndsTheWatchQuietly() throws {
        for arguments in ["", "--json", "profile.name"] {
            let result = try session.shell("settingsctl watch \(arguments) | head -1; echo ${PIPESTATUS[0]}")
            let status = result.stdout.split(separator: "\n").last
            #expect(status == "0" || status == "141")
            #expect(result.stdout.split(separator: "\n").count == 2)
            #expect(result.stderr == "")
        }
    }

    @Test func controlCEndsTheWatchQuietly() throws {
        let watch = try watch()
        #expect(try watch.end(SIGINT) == .signalled(SIGINT))
        #expect(watch.stderr == "")
    }

    // MARK: --exec

    @Test func execRunsACommandForEachEventInOrderWithTheObjectOnItsInput() throws {
        let file = session.folder.path("events")
        let watch = try watch("profile.name", "--json", "--exec", "cat >>'\(file)'")
        for name in 1...20 { try session.control("set", "profile.name", "\(name)") }
        try eventually("all events") { session.folder.read("events")?.contains(#""revision":21"#) == true }
        let told = watch.stdout.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
        #expect(session.folder.read("events") == told)
        #expect(try told.objects().map { ($0["values"] as? [String: String])?["profile.name"] } == (1...20).map { "\($0)" })
    }

    @Test func execRunsOneCommandAtATime() throws {
        let lock = session.folder.path("lock")
        let command = "mkdir '\(lock)' || exit 9; sleep 0.05; rmdir '\(lock)'; echo done"
        let watch = try watch("profile.name", "--exec", command)
        for name in 1...5 { try session.control("set", "profile.name", "\(name)") }
        try eventually("the commands") { watch.stdout.split(separator: "\n").filter { $0 == "done" }.count == 5 }
        #expect(watch.stderr == "")
    }

    @Test func aCommandThatFailsIsReportedAndTheWatchGoesOn() throws {
        let watch = try watch("profile.name", "--exec", "exit 7")
        try session.control("set", "profile.name", "Bob")
        try watch.waitForLog("settingsctl: watch: \"exit 7\" has ended with exit status 7\n")
        try session.control("set", "profile.name", "Eve")
        try watch.waitForOutput("Bob → Eve\n")
        try eventually("the second report") { watch.stderr.split(separator: "\n").count == 2 }
        let killed = try self.watch("profile.name", "--json", "--exec", "kill -9 $$")
        try session.control("set", "profile.name", "Bob")
        try killed.waitForLog("signal 9")
        #expect(try killed.stderr.object()["error"] is [String: String])
    }

    @Test func aCommandMayLeaveItsInputUnread() throws {
        try session.control("set", "support.help", "https://e.org/" + String(repeating: "x", count: 60_000))
        let watch = try watch("support.help", "--exec", "true")
        for name in 1...3 {
            try session.control("set", "support.help", "https://e.org/\(name)" + String(repeating: "y", count: 60_000))
        }
        try watch.waitForOutput("→ https://e.org/3y")
        try session.control("set", "support.help", "")
        try watch.waitForOutput("→ \"\"\n")
        #expect(watch.stderr == "")
    }

    @Test func aCommandHasNoSignalBlockedOrIgnored() throws {
        let watch = try watch("profile.name", "--exec", "grep -E '^Sig(Blk|Ign)' /proc/self/status")
        try session.control("set", "profile.name", "Bob")
        try watch.waitForOutput("SigIgn")
        let masks = watch.stdout.split(separator: "\n").filter { $0.hasPrefix("Sig") }.map {
            $0.split(separator: "\t").last ?? ""
        }
        // The signals above 31 are the C library's own.
        #expect(masks.map { (UInt64($0, radix: 16) ?? .max) & 0x7FFF_FFFF } == [0, 0])
    }
}
