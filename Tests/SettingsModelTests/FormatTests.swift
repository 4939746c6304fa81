import SettingsModel
import Testing

@Suite struct FormatTests {
    private func fault(_ format: StringFormat, _ text: String) -> String? {
        ValueRule.string(StringRule(format: format)).fault(in: .string(text))
    }

    @Test(arguments: [
        "Europe/Berlin", "UTC", "Etc/GMT+5", "Etc/GMT-14", "America/Argentina/ComodRivadavia", "America/Port-au-Prince",
        "EST5EDT",
        "Mars/Olympus_Mons", "GB-Eire",
    ])
    func namesOfTimeZonesAreTakenKnownHereOrNot(_ text: String) { #expect(fault(.timeZone, text) == nil) }

    @Test(arguments: [
        "", "/", "Europe/", "/Berlin", "../etc/passwd", "Europe//Berlin", "Europe Berlin", "5EDT", "CET-1CEST,M3.5.0", "Ü",
    ])
    func whatIsNoNameOfATimeZoneIsRefused(_ text: String) { #expect(fault(.timeZone, text) != nil) }

    @Test(arguments: ["2026-02-28", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"])
    func datesAreTaken(_ text: String) { #expect(fault(.date, text) == nil) }

    @Test(arguments: [
        "", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-01-00", "26-01-01", "2026-1-1",
        "2026-01-01 ",
        "2026-01-01T00:00:00Z", "\u{0662}026-01-01",
    ])
    func whatIsNoDateIsRefused(_ text: String) { #expect(fault(.date, text) != nil) }

    @Test(arguments: [
        "2026-02-28T17:30:00Z", "2026-02-28t17:30:00z", "2026-02-28T17:30:00.5Z", "2026-02-28T17:30:00+01:00",
        "1998-12-31T23:59:60Z",
        "1998-12-31T15:59:60.123-08:00", "2026-02-28T17:30:00-00:00",
    ])
    func datesWithTimesAreTaken(_ text: String) { #expect(fault(.dateTime, text) == nil) }

    @Test(arguments: [
        "", "2026-02-28", "2026-02-28 17:30:00Z", "2026-02-28T17:30:00", "2026-02-28T24:00:00Z", "2026-02-28T17:60:00Z",
        "2026-02-28T17:30:60Z", "2026-02-28T17:30:61Z", "2026-02-30T17:30:00Z", "2026-02-28T17:30:00+24:00",
        "2026-02-28T17:30:00+1:00",
        "2026-02-28T17:30:00.Z", "2026-02-28T17:30Z", "2026-02-28T17:30:00ZZ",
    ])
    func whatIsNoDateWithATimeIsRefused(_ text: String) { #expect(fault(.dateTime, text) != nil) }

    @Test func uuidsAreTakenInTheirTextForm() {
        for text in ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"] {
            #expect(fault(.uuid, text) == nil)
        }
        for text in [
            "", "7d4448409dc011d1b2455ffdce74fad2", "{7d444840-9dc0-11d1-b245-5ffdce74fad2}",
            "7d444840-9dc0-11d1-b245-5ffdce74fadg",
        ] {
            #expect(fault(.uuid, text) != nil)
        }
    }

    @Test func aLinkOfAnySchemeIsTakenWithoutSpacesAndControlCharacters() {
        for text in ["", "spotify:track:1", "https://example.org/ä", "urn:isbn:0451450523", "file:///tmp/x", "x+y-z.1:a"] {
            #expect(fault(.uri(schemes: []), text) == nil)
        }
        for text in ["example.org", "/tmp/x", "1x:y", "ä:b", "https://", "https://example.org/a b", "mailto:\u{1B}", ":x"] {
            #expect(fault(.uri(schemes: []), text) != nil)
        }
    }

    @Test func lengthsCountCharacters() {
        let rule = ValueRule.string(StringRule(minimumLength: 2, maximumLength: 2))
        for text in ["ab", "💩💩", "e\u{301}e\u{301}", "👨‍👩‍👧‍👦!"] { #expect(rule.fault(in: .string(text)) == nil) }
        #expect(rule.fault(in: "a") == "it has 1 character; at least 2 are needed")
        #expect(rule.fault(in: "abc") == "it has 3 characters; at most 2 are allowed")
    }

    @Test func aTextThatCannotGoOverTheBusIsRefused() {
        let rule = ValueRule.string(StringRule())
        #expect(rule.fault(in: "a\0b") == "U+0000 control character is not allowed; remove it")
        #expect(rule.fault(in: "a\nb\t\u{7F}") == nil)
        #expect(rule.fault(in: .string(String(repeating: "x", count: 65_537))) != nil)
    }

    @Test func aRecordHasItsFieldsAndNoOthers() {
        let rule = ValueRule.record(
            RecordRule([.init("id", .integer(Bounds()), required: true), .init("name", .string(StringRule()))]))
        #expect(rule.fault(in: .record(["id": .integer(1)])) == nil)
        #expect(rule.fault(in: .record(["name": "x"])) == "it lacks the field id")
        #expect(rule.fault(in: .record(["id": "x"])) == "id: it takes an integer, not a string")
        #expect(rule.fault(in: .record(["id": .integer(1), "nmae": "x"])) == "it has no field \"nmae\"; did you mean \"name\"?")
    }

    @Test func choicesOfNumbersAreTaken() {
        let rule = ValueRule.integer(Bounds(choices: [12, 24]))
        #expect(rule.fault(in: .integer(12)) == nil)
        #expect(rule.fault(in: .integer(13)) == "it takes one of: 12, 24")
    }

    @Test func aPatternDecidesOrSaysThatItCannot() {
        func rule(_ verdict: Pattern.Verdict) -> ValueRule {
            .string(StringRule(pattern: Pattern(source: "^a$") { _, _ in (verdict, 1) }))
        }
        #expect(rule(.matches).fault(in: "x") == nil)
        #expect(rule(.differs).fault(in: "x") == "it does not match the pattern \"^a$\"")
        #expect(rule(.undecided("no time")).fault(in: "x")?.hasSuffix("cannot be told: no time") == true)
        #expect(rule(.matches) == rule(.differs))
    }
}
