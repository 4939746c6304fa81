import Testing

@testable import SettingsCommand

/// What takes command lines apart: getopt_long(3) has one state for the whole process.
@Suite(.serialized) enum ParsingTests {}

extension ParsingTests {
    @Suite struct ParsedLineTests {
        @Test func optionsStandAnywhere() throws {
            for words in [["--json", "get", "k"], ["get", "--json", "k"], ["get", "k", "--json"]] {
                let line = try ParsedLine(words)
                #expect(line.operands == ["get", "k"])
                #expect(line.options == [.json: ""])
            }
        }

        @Test func twoHyphensEndTheOptions() throws {
            let line = try ParsedLine(["set", "k", "--", "--json", "-q", "--"])
            #expect(line.operands == ["set", "k", "--json", "-q", "--"])
            #expect(line.options.isEmpty)
        }

        @Test func valuesComeBehindASpaceOrTheSign() throws {
            for words in [["--expect", "7"], ["--expect=7"], ["--expe=7"]] {
                #expect(try ParsedLine(words).options == [.expect: "7"])
            }
            #expect(try ParsedLine(["log", "-n3"]).options == [.number: "3"])
            #expect(try ParsedLine(["log", "-n", "3"]).options == [.number: "3"])
        }

        @Test func shortOptionsMayBeGrouped() throws {
            #expect(try ParsedLine(["-qh"]).options == [.quiet: "", .help: ""])
        }

        @Test func theLastOfTwoValuesCounts() throws {
            #expect(try ParsedLine(["--expect=1", "--expect=2"]).options == [.expect: "2"])
        }

        @Test func aHyphenAloneAndTheEmptyTextAreOperands() throws {
            #expect(try ParsedLine(["set", "-", ""]).operands == ["set", "-", ""])
        }

        @Test func aSecondLineIsReadLikeTheFirst() throws {
            #expect(throws: Failure.self) { try ParsedLine(["-qz"]) }
            #expect(try ParsedLine(["-q", "get"]).operands == ["get"])
        }

        @Test(arguments: [
            (["--jsno"], "there is no option \"--jsno\"", "did you mean --json?"),
            (["get", "k", "--jsno=1"], "there is no option \"--jsno\"", "did you mean --json?"),
            (["--frobnicate"], "there is no option \"--frobnicate\"", "to pass a value that begins with -, put -- before it"),
            (["set", "k", "-x"], "there is no option -x", "to pass a value that begins with -, put -- before it"),
            (["-qxq"], "there is no option -x", "to pass a value that begins with -, put -- before it"),
            (["--ex"], "--ex is ambiguous: --exec, --expect", "see settingsctl --help"),
            (["--json=1"], "--json takes no value", "see settingsctl --help"),
            (["--expect"], "--expect needs a value: REVISION", "see settingsctl --help"),
            (["log", "-n"], "-n needs a value: N", "see settingsctl --help"),
        ])
        func aFaultSaysWhatIsWrong(words: [String], message: String, hint: String) throws {
            let failure = try #require(throws: Failure.self) { try ParsedLine(words) }
            #expect(failure.message == message)
            #expect(failure.hint == hint)
            #expect(failure.status == .usage)
            #expect(failure.name == "Usage")
        }
    }
}

extension ParsingTests {
    @Suite struct OptionsTests {
        private func options(_ words: [String], of command: Command) throws -> Options {
            try Options(try ParsedLine(words).options, of: command)
        }

        @Test func theDefaultsAreAsHelpSays() throws {
            let options = try options([], of: .get)
            #expect(options.timeout == .seconds(10))
            #expect(options.startsDaemon && !options.json && !options.isQuiet && options.expectedRevision == nil)
        }

        @Test(arguments: [("2", Duration.seconds(2)), ("0.25", .milliseconds(250)), (".5", .milliseconds(500))])
        func theTimeLimitTakesFractions(text: String, limit: Duration) throws {
            #expect(try options(["--timeout", text], of: .get).timeout == limit)
        }

        @Test(arguments: ["0", "0.0", "-1", "x", "", "1s", "1,5", "nan", "inf", "1e3", ".", "0x1"])
        func theTimeLimitIsSecondsAboveZero(text: String) {
            #expect(throws: Failure.self) { try options(["--timeout=\(text)"], of: .get) }
        }

        @Test func aHugeTimeLimitIsTaken() throws {
            #expect(try options(["--timeout", String(repeating: "9", count: 400)], of: .get).timeout == .seconds(1_000_000_000))
        }

        @Test(arguments: ["", "x", "-1", "+1", "1.0", "18446744073709551616", " 1"])
        func aRevisionIsAWholeNumber(text: String) {
            #expect(throws: Failure.self) { try options(["--expect=\(text)"], of: .set) }
        }

        @Test func theHighestRevisionIsTaken() throws {
            #expect(try options(["--expect", "18446744073709551615"], of: .set).expectedRevision == UInt64.max)
        }

        @Test func anOptionOfAnotherCommandIsRefusedNamingIt() throws {
            let failure = try #require(throws: Failure.self) { try options(["--exec", "x"], of: .get) }
            #expect(failure.message == "--exec is an option of watch only")
            #expect(failure.hint == "usage: settingsctl get KEY")
        }
    }
}
