import Foundation
import TestSupport
import Testing

/// The world clock among the examples, as somebody uses it in a terminal.
@Suite(.logsOnFailure) struct ExampleClockTests {
    let clock: ExampleSession
    private static let berlin = ["TZ": "Europe/Berlin"]

    init() throws {
        clock = try ExampleSession("worldclock", folder: "WorldClock", application: "org.settingsd.WorldClock")
    }

    private func select(_ zones: String...) throws {
        let list = "[\(zones.map { "\"\($0)\"" }.joined(separator: ","))]"
        #expect(try clock.control("set", "zones", list).status == .exited(0))
    }

    private func run(_ arguments: String..., zone: String = "Europe/Berlin") throws -> CommandResult {
        try clock.start(arguments, environment: ["TZ": zone]).result()
    }

    // MARK: The selection

    @Test func zonesAreSelectedByNameAndByCity() throws {
        let added = try run("add", "Tokyo", "new york", "Europe/Rome", "calcutta")
        #expect(added.stdout == "added: Asia/Tokyo\nadded: America/New_York\nadded: Europe/Rome\nadded: Asia/Kolkata\n")
        #expect(try run("add", "Tokyo", " tokyo ").stdout == "is selected already: Asia/Tokyo\n")
        #expect(try run("remove", "tokyo", "Europe/Rome").stdout == "removed: Asia/Tokyo\nremoved: Europe/Rome\n")
        #expect(try clock.control("get", "zones").stdout == "[\"America/New_York\",\"Asia/Kolkata\"]\n")
        #expect(
            try clock.control("log", "-n", "1", "--json").stdout.object()["actions"] as? [String] == ["RemoveZone", "RemoveZone"])
    }

    @Test func aCityIsFoundHoweverItIsPunctuated() throws {
        for (text, zone) in [
            ("St. John's", "America/St_Johns"), ("saint johns", "America/St_Johns"), ("St.Lucia", "America/St_Lucia"),
            ("Port au Prince", "America/Port-au-Prince"), ("N'Djamena", "Africa/Ndjamena"), ("Etc/GMT-2", "Etc/GMT-2"),
        ] {
            #expect(try run("add", text).stdout == "added: \(zone)\n", "\(text)")
            #expect(try run("search", text).stdout.hasPrefix("\(zone) "), "\(text)")
            #expect(try run("remove", text).stdout == "removed: \(zone)\n", "\(text)")
        }
        #expect(try run("search", ".").status == .exited(3))
    }

    /// POSIX, "8.3 Other Environment Variables", TZ.
    @Test func aRuleInPlaceOfAZoneIsLocalTime() throws {
        try select("Asia/Tokyo")
        for (rule, name) in [
            ("EST5EDT,M3.2.0/2,M11.1.0/2", "local time (EST, EDT)"), ("<+0330>-3:30", "local time (+0330)"),
            ("America/St_Johns", "St Johns"), ("EST5EDT", "EST5EDT"),
        ] {
            let shown = try run("--at", "2026-07-10T16:30Z", zone: rule)
            #expect(shown.stdout.hasPrefix(name + "  ") && shown.stderr == "", "\(rule): \(shown)")
        }
        let drawn = try clock.terminal(
            "$P --at 2026-07-10T16:30Z", environment: ["TZ": "EST5EDT,M3.2.0,M11.1.0", "NO_COLOR": "1"])
        #expect(drawn.hasPrefix("local time (EST, EDT): 12:30, Fri 10 Jul\n"), "\(drawn)")
    }

    @Test func aSystemWithoutZonesIsSaidToHaveNone() throws {
        try select("Asia/Tokyo")
        let folder = try clock.session.folder.folder("zoneinfo")
        let words = "worldclock: this system has no time zones: there are none in \(folder), which TZDIR names"
        for arguments in [["add", "Tokyo"], ["search", "Tokyo"], ["meet"]] {
            let result = try clock.start(arguments, environment: ["TZDIR": folder, "TZ": "UTC0"]).result()
            #expect(result.status != .exited(0) && result.stderr.hasPrefix("\(words)\nhint: unset TZDIR, "), "\(result)")
        }
        let shown = try clock.start([], environment: ["TZDIR": folder, "TZ": "Europe/Berlin"]).result()
        #expect(shown.status == .exited(0) && shown.stderr.hasPrefix("\(words); unset TZDIR, "), "\(shown)")
        #expect(shown.stderr.split(separator: "\n").count == 1, "\(shown)")
        #expect(try clock.start(["add", "Oslo"], environment: ["TZDIR": ""]).result().stdout == "added: Europe/Oslo\n")
    }

    @Test func whatIsNoZoneIsRefusedAndChangesNothing() throws {
        for (arguments, status, text) in [
            (["add", "Tokyo", "Atlantis"], 3, "no one zone or city is called Atlantis"),
            (["add", "tokio"], 3, "did you mean Asia/Tokyo?"), (["add", "Europe/Berln"], 3, "did you mean Europe/Berlin?"),
            (["add", "Tok"], 3, "hint: perhaps Asia/Tokyo"), (["add", "Mumbai"], 3, "worldclock search COUNTRY"),
            (["add", "Tokyo", "new", "york", "Rome"], 3, "between '': 'new york'\n"),
            (["list", "x"], 2, "usage: worldclock list"),
            (["add", "Port", "of", "Spain"], 3, "'Port of Spain'\n"), (["add", "GMT+2"], 3, "you mean Etc/GMT-2\n"),
            (["add", "utc-3"], 3, "you mean Etc/GMT+3\n"), (["add", "+2"], 3, "you mean Etc/GMT-2\n"),
            (["meet", "--from", "24"], 2, "cannot begin at 24:00"),
            (["remove", "Tokyo"], 3, "hint: selected: none"),
            (["add"], 2, "hint: usage: worldclock add ZONE|CITY…"),
            (["meet", "--date", "2026-02-30"], 2, "2026-02-30 is no day"),
            (["meet", "--from", "25"], 2, "25 is no hour"),
            (["meet"], 1, "no zone is selected\nhint: worldclock add Tokyo"),
            (["--at", "noon"], 2, "noon is no time"), (["hours", "9", "9"], 4, "would begin and end at 09:00"),
            (["hours", "24", "5"], 4, "meeting.start"), (["nap"], 2, "no command nap"), (["--nap"], 2, "no option --nap"),
            (["show", "--date", "2026-03-01"], 2, "--date does not go with show"),
        ] as [([String], Int32, String)] {
            let result = try clock.start(arguments, environment: Self.berlin).result()
            #expect(result.status == .exited(status), "\(arguments): \(result)")
            #expect(result.stderr.contains(text), "\(arguments): \(result)")
        }
        let error = try run("add", "Atlantis", "--json").stderr.object()["error"] as? [String: String]
        #expect(error?["name"] == "UnknownZone")
        #expect(try clock.control("status", "--json").stdout.object()["revision"] as? Int == 0)
    }

    @Test func theSystemsDatabaseIsSearched() throws {
        let found = try run("search", "india", "--at", "2026-03-10T12:00Z").stdout
        #expect(found.hasPrefix("Asia/Kolkata"))
        #expect(found.contains("America/Indiana/Vincennes"))
        #expect(try run("search", "sao paulo").stdout.hasPrefix("America/Sao_Paulo"))
        #expect(try run("search", "São Paulo").stdout.contains("Brazil"))
        #expect(try run("search", "calcutta").stdout.contains("another name for Asia/Kolkata"))
        #expect(try run("search", "atlantis").status == .exited(3))
    }

    // MARK: The cards

    @Test func cardsTellTimeDateAndDifference() throws {
        try select("Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "US/Pacific", "Mars/Olympus")
        #expect(
            try run("--at", "2026-03-10T16:30Z").stdout == """
                Berlin     17:30  Tue 10 Mar  same time            Europe/Berlin
                Tokyo      01:30  Wed 11 Mar  +8         tomorrow  Asia/Tokyo
                New York   12:30  Tue 10 Mar  -5                   America/New_York
                Kathmandu  22:15  Tue 10 Mar  +4:45                Asia/Kathmandu
                Pacific    09:30  Tue 10 Mar  -8                   US/Pacific        another name for America/Los_Angeles
                Olympus                                            Mars/Olympus      this system does not know it

                """)
        let shown = try run("show", "--json", "--at", "2026-03-11 00:30").stdout.object()
        #expect(shown["at"] as? String == "2026-03-10T23:30:00Z")
        let cards = try #require(shown["zones"] as? [[String: Any]])
        #expect(
            cards.map { $0["zone"] as? String } == [
                "Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "US/Pacific", "Mars/Olympus",
            ])
        #expect(cards.map { $0["days"] as? Int } == [0, -1, 0, -1, nil])
        #expect(cards.map { $0["difference"] as? Int } == [480, -300, 285, -480, nil])
        #expect(cards.map { $0["known"] as? Bool } == [true, true, true, true, false])
        #expect(cards.map { $0["alias_of"] as? String } == [nil, nil, nil, "America/Los_Angeles", nil])
        let drawn = try clock.terminal("$P --at 2026-03-10T16:30Z", environment: Self.berlin.merging(["NO_COLOR": "1"]) { $1 })
        #expect(
            drawn.hasPrefix(
                """
                Berlin: 17:30, Tue 10 Mar
                ╭────────────────────────────────╮ ╭────────────────────────────────╮
                │ Tokyo                    01:30 │ │ New York                 12:30 │
                │ Asia/Tokyo                     │ │ America/New_York               │
                │ Wed 11 Mar            tomorrow │ │ Tue 10 Mar                     │
                │ +8                             │ │ -5                             │
                ╰────────────────────────────────╯ ╰────────────────────────────────╯

                """))
    }

    @Test func watchFollowsWhoeverChangesTheSelection() throws {
        let watch = try clock.start(["watch", "--at", "2026-03-10T16:30Z"], environment: Self.berlin)
        try watch.waitForOutput("No zone is selected yet")
        try clock.control("dispatch", "AddZone", "zone=Asia/Tokyo")
        try watch.waitForOutput("\nTokyo   01:30")
        let document = "home/.config/settingsd/apps/org.settingsd.WorldClock.json"
        try clock.session.folder.write(#"{ "format": 1, "zones": ["Europe/Rome"] }"#, to: document)
        try watch.waitForOutput("\nRome    17:30")
        let layer = "etc/settingsd/apps/org.settingsd.WorldClock.json"
        try clock.session.folder.write(#"{ "zones": ["Asia/Seoul"], "locked": ["zones"] }"#, to: layer)
        try watch.waitForOutput("\nSeoul   01:30")
        #expect(try run("remove", "Seoul").status == .exited(7))
        try clock.daemon.end()
        try watch.waitForLog("waiting for it to come back")
        #expect(try watch.end(SIGINT) == .exited(0))
        let last = watch.stdout.components(separatedBy: "\n\n").last
        #expect(
            last
                == "Berlin  17:30  Tue 10 Mar  same time            Europe/Berlin\nSeoul   01:30  Wed 11 Mar  +8         tomorrow  Asia/Seoul\n"
        )
    }

    @Test func watchDrawsOnATerminalAndEndsWithItsReader() throws {
        try select("Asia/Tokyo")
        let watch = try clock.startTerminal("echo $$; exec $P watch --at 2026-03-10T16:30Z", environment: Self.berlin)
        try watch.waitForOutput("│ Tokyo                    01:30 │")
        try clock.control("insert", "zones", "Europe/Rome")
        try watch.waitForOutput("│ Rome                     17:30 │")
        let drawn = watch.stdout.replacingOccurrences(of: "\r\n", with: "\n")
        let pid = try #require(pid_t(drawn.prefix { $0 != "\n" }))
        #expect(drawn.hasPrefix("\(pid)\n\u{1B}[?1049h\u{1B}[?25l\u{1B}[H"))
        kill(pid, SIGTSTP)
        try watch.waitForOutput("\u{1B}[?25h\u{1B}[?1049l")
        // A stop that comes behind the continuation would have no end.
        try eventually("the stop") {
            try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).split(separator: ")").last?.hasPrefix(" T") == true
        }
        kill(pid, SIGCONT)
        try eventually("the clock's return") { watch.stdout.components(separatedBy: "│ Rome ").count >= 3 }
        kill(pid, SIGTERM)
        #expect(try watch.waitForExit() == .exited(0))
        #expect(watch.stdout.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        let piped = try RunningProcess(
            "bash", ["-c", "set -o pipefail; '\(Products.path("worldclock"))' watch | head -1"],
            environment: clock.session.environment)
        #expect(try piped.waitForExit() == .exited(0))
    }

    @Test func aTerminalThatSaysNothingOfItselfGetsTextAlone() throws {
        try select("Asia/Tokyo")
        for type in ["-u TERM", "TERM=", "TERM=dumb"] {
            let watch = try clock.startTerminal(
                "echo $$; exec env \(type) $P watch --at 2026-03-10T16:30Z", environment: Self.berlin)
            try watch.waitForOutput("Tokyo   01:30")
            kill(try #require(pid_t(watch.stdout.prefix { $0.isNumber })), SIGINT)
            #expect(try watch.waitForExit() == .exited(0))
            #expect(!watch.stdout.contains("\u{1B}"), "\(type): \(watch.stdout)")
        }
    }

    @Test func whatIsWrongWithTheDocumentIsToldAndNothingIsCalledMissing() throws {
        let document = "home/.config/settingsd/apps/org.settingsd.WorldClock.json"
        try select("Asia/Tokyo")
        let watch = try clock.start(["watch", "--at", "2026-03-10T16:30Z"], environment: Self.berlin)
        try watch.waitForOutput("Tokyo")
        try clock.session.folder.write(#"{ "format": 1, "zones": ["Europe/Berlin", 7] }"#, to: document)
        try watch.waitForLog("worldclock: \(clock.session.folder.path(document))")
        #expect(try watch.end(SIGINT) == .exited(0))
        #expect(!watch.stdout.contains("No zone is selected yet"))
        let shown = try run()
        #expect(shown.status == .exited(0) && !shown.stdout.contains("No zone is selected yet"), "\(shown)")
        #expect(shown.stderr.hasPrefix("worldclock: ") && shown.stderr.contains("zones"), "\(shown)")
        #expect(shown.stderr.split(separator: "\n").count == 1)
        #expect(!(try run("meet").stderr.contains("worldclock add")))
    }

    @Test func watchTellsWhatIsWrongThoughNoTimeIsAnother() throws {
        let document = "home/.config/settingsd/apps/org.settingsd.WorldClock.json"
        try select("Asia/Tokyo")
        let watch = try clock.start(["watch", "--at", "2026-03-10T16:30Z"], environment: Self.berlin)
        let terminal = try clock.startTerminal("$P watch --at 2026-03-10T16:30Z", environment: Self.berlin)
        for process in [watch, terminal] { try process.waitForOutput("Tokyo") }
        let good = try #require(clock.session.folder.read(document))
        try clock.session.folder.write("{ \"zones\": [", to: document)
        let sentence = "\(clock.session.folder.path(document)) is damaged: line 1, column 13"
        try watch.waitForLog("worldclock: \(sentence)")
        try terminal.waitForOutput("damaged:")
        try clock.session.folder.write(good, to: document)
        try watch.waitForLog("worldclock: nothing is wrong with the settings any more\n")
        let cleared = "\u{1B}[H\u{1B}[K\u{1B}[1mBerlin: 17:30, Tue 10 Mar"
        try eventually("a screen without it") {
            let last = terminal.stdout.components(separatedBy: cleared).last ?? ""
            return terminal.stdout.components(separatedBy: cleared).count > 3 && !last.contains("damaged:")
        }
        #expect(watch.stdout.components(separatedBy: "Tokyo   01:30").count == 2)
    }

    @Test func outputThatCannotBeWrittenIsAFailure() throws {
        for arguments in ["", "--json", "--help"] {
            let full = try RunningProcess(
                "bash", ["-c", "'\(Products.path("worldclock"))' \(arguments) >/dev/full"],
                environment: clock.session.environment
            ).result()
            #expect(full.status == .exited(1), "\(arguments): \(full)")
            #expect(full.stderr.contains("No space left on device"), "\(arguments): \(full)")
        }
    }

    @Test func aTerminalObeysNothingInAnError() throws {
        let shown = try clock.terminal("$P add $'\\e[31mX\\u202e'", environment: ["LC_ALL": "C.UTF-8"])
        #expect(shown.contains("no one zone or city is called"))
        #expect(!shown.unicodeScalars.contains("\u{1B}") && !shown.unicodeScalars.contains("\u{202E}"), "\(shown)")
    }

    // MARK: Meetings

    /// A meeting that is looked for, and the minutes since midnight here between which it can be, or why it cannot.
    struct Case: CustomStringConvertible {
        var zones: [String]
        var date: String
        var hours = ("8", "17")
        var here = "Europe/Berlin"
        var windows: [String]
        var minutes: Int

        var description: String { "\(zones) \(date) \(hours) in \(here)" }
    }

    private static let transatlantic = ["America/New_York", "Europe/Berlin"]

    static let cases: [Case] = [
        // America changes its clocks three weeks before Europe, and back a week after it.
        Case(zones: transatlantic, date: "2026-03-07", windows: ["14:00-17:00"], minutes: 180),
        Case(zones: transatlantic, date: "2026-03-08", windows: ["13:00-17:00"], minutes: 240),
        Case(zones: transatlantic, date: "2026-03-28", windows: ["13:00-17:00"], minutes: 240),
        Case(zones: transatlantic, date: "2026-03-29", windows: ["14:00-17:00"], minutes: 180),
        Case(zones: transatlantic, date: "2026-10-24", windows: ["14:00-17:00"], minutes: 180),
        Case(zones: transatlantic, date: "2026-10-25", windows: ["13:00-17:00"], minutes: 240),
        Case(zones: transatlantic, date: "2026-10-31", windows: ["13:00-17:00"], minutes: 240),
        Case(zones: transatlantic, date: "2026-11-01", windows: ["14:00-17:00"], minutes: 180),
        // Halves and quarters of hours.
        Case(zones: ["Asia/Kolkata", "Europe/Berlin"], date: "2026-01-15", windows: ["08:00-12:30"], minutes: 270),
        Case(zones: ["Asia/Kathmandu", "Europe/Berlin"], date: "2026-01-15", windows: ["08:00-12:15"], minutes: 255),
        // Hours that are skipped and repeated, by the clock on the wall.
        Case(zones: ["Europe/Berlin"], date: "2026-03-29", hours: ("1", "4"), windows: ["01:00-04:00"], minutes: 120),
        Case(zones: ["Europe/Berlin"], date: "2026-10-25", hours: ("1", "4"), windows: ["01:00-04:00"], minutes: 240),
        Case(zones: ["Europe/Berlin"], date: "2026-10-25", hours: ("0", "24"), windows: ["00:00-24:00"], minutes: 1500),
        Case(zones: ["Europe/Berlin"], date: "2026-03-29", hours: ("2", "3"), windows: [], minutes: 0),
        Case(
            zones: ["Australia/Lord_Howe"], date: "2026-04-05", hours: ("0", "3"), here: "Australia/Lord_Howe",
            windows: ["00:00-03:00"], minutes: 210),
        Case(
            zones: ["Australia/Lord_Howe"], date: "2026-10-04", hours: ("0", "3"), here: "Australia/Lord_Howe",
            windows: ["00:00-03:00"], minutes: 150),
        Case(
            zones: ["Australia/Lord_Howe", "Australia/Sydney"], date: "2026-10-04", hours: ("9:30", "17"),
            here: "Australia/Sydney", windows: ["09:30-17:00"], minutes: 450),
        // Those who work at night, an alias, the day before and the day after.
        Case(
            zones: ["Europe/Berlin"], date: "2026-01-15", hours: ("22", "6"), windows: ["00:00-06:00", "22:00-24:00"],
            minutes: 480),
        Case(zones: ["US/Pacific"], date: "2026-01-15", windows: ["00:00-02:00", "17:00-24:00"], minutes: 540),
        Case(zones: ["Asia/Tokyo", "Mars/Olympus"], date: "2026-01-15", windows: ["00:00-09:00"], minutes: 540),
    ]

    @Test func meetingsAreFoundByTheClocksOfTheDay() throws {
        for meeting in Self.cases {
            try clock.control("set", "zones", "[\(meeting.zones.map { "\"\($0)\"" }.joined(separator: ","))]")
            let found = try run(
                "meet", "--json", "--date", meeting.date, "--from", meeting.hours.0, "--to", meeting.hours.1, zone: meeting.here
            ).stdout.object()
            let windows = try #require(found["windows"] as? [[String: Any]])
            let here = windows.compactMap { $0["here"] as? [String: String] }
            let times = here.map { "\($0["start"]?.suffix(5) ?? "")-\($0["end"]?.suffix(5) ?? "")" }
            #expect(times == meeting.windows, "\(meeting)")
            #expect(windows.compactMap { $0["minutes"] as? Int }.reduce(0, +) == meeting.minutes, "\(meeting)")
            #expect(found["unknown"] as? [String] == meeting.zones.filter { $0.hasPrefix("Mars/") })
        }
    }

    @Test func aMeetingIsShownHereAndInEachZone() throws {
        try select("America/New_York", "Asia/Kolkata", "Mars/Olympus")
        #expect(
            try run("meet", "--from", "8", "--to", "21:30", "--date", "2026-03-10").stdout == """
                Tuesday 10 March 2026, 08:00 to 21:30 in each zone

                13:00–17:00 here (Europe/Berlin), 4 h
                  New York  08:00–12:00
                  Kolkata   17:30–21:30

                Left out, since this system does not know them: Mars/Olympus

                """)
        try select("Asia/Tokyo")
        #expect(
            try run("meet", "--from", "22", "--to", "2", "--date", "2026-03-10", zone: "America/New_York").stdout.hasSuffix(
                "\n09:00–13:00 here (America/New_York), 4 h\n  Tokyo  22:00 – 02:00 tomorrow\n"))
        try clock.control("set", "meeting.start=10", "meeting.end=12")
        #expect(
            try run("meet", "--date", "2026-03-10").stdout.contains(
                "02:00–04:00 here (Europe/Berlin), 2 h\n  Tokyo  10:00–12:00\n"))
        #expect(try run("hours", "9", "18").stdout == "hours of work: 09:00 to 18:00\n")
        #expect(try clock.control("get", "meeting.end").stdout == "18\n")
        #expect(try run("meet", "--date", "2011-12-30", zone: "Pacific/Apia").stderr.contains("no Friday 30 December 2011 here"))
    }

    @Test func whatStandsInTheWayIsNamed() throws {
        try select("America/New_York", "Asia/Tokyo", "Europe/Berlin")
        #expect(
            try run("meet", "--from", "9", "--to", "10", "--date", "2026-01-15").stdout.hasSuffix(
                """

                There is no hour at which all of them are at work.
                New York and Tokyo are never at work at the same time
                New York and Berlin are never at work at the same time
                Tokyo and Berlin are never at work at the same time

                """))
        #expect(
            try run("meet", "--date", "2026-01-15").stdout.hasSuffix(
                """
                New York stands in the way: without it, 08:00–09:00 here
                Tokyo stands in the way: without it, 14:00–17:00 here

                """))
        let found = try run("meet", "--date", "2026-01-15", "--json").stdout.object()
        #expect((found["without"] as? [String: Any])?.keys.sorted() == ["America/New_York", "Asia/Tokyo"])
        #expect(found["pairs"] as? [String] == [])
        try select("Europe/Berlin", "America/New_York")
        #expect(
            try run("meet", "--from", "2", "--to", "3", "--date", "2026-03-29").stdout.hasSuffix(
                "\nBerlin has no such hours on that day: its clocks skip them\n"))
        // Two on each third of the earth: it is nobody's fault alone, nor that of two.
        try select("Etc/UTC", "Africa/Abidjan", "Asia/Singapore", "Asia/Manila", "Pacific/Pitcairn", "Etc/GMT+8")
        #expect(
            try run("meet", "--from", "8", "--to", "24", "--date", "2026-01-15", zone: "UTC").stdout.hasSuffix(
                "\nEach two of the zones have hours in common, but not all of them\n"))
        try select("Mars/Olympus")
        #expect(try run("meet").stderr.contains("this system knows none of the selected zones: Mars/Olympus"))
    }
}

