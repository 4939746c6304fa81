/// The long names of the options.
package enum OptionName: String, CaseIterable, Sendable {
    case all
    case exec
    case number
    case print
    case dryRun = "dry-run"
    case skipLocked = "skip-locked"
    case merge
    case replace
    case repair
    case app
    case json
    case expect
    case timeout
    case noStart = "no-start"
    case quiet
    case help
    case version
}

/// One option of the command line.
package struct CommandOption: Sendable {
    package let name: OptionName
    let short: Unicode.Scalar?
    /// The word for its value in help; nil: it takes none.
    let value: String?
    /// Whether every command takes it.
    package let isGlobal: Bool
    /// What it does, in one line without a full stop.
    package let summary: String

    init(_ name: OptionName, short: Unicode.Scalar? = nil, value: String? = nil, isGlobal: Bool = false, _ summary: String) {
        self.name = name
        self.short = short
        self.value = value
        self.isGlobal = isGlobal
        self.summary = summary
    }

    /// As in a usage line: `-n N`, `--exec CMD`.
    var usage: String {
        (short.map { "-\($0)" } ?? "--\(name.rawValue)") + (value.map { " \($0)" } ?? "")
    }

    /// As in a list of options: `-q, --quiet`.
    package var listed: String {
        (short.map { "-\($0), " } ?? "    ") + "--\(name.rawValue)" + (value.map { " \($0)" } ?? "")
    }
}

/// Every option of every command.
package enum OptionTable {
    package static let all: [CommandOption] = [
        CommandOption(.all, "Resets every setting that is not locked"),
        CommandOption(
            .exec, value: "CMD", "Runs sh -c CMD for each event after the first snapshot, the JSON object on its input"),
        CommandOption(.number, short: "n", value: "N", "Shows the newest N changes only"),
        CommandOption(.print, "Prints the link instead of opening it; everybody hears of it all the same"),
        CommandOption(.dryRun, "Says what would change and changes nothing"),
        CommandOption(.skipLocked, "Leaves out what an administrator has locked"),
        CommandOption(.merge, "Changes the settings of the file and no others (the default)"),
        CommandOption(.replace, "Resets every other setting that is not locked"),
        CommandOption(.repair, "Puts damaged files aside and writes good ones from the journal"),
        CommandOption(.app, short: "a", value: "APP", isGlobal: true, "Is about the settings of an application"),
        CommandOption(.json, isGlobal: true, "Prints JSON, and errors as JSON on standard error"),
        CommandOption(
            .expect, value: "REVISION", isGlobal: true, "Makes a change only if this is the current revision"),
        CommandOption(
            .timeout, value: "SECONDS", isGlobal: true, "Gives up after this time, fractions allowed (default 10)"),
        CommandOption(.noStart, isGlobal: true, "Does not start the daemon"),
        CommandOption(.quiet, short: "q", isGlobal: true, "Prints no hints and no messages but errors"),
        CommandOption(.help, short: "h", isGlobal: true, "Shows help"),
        CommandOption(.version, isGlobal: true, "Shows the version"),
    ]

    package static subscript(name: OptionName) -> CommandOption {
        guard let option = all.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is not in the table of options")
        }
        return option
    }
}
