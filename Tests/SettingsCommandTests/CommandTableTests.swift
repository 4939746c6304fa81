import Testing

@testable import SettingsCommand

@Suite struct CommandTableTests {
    @Test func everyOptionBelongsToACommandOrToAll() {
        for option in OptionTable.all {
            let owners = CommandTable.all.filter { $0.options.contains(option.name) }
            #expect(option.isGlobal == owners.isEmpty, "\(option.name)")
        }
        #expect(Set(OptionTable.all.map(\.name)) == Set(OptionName.allCases))
    }

    @Test func everyCommandHasItsOwnNameASummaryAndExamples() {
        #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
        for command in CommandTable.all {
            #expect(!command.summary.hasSuffix(".") && command.summary.first?.isUppercase == true, "\(command.name)")
            #expect(!command.examples.isEmpty, "\(command.name)")
        }
    }

    @Test(arguments: [
        ("list", "list [SECTION|KEY…]"), ("get", "get KEY"), ("set", "set KEY VALUE | KEY=VALUE…"),
        ("reset", "reset SECTION|KEY… | --all"), ("watch", "watch [--exec CMD] [SECTION|KEY…]"),
        ("dispatch", "dispatch ACTION [NAME=VALUE…]"), ("open", "open [--print] LINK"), ("log", "log [-n N] [SECTION|KEY…]"),
        ("export", "export [FILE]"), ("import", "import FILE|- [--dry-run] [--skip-locked] [--merge|--replace]"),
        ("edit", "edit"), ("check", "check FILE"), ("status", "status"), ("doctor", "doctor [--repair]"),
        ("completions", "completions bash|zsh|fish"),
        ("help", "help [COMMAND]"),
    ])
    func theUsageLineFollowsFromTheTable(name: String, usage: String) throws {
        #expect(try CommandTable.command(named: name).usage == usage)
    }

    @Test func withoutACommandTheValuesAreListed() throws {
        #expect(try CommandTable.command(named: nil).name == "list")
    }

    @Test(arguments: [("gte", "get"), ("lst", "list"), ("desc", "describe"), ("Watch", "watch")])
    func anUnknownCommandComesWithTheNearestOne(typed: String, meant: String) throws {
        let failure = try #require(throws: Failure.self) { try CommandTable.command(named: typed) }
        #expect(failure.message == "there is no command \"\(typed)\"")
        #expect(failure.hint == "did you mean \"\(meant)\"?")
    }

    @Test(arguments: [
        (["unset", "profile.name"], "reset"), (["delete"], "reset"), (["clear"], "reset"), (["show"], "list"), (["ls"], "list"),
        (["read", "profile.name"], "get"), (["write"], "set"), (["profile.name"], "get profile.name"),
        (["provider", "tidal"], "set provider tidal"), (["profile.name", "Ada", "Lovelace"], "set profile.name 'Ada Lovelace'"),
        (["profile.name=Ada"], "set profile.name=Ada"), (["profile"], "list profile"),
    ])
    func whatWasMeantByAnotherWordIsOffered(words: [String], meant: String) throws {
        let failure = try #require(throws: Failure.self) {
            try CommandTable.command(named: words[0], followedBy: Array(words.dropFirst()))
        }
        #expect(failure.hint == "did you mean \"\(meant)\"?")
    }

    @Test func tooFewAndTooManyOperandsAreNamed() throws {
        let missing = try #require(throws: Failure.self) { try Command.get.operands.check([], of: "get") }
        #expect(missing.message == "KEY is missing")
        #expect(missing.hint == "usage: settingsctl get KEY")
        let extra = try #require(throws: Failure.self) { try Command.get.operands.check(["a", "b"], of: "get") }
        #expect(extra.message == "unexpected argument \"b\"")
        #expect(extra.hint == "for several: settingsctl list a b")
        #expect(throws: Never.self) { try Command.list.operands.check(["a", "b", "c"], of: "list") }
    }
}

@Suite struct ExampleTests {
    /// What help shows must work when it is typed.
    @Test func everyExampleIsACommandLineThatTheTableTakes() throws {
        for command in CommandTable.all {
            for example in command.examples {
                let line = try ParsedLine(words(of: example.line))
                let found = try CommandTable.command(named: line.name)
                #expect(found.name == command.name, "\(example.line)")
                _ = try Options(line, of: found)
                try found.operands.check(line.operands, of: found.name)
            }
        }
    }

    /// Words as a shell makes them of a line with single quotes.
    private func words(of line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                words += part.split(separator: " ").map(String.init)
            } else if let last = words.last, last.hasSuffix("=") {
                words[words.count - 1] += part
            } else {
                words.append(String(part))
            }
        }
        return words
    }
}