/// What an example says where something is missing.
@Suite(.logsOnFailure) struct ExampleStartTests {
    @Test func aProgramInstallsItsSchemaAndTellsWhatIsMissing() throws {
        let session = try TestSession()
        func run(_ arguments: String..., environment changes: [String: String] = [:]) throws -> CommandResult {
            try RunningProcess(
                Products.path("worldclock"), arguments, environment: session.environment.merging(changes) { $1 }
            ).result()
        }
        let address = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        let noBus = try run(environment: address)
        #expect(noBus.status == .exited(5))
        #expect(noBus.stderr.contains("/nowhere") && noBus.stderr.contains("hint: run it in a session"))
        let noDaemon = try run("--json")
        #expect(noDaemon.status == .exited(5))
        #expect((try noDaemon.stderr.object()["error"] as? [String: String])?["name"] == "NoDaemon")
        // In the words of settingsctl.
        let hint = try session.control("get", "provider").stderr.split(separator: "\n").last ?? "?"
        #expect(hint.contains("org.settingsd.Settings1.service"))
        #expect(try run().stderr.hasSuffix("\n\(hint)\n"))
        let daemon = try session.startDaemon()
        let noSchema = try run()
        #expect(noSchema.status == .exited(1))
        #expect(noSchema.stderr.hasSuffix("is not installed\nhint: to install it for you: worldclock --install\n"))
        #expect(try run("--help").stdout.hasSuffix("\nTheir schema is not installed yet: worldclock --install\n"))
        let installed = try run("--install")
        #expect(installed.status == .exited(0), "\(installed)")
        #expect(try run("--json").stdout.object()["zones"] as? [String] == [])
        let help = try run("--help").stdout
        #expect(try run("help").stdout == help)
        #expect(help.hasPrefix("worldclock: ") && help.contains("\nExamples\n  worldclock add Tokyo"))
        #expect(!help.contains("not installed yet"))
        let file = "\(TestSession.userSchemas)/org.settingsd.WorldClock.json"
        let zones = #"{"type": "array", "items": {"type": "string"}, "default": []}"#
        try session.folder.write(#"{"type": "object", "properties": {"zones": \#(zones)}}"#, to: file)
        for command in [["hours", "9", "17"], ["meet"]] {
            try eventually("the older schema") {
                try RunningProcess(Products.path("worldclock"), command, environment: session.environment).result().stderr
                    .contains("is not this program's own schema, which worldclock --install puts in its place\n")
            }
        }
        #expect(try run("--install").stdout == "replaced by this program's: \(session.folder.path(file))\n")
        try session.folder.write("{", to: file)
        try daemon.end()
        let again = try session.startDaemon()
        #expect(try run().stderr.contains("\nhint: all that is wrong with it: settingsctl check /"))
        _ = again
    }
}
