import Foundation
import TestSupport
import Testing

/// The commands about the settings of an application, with the real daemon.
@Suite(.logsOnFailure) struct CommandLineApplicationTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.install()
        daemon = try session.startDaemon()
    }

    private func run(_ arguments: String..., input: String = "") throws -> CommandResult {
        try session.startControl(["-a", WorldClock.id] + arguments, input: input).result()
    }

    private func succeeds(_ arguments: String..., prints text: String = "", input: String = "") throws {
        let result = try session.startControl(["-a", WorldClock.id] + arguments, input: input).result()
        #expect(result.status == .exited(0) && result.stdout == text && result.stderr.isEmpty, "\(arguments) \(result)")
    }

    /// Expects a refusal that says something.
    private func fails(_ status: Int32, _ arguments: String..., says text: String) throws {
        let result = try session.startControl(["-a", WorldClock.id] + arguments).result()
        #expect(
            result.status == .exited(status) && result.stderr.contains(text) && result.stdout.isEmpty, "\(arguments) \(result)")
    }

    // MARK: Values

    @Test(arguments: [
        ("meeting.start", "9", "9"), ("meeting.start", "9.0", "9"), ("meeting.start", "1e1", "10"), ("scale", "1.5", "1.5"),
        ("scale", "2", "2"), ("seconds", "on", "true"),
        ("seconds", "Yes", "true"), ("seconds", "true", "true"), ("zones", #"["Asia/Tokyo"]"#, #"["Asia/Tokyo"]"#),
        ("alarms", #"[{"name":"Tea","on":true,"made":5}]"#, #"[{"made":5,"name":"Tea","on":true}]"#),
    ])
    func aValueIsReadByItsType(key: String, text: String, printed: String) throws {
        try succeeds("set", key, text)
        try succeeds("get", key, prints: printed + "\n")
        #expect(try session.object(["get", key, "--json", "--app", WorldClock.id])["source"] as? String == "user")
    }

    @Test func aFalseBooleanHasThreeWords() throws {
        for word in ["off", "no", "false"] {
            try succeeds("set", "seconds=on", "meeting.start=10")
            try succeeds("set", "seconds", word)
            try succeeds("get", "seconds", prints: "false\n")
        }
    }

    @Test func aValueOfAnotherTypeIsRefusedWithWhatTheSettingTakes() throws {
        try fails(4, "set", "meeting.start", "noon", says: #"meeting.start takes a whole number, not "noon""#)
        try fails(4, "set", "meeting.start", "8.5", says: #"meeting.start takes a whole number, not "8.5""#)
        for text in ["9223372036854775808", "-9223372036854775809", "1e30"] {
            let range = "from -9223372036854775808 to 9223372036854775807"
            let result = try session.startControl(["-a", WorldClock.id, "set", "meeting.start", "--", text]).result()
            #expect(result.stderr.contains("meeting.start takes a whole number \(range), not \"\(text)\""), "\(result)")
        }
        for text in ["NaN", "Infinity", "1e999", "0x10", "1_000", "01", "+1", ""] {
            try fails(4, "set", "scale", text, says: "scale takes a number, not")
        }
        try fails(4, "set", "seconds", "1", says: "seconds takes true or false (on, off, yes, no)")
        try fails(4, "set", "zones", "Asia/Tokyo", says: "zones takes JSON text, such as")
        try fails(4, "set", "zones", "[1]", says: "zones, item 1, takes a string, found the number 1")
        try fails(4, "set", "meeting.start", "24", says: "at most 23")
        try fails(3, "set", "meeting.strat", "8", says: #"did you mean "meeting.start"?"#)
        try fails(3, "get", "profile.name", says: #"there is no setting "profile.name""#)
        #expect(session.folder.read(WorldClock.document) == nil)
    }

    @Test func whatAMessageGivesAsAnExampleIsTakenWhenItIsTyped() throws {
        // The word that is wrong, and where the example goes.
        let faults: [(wrong: [String], right: (String) -> [String])] = [
            (["set", "zones", "{}"], { ["set", "zones", $0] }), (["set", "alarms", "Tea"], { ["set", "alarms", $0] }),
            (["insert", "alarms", "Tea"], { ["insert", "alarms", $0] }),
            (["dispatch", "SetValues", "values=5"], { ["dispatch", "SetValues", "values=" + $0] }),
            (["dispatch", "ResetValues", "keys=zones"], { ["dispatch", "ResetValues", "keys=" + $0] }),
        ]
        for (wrong, right) in faults {
            let message = try session.startControl(["-a", WorldClock.id] + wrong).result().stderr
            let example = message.split(separator: "'").dropFirst().first.map(String.init)
            let result = try session.startControl(["-a", WorldClock.id] + right(#require(example, "\(message)"))).result()
            #expect(result.status == .exited(0), "\(message)\(result)")
        }
    }

    @Test(arguments: [
        "set zones Europe/Berlin", "set zones Europe/Berlin,Asia/Tokyo", "set zones Europe/Berlin Asia/Tokyo",
        "set zones Europe/Berlin seconds yes", "set zones=Asia/Tokyo", "set zones 'Europe/Berlin, Asia/Tokyo'",
    ])
    func theCommandThatAHintNamesWorks(_ line: String) throws {
        let refused = try session.startShell("settingsctl -a \(WorldClock.id) \(line)").result()
        #expect(refused.status != .exited(0))
        let hint = try #require(refused.stderr.split(separator: "\n").first { $0.hasPrefix("hint: ") }, "\(refused)")
        let command = try #require(hint.range(of: ": settingsctl ")).upperBound
        let result = try session.startShell("settingsctl " + hint[command...]).result()
        #expect(result.status == .exited(0), "\(hint) \(result)")
        #expect(try run("get", "zones").stdout.contains(line.contains("Tokyo") ? "Asia/Tokyo" : "Europe/Berlin"))
    }

    @Test func theOtherApplicationsAndTheOwnSettingsStayAsTheyWere() throws {
        try succeeds("set", "meeting.start=9", "--json", prints: #"{"revision":1,"values":{"meeting.start":9}}"# + "\n")
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 0)
        #expect(try session.control("get", "meeting.start").status == .exited(3))
    }

    @Test func describeTellsWhatListsHold() throws {
        try succeeds(
            "describe", "zones", "alarms",
            prints: """
                zones
                    Selected time zones.
                    value    [] (default)
                    default  []
                    kind     array
                    length   each item once
                    items    time-zone

                alarms
                    Alarms.
                    value    [] (default)
                    default  []
                    kind     array
                    items    object
                    fields   id    uuid
                             name  string
                             on    boolean
                             made  integer

                """)
        let described = try session.object(["-a", WorldClock.id, "describe", "--json"])
        let item = (described["alarms"] as? [String: Any])?["item"] as? [String: Any]
        #expect(((item?["fields"] as? [String: Any])?["made"] as? [String: Any])?["type"] as? String == "x")
    }

    // MARK: Lists

    @Test func itemsAreInsertedAndRemoved() throws {
        try succeeds("insert", "zones", "Asia/Tokyo", "Europe/Berlin")
        try succeeds("insert", "zones", "Asia/Tokyo", "--json", prints: #"{"revision":1,"values":{}}"# + "\n")
        try succeeds("get", "zones", prints: #"["Asia/Tokyo","Europe/Berlin"]"# + "\n")
        let absent = "Asia/Dubai is not in zones\n"
        expect(try run("remove", "zones", "Asia/Tokyo", "Asia/Dubai"), stderr: "settingsctl: remove: \(absent)")
        let json = #"{"revision":2,"values":{}}"# + "\n"
        expect(try run("remove", "zones", "Asia/Dubai", "--json"), stdout: json, stderr: "settingsctl: remove: \(absent)")
        try succeeds("remove", "-q", "zones", "Asia/Dubai")
        try succeeds("get", "zones", prints: #"["Europe/Berlin"]"# + "\n")
        try succeeds("insert", "alarms", #"{"name":"Tea","on":true}"#)
        try succeeds("get", "alarms", prints: #"[{"name":"Tea","on":true}]"# + "\n")
        try fails(4, "insert", "zones", "not a zone", says: "not a zone")
        try fails(4, "insert", "meeting.start", "3", says: "meeting.start is no list")
        try fails(3, "remove", "zonse", "Asia/Tokyo", says: #"did you mean "zones"?"#)
    }

    @Test func whatTwoProcessesInsertAtOnceIsAllThere() throws {
        let zones = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("Z ") }.compactMap { $0.split(separator: " ").dropFirst().first }
        let inserted = zones.filter { $0.contains("/") }.prefix(100).map(String.init)
        try #require(inserted.count == 100)
        let halves = [inserted.prefix(50), inserted.suffix(50)]
        let shells = try halves.map { half in
            try session.startShell(
                "for zone in \(half.joined(separator: " ")); do settingsctl -a \(WorldClock.id) insert zones $zone || exit; done")
        }
        for shell in shells { #expect(try shell.waitForExit() == .exited(0), "\(shell.log)") }
        let values = try #require(try session.object(["-a", WorldClock.id, "list", "--json"])["values"] as? [String: Any])
        #expect(Set(values["zones"] as? [String] ?? []) == Set(inserted))
    }

    // MARK: Actions

    @Test func actionsAreCarriedOutWithTheirTypes() throws {
        try succeeds("dispatch", "AddZone", "zone=Asia/Tokyo")
        try succeeds("dispatch", "SetMeeting", "hour=11")
        try succeeds("dispatch", "Grow", "by=1")
        try succeeds("dispatch", "InsertValue", "key=zones", "value=Asia/Dubai")
        try succeeds("dispatch", "SetValues", #"values={"seconds":true,"scale":3}"#)
        try succeeds(
            "list", "--json",
            prints:
                #"{"revision":5,"values":{"alarms":[],"meeting.start":11,"scale":3.0,"seconds":true,"zones":["Asia/Tokyo","Asia/Dubai"]}}"#
                + "\n")
        try fails(4, "dispatch", "SetMeeting", "hour=noon", says: #"SetMeeting: hour takes a whole number, not "noon""#)
        try fails(3, "dispatch", "AddZon", says: #"did you mean "AddZone"?"#)
        try fails(3, "dispatch", "SelectProvider", says: "settingsctl -a \(WorldClock.id) actions shows every action")
        let actions = try run("actions").stdout
        #expect(actions.contains("SetMeeting\t[hour=NUMBER]\t") && actions.contains("AddZone\tzone=TEXT\tSelects a time zone"))
    }

    /// What `log` and `undo` say about a list is what happened to its items, however many there are.
    @Test func aChangedListIsToldByItsItems() throws {
        let others = (1...30).map { #"{"id":"00000000-0000-4000-8000-\#(String(format: "%012d", $0))","name":"Alarm \#($0)"}"# }
        try succeeds("set", "alarms", "[\(others.joined(separator: ","))]")
        try succeeds("dispatch", "AddAlarm", "name=Tea")
        try succeeds("dispatch", "ToggleAlarm", "name=Tea")
        try succeeds("dispatch", "RenameAlarm", "name=Tea", "to=A long name, of which nobody wants to read the end in a table")
        try succeeds("dispatch", "RemoveAlarm", "name=Alarm 7")
        try succeeds("set", "zones", #"["Asia/Tokyo","UTC"]"#)
        try succeeds("set", "zones", #"["UTC","Asia/Tokyo"]"#)
        try succeeds("undo", prints: "zones\tin another order\n")
        try succeeds("undo", prints: "zones\tremoved Asia/Tokyo, UTC\n")
        try succeeds("undo", prints: "alarms\tadded Alarm 7\n")
        let log = try run("log").stdout.split(separator: "\n").map { $0.split(separator: "\t").suffix(2).joined(separator: " ") }
        #expect(
            log == [
                "alarms added Alarm 1, Alarm 2, Alarm 3, Alarm 4, Alarm 5 and 25 more", "alarms added Tea",
                "alarms changed Tea (on absent → true)",
                "alarms changed Tea (name Tea → A long name, of which nobody wants to r…)", "alarms removed Alarm 7",
                "zones added Asia/Tokyo, UTC", "zones in another order", "zones in another order",
                "zones removed Asia/Tokyo, UTC",
                "alarms added Alarm 7",
            ])
        let whole = try #require(try run("log", "--json", "-n1").stdout.objects().first?["values"] as? [String: Any])
        #expect((whole["alarms"] as? [Any])?.count == 31)
    }

    /// Nothing in a message is about the daemon's own settings.
    @Test func whatIsWrongWithAFileIsToldInTheApplicationsWords() throws {
        let list = try session.folder.write("[]", to: "home/list.json")
        try fails(4, "import", list, says: #": the settings are an object, such as {"zones":["Europe/Berlin"]}"#)
        let locked = try session.folder.write(#"{"locked": ["zones"]}"#, to: "home/locked.json")
        try fails(4, "import", locked, says: "which settingsctl -a \(WorldClock.id) status names; remove it")
    }

    /// What is too large for one change is told by its key, with its size and the most.
    @Test func aValueThatIsTooLargeIsNamed() throws {
        let text = String(repeating: "x", count: 70_000)
        let long = "has a text of 70000 bytes; a text may have 65536 at most\n"
        for (arguments, name) in [
            (["insert", "alarms", #"{"name":"\#(text)"}"#], "name"), (["dispatch", "AddAlarm", "name=\(text)"], "name"),
            (["set", "seconds=yes", #"alarms=[{"name":"\#(text)"}]"#], "alarms"),
        ] {
            let result = try session.startControl(["-a", WorldClock.id] + arguments).result()
            #expect(result.status == .exited(4) && result.stderr.hasSuffix(": \(name) \(long)"), "\(result)")
        }
        let alarms = (1...25_000).map { #"{"name":"Alarm number \#($0) of very many"}"# }.joined(separator: ",")
        let file = try session.folder.write(
            #"{"seconds": true, "alarms": [\#(alarms)], "zones": ["\#(text)"]}"#, to: "home/alarms.json")
        let refused = try run("import", file)
        #expect(refused.status == .exited(4) && refused.stdout.isEmpty, "\(refused)")
        #expect(
            try #/alarms.json, line 1, column 29: alarms has \d{7} bytes; one change takes 1048576 at most/#.firstMatch(
                in: refused.stderr) != nil, "\(refused)")
        #expect(refused.stderr.contains("zones \(long)"))
        let many = (1...1001).map { "Area/Zone\($0)" }
        let items = try session.startControl(["-a", WorldClock.id, "insert", "zones"] + many).result()
        #expect(items.stderr == "settingsctl: insert: 1001 items are given; one command takes 1000 at most\n")
        #expect(items.status == .exited(4) && session.folder.read(WorldClock.document) == nil)
        // Each of them would go, but not all together.
        let shorter = String(repeating: "x", count: 60_000)
        let half = (1...10).map { #"{"name":"\#(shorter)\#($0)"}"# }.joined(separator: ",")
        let both = try session.folder.write(#"{"alarms": [\#(half)], "more": [\#(half)]}"#, to: "home/both.json")
        try session.install(
            WorldClock.schema(
                #""more": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" } } }, "default": [] },"#
            ))
        try eventually("the new schema") { try run("list", "more").status == .exited(0) }
        let together = try run("import", both)
        #expect(
            try #/the values have 12\d{5} bytes, 60\d{4} of them (alarms|more); one change takes 1048576 at most\n/#
                .firstMatch(in: together.stderr) != nil && together.status == .exited(4), "\(together)")
    }

    @Test func aHintMendsEveryMisspeltWordOfTheLine() throws {
        let mended = "hint: did you mean settingsctl -a \(WorldClock.id) dispatch RenameAlarm name=Tea 'to=Green tea'?\n"
        for line in [["RenameAlrm", "nmae=Tea", "to=Green tea"], ["RenameAlarm", "nmae=Tea", "to=Green tea"]] {
            #expect(try session.startControl(["-a", WorldClock.id, "dispatch"] + line).result().stderr.hasSuffix(mended))
        }
        let choice = try session.control("dispatch", "SelectProvidr", "provdier=spotfy")
        #expect(
            choice.stderr.hasSuffix("hint: did you mean settingsctl dispatch SelectProvider provider=spotify?\n"), "\(choice)")
        // A line of which a word cannot be put right is not called meant.
        #expect(!(try run("dispatch", "AddZon", "colour=red").stderr.contains("did you mean settingsctl")))
    }

    @Test func anActionIsExplained() throws {
        try succeeds(
            "actions", "SetMeeting", "InsertValue",
            prints: """
                SetMeeting
                    hour  integer, may be left out
                    settingsctl -a \(WorldClock.id) dispatch SetMeeting [hour=NUMBER]

                InsertValue
                    Appends an item to a list; one that is there already changes nothing where each may be there once.
                    key    a string  The list's key
                    value  a value   The item
                    settingsctl -a \(WorldClock.id) dispatch InsertValue key=TEXT value=VALUE

                """)
        #expect(Set(try session.object(["-a", WorldClock.id, "actions", "AddZone", "--json"]).keys) == ["AddZone"])
        try fails(3, "actions", "AddZon", says: #"there is no action "AddZon"; did you mean "AddZone"?"#)
        try fails(
            3, "describe", "AddZone",
            says: "hint: AddZone is an action: settingsctl -a \(WorldClock.id) actions AddZone explains it")
    }

    @Test func changesAreShownAndTakenBack() throws {
        try succeeds("set", "meeting.start=9", "zones=[\"Asia/Tokyo\"]")
        try succeeds("undo", prints: "zones\tremoved Asia/Tokyo\nmeeting.start\t9 → 8\n")
        try succeeds("redo", "--json", prints: #"{"revision":3,"values":{"meeting.start":9,"zones":["Asia/Tokyo"]}}"# + "\n")
        let log = try run("log", "meeting.start").stdout.split(separator: "\n")
        #expect(log.count == 3 && log.last?.hasSuffix("meeting.start\t8 → 9") == true, "\(log)")
        let watch = try session.startControl(["-a", WorldClock.id, "watch", "seconds", "--json"])
        try watch.waitForOutput("snapshot")
        try succeeds("reset", "--all")
        try succeeds("set", "seconds", "yes")
        try watch.waitForOutput(#""previous":{"seconds":false}"#)
        #expect(try watch.stdout.objects().map { $0["revision"] as? Int } == [3, 5])
        _ = try watch.end()
    }

    // MARK: Files

    @Test func valuesGoOutAndComeBack() throws {
        try succeeds("set", "alarms", #"[{"name":"Tea","made":5}]"#, "--expect", "0")
        try succeeds("set", "scale=2", "meeting.start=9")
        let text = try run("export").stdout
        try succeeds("reset", "--all")
        try succeeds("import", "-", input: text)
        #expect(try run("export").stdout == text)
        let refusal = try run("import", "-", input: #"{"zones": [5], "meeting": {"start": "x"}}"#)
        #expect(refusal.status == .exited(4) && refusal.stderr.contains("zones, item 1, takes a string"), "\(refusal)")
        #expect(refusal.stderr.contains("line 1, column 37: meeting.start takes an integer, not a string"), "\(refusal)")
    }

    @Test func theDaemonTellsWhereTheFilesAreAndTheDoctorMendsThem() throws {
        try succeeds("set", "meeting.start", "9")
        #expect(
            try session.object(["-a", WorldClock.id, "status", "--json"])["document"] as? String
                == session.folder.path(WorldClock.document))
        #expect(try run("doctor").status == .exited(0))
        try eventually("the document") { session.folder.read(WorldClock.document)?.contains("9") == true }
        try session.folder.write("{", to: WorldClock.document)
        #expect(try run("doctor").status == .exited(1))
        #expect(try run("doctor", "--repair").status == .exited(0))
        #expect(session.folder.read(WorldClock.document)?.contains(#""start": 9"#) == true)
        #expect(session.folder.read(WorldClock.document + ".damaged-1") == "{")
    }

    @Test func anEditorChangesTheApplicationsValues() throws {
        try succeeds("set", "meeting.start=9", "zones=[\"Asia/Tokyo\"]")
        func edit(_ script: String) throws -> CommandResult {
            let file = try session.folder.program("#!/bin/bash\n\(script)\n", to: "editor")
            let environment = try session.shellEnvironment().merging(["EDITOR": file]) { $1 }
            return try session.startControl(["-a", WorldClock.id, "edit", "-q"], environment: environment).result()
        }
        let seen = session.folder.path("seen")
        let changed = try edit("cp \"$1\" \(seen); sed -i -e 's/9/10/' -e 's|\"Asia/Tokyo\"|\"Asia/Dubai\"|' \"$1\"")
        #expect(changed.status == .exited(0), "\(changed)")
        #expect(changed.stdout == "zones\tadded Asia/Dubai; removed Asia/Tokyo\nmeeting.start\t9 → 10\n")
        #expect(
            session.folder.read("seen") == """
                {
                  "format": 1,
                  "zones": [
                    "Asia/Tokyo"
                  ],
                  "meeting": {
                    "start": 9
                  }
                }

                """)
        let refused = try edit("sed -i 's/10/24/' \"$1\"")
        #expect(refused.status == .exited(4) && refused.stderr.contains("line 7, column 14: meeting.start: 24 is"), "\(refused)")
        try succeeds("get", "meeting.start", prints: "10\n")
        #expect(try run("log").stdout.split(separator: "\n").map { $0.split(separator: "\t").count } == [6, 6, 6, 6])
        try succeeds("undo", prints: "zones\tadded Asia/Tokyo; removed Asia/Dubai\nmeeting.start\t10 → 9\n")
        #expect(try session.object(["status", "--json"])["revision"] as? Int == 0)
    }

    @Test func aWatchOfItRunsACommandForItsChangesAlone() throws {
        let file = session.folder.path("events")
        let watch = try session.startControl(["-a", WorldClock.id, "watch", "seconds", "--exec", "cat >>\(file); echo done"])
        try session.control("set", "profile.name", "Ada")
        try succeeds("set", "seconds", "on")
        try watch.waitForOutput("done")
        #expect(session.folder.read("events")?.contains(#""values":{"seconds":true}"#) == true)
        #expect(session.folder.read("events")?.contains("profile.name") == false)
        _ = try watch.end()
    }

    // MARK: Which applications there are

    @Test func theApplicationsAreListedAndBrokenOnesMarked() throws {
        try session.install("{", as: "org.example.Broken", in: TestSession.sharedSchemas)
        let result = try session.control("apps")
        let broken = session.folder.path("\(TestSession.sharedSchemas)/org.example.Broken.json")
        #expect(result.status == .exited(0) && result.stdout.hasSuffix("\(WorldClock.id)\tWorld Clock\n"), "\(result)")
        #expect(result.stdout.hasPrefix("org.example.Broken\tbroken: \(broken), line 1"), "\(result)")
        let object = try session.object(["apps", "--json"])
        #expect((object[WorldClock.id] as? [String: Any])?["title"] as? String == "World Clock")
        #expect(((object["org.example.Broken"] as? [String: Any])?["problems"] as? [String])?.count == 1)
        let refusal = try session.control("-a", "org.example.Broken", "list")
        #expect(refusal.status == .exited(3) && refusal.stderr.contains("\(broken), line 1"), "\(refusal)")
    }

    @Test func anApplicationIsThereAsSoonAsItsFileIs() throws {
        for number in 0..<5 {
            try session.install(as: "org.example.App\(number)")
            let result = try session.control("-a", "org.example.App\(number)", "set", "meeting.start", "\(number)")
            #expect(result.status == .exited(0), "\(result)")
        }
        try session.install(as: "org.example.Elsewhere", in: "other/settingsd/schemas")
        let elsewhere = ["XDG_DATA_HOME": session.folder.path("other")]
        let result = try session.startControl(["-a", "org.example.Elsewhere", "list"], environment: elsewhere).result()
        #expect(result.status == .exited(3) && result.stderr.contains("the daemon may look elsewhere"), "\(result)")
    }

    @Test func anUnknownApplicationComesWithTheNearestOneAndTheFileThatIsMissing() throws {
        let place = session.folder.path("\(TestSession.userSchemas)/org.example.WorldClok.json")
        for words in [["list"], ["get", "x"], ["set", "x", "1"], ["watch"], ["doctor"], ["undo"]] {
            let result = try session.startControl(["--app", "org.example.WorldClok"] + words).result()
            #expect(result.status == .exited(3), "\(words) \(result)")
            #expect(
                result.stderr.contains(
                    #"there is no application "org.example.WorldClok"; did you mean "org.example.WorldClock"?"#)
                    && result.stderr.contains(place), "\(words) \(result)")
        }
        #expect(try session.control("-a", "", "list").status == .exited(2))
        #expect(try session.control("-a", WorldClock.id, "open", "help").status == .exited(2))
    }

    @Test func theDaemonsTypesDoWhereTheFileIsNotFound() throws {
        let elsewhere = ["XDG_DATA_HOME": session.folder.path("nowhere")]
        let changes = ["set", "meeting.start=9", "seconds=on", "scale=2"]
        let alarm = ["insert", "alarms", #"{"name":"5","made":5.0}"#]
        for words in [changes, ["insert", "zones", "Asia/Tokyo"], ["dispatch", "SetMeeting", "hour=10"], alarm] {
            let result = try session.startControl(["-a", WorldClock.id] + words, environment: elsewhere).result()
            #expect(result.status == .exited(0), "\(words) \(result)")
        }
        try succeeds("get", "zones", prints: #"["Asia/Tokyo"]"# + "\n")
        try succeeds("get", "meeting.start", prints: "10\n")
    }
}
