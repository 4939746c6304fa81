import Foundation
import TestSupport
import Testing

/// The times that the world clock among the examples is given, and the zone here.
@Suite(.logsOnFailure) struct ExampleClockTimeTests {
    let clock: ExampleSession

    init() throws {
        clock = try ExampleSession("worldclock", folder: "WorldClock", application: "org.settingsd.WorldClock")
    }

    private func run(_ arguments: String..., zone: String = "Europe/Berlin") throws -> CommandResult {
        try clock.start(arguments, environment: ["TZ": zone]).result()
    }

    @Test func aTimeOnTheClockIsTheFirstOfItsKind() throws {
        for (time, zone, instant) in [
            ("2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
            ("2026-10-25 02:30+01:00", "Europe/Berlin", "2026-10-25T01:30:00Z"),
            ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00Z"),
            ("2026-03-29 02:30", "Europe/Berlin", "2026-03-29T01:00:00Z"),
            ("2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
            ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"), ("2026-03-29T24:00", "UTC", "2026-03-30T00:00:00Z"),
        ] {
            #expect(try run("--json", "--at", time, zone: zone).stdout.object()["at"] as? String == instant, "\(time)")
        }
        #expect(try run("--at", "2011-12-30", zone: "Pacific/Apia").status == .exited(4))
    }

    @Test func aTimeIsGivenAsItIsPrintedAndInOtherForms() throws {
        for (time, instant) in [
            ("2026-03-10T16:30:15Z", "2026-03-10T16:30:15Z"), ("2026-03-10t16:30z", "2026-03-10T16:30:00Z"),
            ("2026-03-10T16:30:15.25+05:30", "2026-03-10T11:00:15Z"), ("2026-03-10T16:30+0530", "2026-03-10T11:00:00Z"),
            ("2026-03-10 16:30-09", "2026-03-11T01:30:00Z"), ("2026-03-10T16:30:59", "2026-03-10T15:30:59Z"),
        ] {
            #expect(try run("--json", "--at", time).stdout.object()["at"] as? String == instant, "\(time)")
        }
        let printed = try #require(try run("--json").stdout.object()["at"] as? String)
        #expect(try run("--json", "--at", printed).stdout.object()["at"] as? String == printed)
        for time in [
            "2026-03-10T16:30:60Z", "2026-03-10T16:30ZZ", "2026-03-10T16:30+24:00", "2026-03-10T16:30+05:30:10", "+026-03-10",
            "2026-03-10T+5", "2026-03-10T16:30.5",
        ] {
            #expect(try run("--at", time).stderr.contains("\(time) is no time"), "\(time)")
        }
    }

    @Test func aTimeThatClocksSkipOrRepeatIsToldWithWhatIsTaken() throws {
        let skipped = try run("--json", "--at", "2026-03-29T02:30:15")
        #expect(
            skipped.stderr
                == "worldclock: 02:30 on Sunday 29 March 2026 does not exist here, since clocks skip it; 03:00 is taken\n")
        #expect(try skipped.stdout.object()["at"] as? String == "2026-03-29T01:00:00Z")
        #expect(
            try run("--at", "2026-10-25 02:30").stderr
                == "worldclock: 02:30 on Sunday 25 October 2026 comes twice here; the first is taken, as 02:30+02:00 says, too\n")
        for time in ["2026-03-29T03:00", "2026-10-25 03:00", "2026-10-25 02:30+01:00", "2026-03-29T24:00"] {
            #expect(try run("--at", time).stderr == "", "\(time)")
        }
    }

    @Test func aZoneHereThatTheSystemDoesNotKnowIsMarked() throws {
        try clock.control("insert", "zones", "Asia/Tokyo")
        let shown = try run("--at", "2026-03-10T16:30Z", zone: "Nonsense")
        let row = "Nonsense  16:30  Tue 10 Mar  same time            Nonsense    "
        #expect(shown.stdout.hasPrefix("\(row)this system does not know it; its time is taken to be UTC\n"), "\(shown)")
        let remark = "a time zone that this system does not know; the time here is taken to be UTC\n"
        #expect(shown.stderr == "worldclock: TZ is Nonsense, \(remark)")
        for zone in [":/no/such/file", "/no/such/file", ":CET-1", "Mars/Olympus", "AB3"] {
            let shown = try run("--json", zone: zone)
            #expect((try shown.stdout.object()["here"] as? [String: Any])?["known"] as? Bool == false, "\(zone)")
            #expect(try run("meet", zone: zone).stderr.hasSuffix(remark), "\(zone)")
        }
        for zone in ["", ":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3", "<-03>3", "UTC0"] {
            let shown = try run("--json", zone: zone)
            #expect((try shown.stdout.object()["here"] as? [String: Any])?["known"] as? Bool == true, "\(zone)")
            #expect(shown.stderr == "", "\(zone)")
        }
        #expect(try run("--at", "2026-03-10T16:30Z", zone: "").stdout.hasPrefix("UTC    16:30"))
    }
}
