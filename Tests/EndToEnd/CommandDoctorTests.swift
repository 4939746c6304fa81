import Foundation
import TestSupport
import Testing

/// `doctor`: what it finds, and what it repairs, with a daemon and without.
@Suite(.logsOnFailure) struct CommandDoctorTests {
    let session: TestSession
    let document: String
    let state: String

    init() throws {
        session = try TestSession(activatable: true)
        document = session.folder.path(TestSession.document)
        state = session.folder.path("home/.local/state/settingsd")
    }

    /// Runs a daemon that stores two values and ends in order.
    private func storeAndEnd() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name=Ada", "provider=mpd")
        #expect(try daemon.end() == .exited(0))
    }

    private func problems(_ options: String...) throws -> [String] {
        let process = try session.startControl(["doctor", "--json"] + options)
        let status = try process.waitForExit()
        let problems = try #require(try process.stdout.object()["problems"] as? [[String: String]])
        #expect(status == .exited(problems.isEmpty ? 0 : 1))
        return problems.map { "\($0["area"] ?? "") \($0["message"] ?? "")" }
    }

    // MARK: Well

    @Test func whereAllIsWellItSaysSo() throws {
        expect(try session.control("doctor"), stderr: "settingsctl: doctor: all is well\n")
        expect(try session.control("doctor", "-q"))
        try session.control("set", "profile.name", "Ada")
        expect(try session.control("doctor", "--repair", "-q"))
        expect(
            try session.control("doctor", "--json", "-q"), stdout: #"{"problems":[],"repaired":[]}"# + "\n")
    }

    @Test func itStartsNoDaemonWhenToldNotTo() throws {
        let result = try session.control("doctor", "--no-start")
        #expect(result.status == .exited(0))
        #expect(result.stderr.contains("the files are looked at without the daemon\n"))
        #expect(result.stderr.hasSuffix("settingsctl: doctor: all is well\n"))
        #expect(!FileManager.default.fileExists(atPath: state))
        try session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
    }

    // MARK: Repair

    @Test(arguments: ["", "{\"profile\": {\"name\": \"Bob\",}}", "{\"profile\": {\"na"])
    func aRunningDaemonGoesOnAfterARepair(damage: String) throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name=Ada", "provider=mpd")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("mpd") == true }
        let good = try #require(session.folder.read(TestSession.document))
        try session.folder.write(damage, to: TestSession.document)
        #expect(try session.control("set", "profile.name", "Eve").status == .exited(8))
        let found = try problems()
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("document \(document) is damaged: line 1, column "), "\(found)")
        #expect(found[0].contains("settingsctl doctor --repair"))
        #expect(session.folder.read(TestSession.document) == damage)
        let repair = try session.control("doctor", "--repair")
        expect(
            repair,
            stdout: "repaired\tmoved the damaged document to \(document).damaged-1 and wrote a good one from the journal to "
                + "\(document)\n", stderr: "settingsctl: doctor: all is well now\n")
        #expect(session.folder.read(TestSession.document + ".damaged-1") == damage)
        #expect(session.folder.read(TestSession.document) == good)
        #expect(daemon.isRunning)
        expect(try session.control("set", "profile.name", "Eve"))
        #expect(try session.control("get", "provider").stdout == "mpd\n")
        #expect(try problems() == [])
    }

    @Test func aRepairNeedsNoDaemonAndNoBus() throws {
        try storeAndEnd()
        let good = try #require(session.folder.read(TestSession.document))
        for (number, address) in [(1, session.bus.address), (2, "unix:path=/nowhere")] {
            try session.folder.write("{", to: TestSession.document)
            let repair = try session.control(
                "doctor", "--repair", "--json", "--no-start", environment: ["DBUS_SESSION_BUS_ADDRESS": address])
            #expect(repair.status == .exited(0), "\(repair)")
            let repaired = try #require(try repair.stdout.object()["repaired"] as? [String])
            #expect(repaired.count == 1)
            #expect(repaired.first?.contains("\(document).damaged-\(number)") == true)
            #expect(session.folder.read(TestSession.document) == good)
        }
        #expect(
            try session.control("list", "profile.name", "provider.id").stdout
                == "profile.name\tuser\tAda\nprovider.id\tuser\tmpd\n")
        #expect(try session.control("log", "--json").stdout.objects().count == 1)
    }

    @Test func aDamagedLineOfTheJournalIsPutAside() throws {
        let daemon = try session.startDaemon()
        for name in ["Ada", "Bob", "Eve"] { try session.control("set", "profile.name", name) }
        try daemon.end()
        let text = try #require(session.folder.read(TestSession.journal))
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = try #require(lines.firstIndex { $0.contains("Bob") })
        lines[place] = "{"
        let damaged = lines.joined(separator: "\n")
        try session.folder.write(damaged, to: TestSession.journal)
        chmod(session.folder.path(TestSession.journal), 0o600)
        let found = try problems("--no-start")
        #expect(found.count == 1)
        #expect(
            found[0].hasPrefix("journal \(session.folder.path(TestSession.journal)), line \(place + 1) is damaged"), "\(found)")
        #expect(try problems("--no-start", "--repair") == [])
        #expect(session.folder.read(TestSession.journal + ".damaged-1") == damaged)
        #expect(try session.control("get", "profile.name").stdout == "Eve\n")
        #expect(try problems() == [])
    }

    // MARK: Findings

    @Test func everyThingThatIsWrongIsALine() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        try session.folder.write("{\"profile\": {\"email\": 5}}", to: TestSession.document)
        try session.folder.write("{\n  \"locked\": [,]\n}", to: TestSession.adminLayer)
        try session.folder.write("{\"provider\": {\"id\": \"myspace\"}}", to: TestSession.vendorLayer)
        chmod(state, 0o777)
        chmod("\(state)/journal.jsonl", 0o644)
        let result = try session.control("doctor")
        #expect(result.status == .exited(1))
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 5, "\(result)")
        for beginning in [
            "folders\t\(state) can be changed by others (mode 777); chmod go-w \(state)",
            "folders\t\(state)/journal.jsonl can be read by others (mode 644); chmod go-rwx \(state)/journal.jsonl",
            "document\t\(document), line 1, column 23: profile.email takes a string",
            "layers\t\(session.folder.path(TestSession.adminLayer)), line 2, column 14: ",
            "layers\t\(session.folder.path(TestSession.vendorLayer)), line 1, column 21: provider.id: \"myspace\" is refused",
        ] {
            #expect(lines.contains { $0.hasPrefix(beginning) }, "\(beginning)\n\(result)")
        }
        #expect(result.stderr == "settingsctl: doctor: 5 problems remain\n")
        #expect(daemon.isRunning)
    }

    /// A name that nothing knows is no fault; one that looks like a setting's is worth a remark.
    @Test func aMisspeltNameInADocumentIsTold() throws {
        let daemon = try session.startDaemon()
        try session.install()
        let text = """
            {
              "profile": {"nmae": "Ada"},
              "suport": {"help": "https://a.example/"},
              "provider.id": "mpd",
              "$schema": "x",
              "theme": {"colour": "red"},
              "locked": []
            }
            """
        try session.folder.write(text, to: TestSession.document)
        let remarks = [
            #": there is no setting "profile.nmae"; did you mean "profile.name"?"#,
            #": there is no setting "suport"; did you mean "support"?"#,
            #": "provider.id" is to stand in its section: {"provider": {"id": …}}"#,
        ]
        for options in [["doctor"], ["doctor", "--no-start"]] {
            let result = try session.startControl(options).result()
            let lines = result.stderr.split(separator: "\n")
            #expect(result.status == .exited(0) && result.stdout.isEmpty && lines.count == 4, "\(result)")
            for remark in remarks {
                #expect(
                    lines.contains { $0.hasPrefix("settingsctl: doctor: \(document), line ") && $0.contains(remark) }, "\(result)"
                )
            }
            #expect(lines.last == "settingsctl: doctor: no problems, but 3 misspelt names", "\(result)")
            #expect(lines.dropLast().allSatisfy { $0.hasSuffix("; what stands there is kept and has no effect") }, "\(result)")
        }
        expect(try session.control("doctor", "-q"))
        try session.folder.write(#"{"meeting": {"strat": 9}}"#, to: WorldClock.document)
        let application = try session.control("-a", WorldClock.id, "doctor")
        #expect(
            application.stderr.contains(#"there is no setting "meeting.strat"; did you mean "meeting.start"?"#), "\(application)")
        #expect(application.status == .exited(0) && daemon.isRunning)
    }

    @Test(arguments: [TestSession.adminLayer, TestSession.vendorLayer])
    func aMisspeltNameInALayerIsTold(layer: String) throws {
        let file = try session.folder.write(#"{"prov": {"id": "spotify"}, "locked": ["provider.id"]}"#, to: layer)
        let daemon = try session.startDaemon()
        try session.install()
        let result = try session.control("doctor")
        let lines = result.stderr.split(separator: "\n")
        #expect(lines.count == 2 && result.status == .exited(0) && daemon.isRunning, "\(result)")
        #expect(lines.first?.hasPrefix("settingsctl: doctor: \(file), line 1, ") == true, "\(result)")
        #expect(lines.last == "settingsctl: doctor: no problems, but 1 misspelt name", "\(result)")
    }

    @Test func aBrokenSchemaIsToldOnceWithAllThatIsWrong() throws {
        let schema = try session.install(
            "{\"type\": \"object\", \"properties\": {\n  \"on\": {\"type\": \"bool\"},\n  \"n\": 5}}", as: "org.example.Broken")
        let daemon = try session.startDaemon()
        for options in [[], ["--no-start"]] {
            let found = try session.startControl(["-a", "org.example.Broken", "doctor"] + options).result()
            #expect(
                found.stdout == """
                    schema\t\(schema), line 2, column 18: there is no type "bool" here; did you mean "boolean"?
                    schema\t\(schema), line 3, column 8: expected an object, found the number 5

                    """)
            #expect(found.status == .exited(1) && daemon.isRunning)
        }
    }

    @Test func withoutADaemonALaggingOrMissingDocumentIsTold() throws {
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        let old = try #require(session.folder.read(TestSession.document))
        try session.control("set", "profile.name", "Eve")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Eve") == true }
        try daemon.end(SIGKILL)
        try session.folder.write(old, to: TestSession.document)
        #expect(
            try problems("--no-start") == [
                "document \(document) is at revision 1, the journal at 2; the service writes it when it starts"
            ])
        try FileManager.default.removeItem(atPath: document)
        #expect(try problems("--no-start") == ["document \(document) is missing; the service writes it when it starts"])
        #expect(try problems() == [])
        #expect(session.folder.read(TestSession.document)?.contains("Eve") == true)
    }

    @Test func aLockThatSomebodyHoldsIsTold() throws {
        try storeAndEnd()
        let holder = try session.startShell("exec 9<\(state)/lock; flock 9; echo held; exec sleep 60 >/dev/null")
        try holder.waitForOutput("held")
        let found = try problems("--no-start")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("lock \(state)/lock is held by another process") == true)
        try session.folder.write("{", to: TestSession.document)
        #expect(try session.control("doctor", "--repair", "--no-start").status == .exited(8))
        #expect(session.folder.read(TestSession.document) == "{")
    }

    @Test func aDocumentThatMayNotBeWrittenIsTold() throws {
        try storeAndEnd()
        chmod(document, 0o444)
        let found = try problems()
        #expect(
            found == [
                "document \(document) is read-only (mode 444), so that nothing can be changed; make it writable, or change it where "
                    + "it comes from"
            ])
    }

    @Test func aDaemonThatCannotBeReachedIsTold() throws {
        let noBus = try session.control("doctor", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
        #expect(noBus.status == .exited(1))
        #expect(noBus.stdout.hasPrefix("bus\t"))
        #expect(noBus.stdout.contains("set DBUS_SESSION_BUS_ADDRESS"))
        let bare = try TestSession()
        let noDaemon = try bare.control("doctor")
        #expect(noDaemon.status == .exited(1))
        #expect(noDaemon.stdout.hasPrefix("daemon\t"))
        #expect(noDaemon.stdout.contains("install org.settingsd.Settings1.service"))
        let daemon = try bare.startDaemon()
        let byHand = try bare.control("doctor")
        #expect(byHand.status == .exited(0))
        #expect(byHand.stderr.hasPrefix("settingsctl: doctor: D-Bus does not start the daemon by itself; install "))
        #expect(daemon.isRunning)
    }

    /// The files are those of the daemon that runs, not those of the shell.
    @Test func theFilesAreThoseThatTheDaemonNames() throws {
        let folder = try session.folder.folder("other")
        chmod(folder, 0o700)
        let daemon = try session.startDaemon(["--config-dir", folder, "--state-dir", folder])
        try session.control("set", "profile.name", "Ada")
        try eventually("the document") { session.folder.read("other/settings.json")?.contains("Ada") == true }
        try session.folder.write("{", to: "other/settings.json")
        #expect(try problems().first?.hasPrefix("document \(folder)/settings.json is damaged") == true)
        #expect(try problems("--repair") == [])
        #expect(session.folder.read("other/settings.json.damaged-1") == "{")
        #expect(daemon.isRunning)
    }

    @Test(.enabled(if: geteuid() == 0)) func filesOfAnotherAccountAreLeftAlone() throws {
        try storeAndEnd()
        try session.folder.write("{", to: TestSession.document)
        let config = session.folder.path("home/.config/settingsd")
        chown(config, 65534, 65534)
        let sentence = "\(config) belongs to uid 65534, but this process runs as uid 0"
        let repair = try session.control("doctor", "--repair")
        #expect(repair.status == .exited(7))
        #expect(repair.stderr.contains(sentence))
        let found = try session.control("doctor", "--no-start")
        #expect(found.status == .exited(1))
        #expect(found.stdout.contains("folders\t\(sentence)"))
        #expect(session.folder.read(TestSession.document) == "{")
        chown(config, 0, 0)
    }
}
