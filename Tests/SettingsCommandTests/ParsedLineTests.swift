import Testing

@testable import SettingsCommand

@Suite struct ParsedLineTests {
    @Test func optionsStandAnywhere() throws {
        for words in [["--json", "get", "k"], ["get", "--json", "k"], ["get", "k", "--json"]] {
            let line = try ParsedLine(words)
            #expect(line.name == "get" && line.operands == ["k"])
            #expect(line.options == [.json: ""])
        }
    }

    @Test func twoHyphensEndTheOptions() throws {
        let line = try ParsedLine(["set", "k", "--", "--json", "-q", "--"])
        #expect(line.name == "set" && line.operands == ["k", "--json", "-q", "--"])
        #expect(line.options.isEmpty)
    }

    @Test func valuesComeBehindASpaceOrTheSign() throws {
        for words in [["--expect", "7"], ["--expect=7"]] {
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
        #expect(try ParsedLine(["set", "-", ""]).operands == ["-", ""])
    }

    /// Where a part of a name would do, `reset --al` would reset everything.
    @Test(arguments: OptionTable.all.map(\.name.rawValue)) func aPartOfALongOptionIsNone(name: String) {
        for length in 1..<name.count {
            #expect(throws: Failure.self, "\(name.prefix(length))") { try ParsedLine(["x", "--\(name.prefix(length))", "1"]) }
        }
    }

    @Test(arguments: [
        (["--jsno"], "there is no option \"--jsno\"", "did you mean --json?"),
        (["get", "k", "--jsno=1"], "there is no option \"--jsno\"", "did you mean --json?"),
        (["reset", "--al"], "there is no option \"--al\"", "did you mean --all?"),
        (["--frobnicate"], "there is no option \"--frobnicate\"", "see settingsctl --help"),
        (["get", "--frobnicate"], "there is no option \"--frobnicate\"", "usage: settingsctl get KEY"),
        (["set", "k", "-x"], "there is no option -x", "to pass a value that begins with -, put -- before it"),
        (["set", "k", "--x"], "there is no option \"--x\"", "to pass a value that begins with -, put -- before it"),
        (["get", "-x"], "there is no option -x", "usage: settingsctl get KEY"),
        (["-qxq"], "there is no option -x", "see settingsctl --help"),
        (["set", "--dry-rum"], "there is no option \"--dry-rum\"", "import has --dry-run, set has not"),
        (["log", "-5"], "there is no option -5", "did you mean -n 5?"),
        (["log", "-25", "profile"], "there is no option -2", "did you mean -n 25?"),
        (["get", "-5"], "there is no option -5", "usage: settingsctl get KEY"),
        (["watch", "--exec", "jq", "-r", ".values[]"], "there is no option -r", "quote the command: --exec 'jq -r .values[]'"),
        (["watch", "--exec", "ls", "--all-"], "there is no option \"--all-\"", "quote the command: --exec 'ls --all-'"),
        (["--json=1"], "--json takes no value", "see settingsctl --help"),
        (["--expect"], "--expect needs a value: REVISION", "see settingsctl --help"),
        (["log", "-n"], "-n needs a value: N", "usage: settingsctl log [-n N] [SECTION|KEY…]"),
    ])
    func aFaultSaysWhatIsWrong(words: [String], message: String, hint: String) throws {
        let failure = try #require(throws: Failure.self) { try ParsedLine(words) }
        #expect(failure.message == message)
        #expect(failure.hint == hint)
        #expect(failure.status == .usage)
        #expect(failure.name == "Usage")
    }
}

@Suite struct OptionsTests {
    private func options(_ words: [String], of command: Command) throws -> Options {
        try Options(try ParsedLine(words), of: command)
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

    @Test func aNumberIsRefusedNamingTheOptionAsItWasTyped() throws {
        for option in ["-n", "--number"] {
            let failure = try #require(throws: Failure.self) { try options([option, "x"], of: .log) }
            #expect(failure.message == "\(option) takes a whole number, not \"x\"")
        }
    }

    @Test func anOptionOfAnotherCommandIsRefusedNamingIt() throws {
        let failure = try #require(throws: Failure.self) { try options(["--exec", "x"], of: .get) }
        #expect(failure.message == "watch has --exec, get has not")
        #expect(failure.hint == "usage: settingsctl get KEY")
    }
}
