internal import SettingsBus

/// The help texts, made from the tables.
enum Help {
    /// Prints the help of a command, or the overview.
    static func print(_ command: Command?, on output: Output) {
        for line in command.map(lines) ?? overview { output.line(line) }
    }

    private static var overview: [String] {
        var lines = ["settingsctl reads, changes and watches the settings that the applications of a session share.", ""]
        lines += section("Examples", CommandTable.all.compactMap(\.examples.first).prefix(6).map(cells))
        lines += ["Usage: settingsctl [COMMAND] [ARGUMENT…]", ""]
        lines += section("Commands", CommandTable.all.map { [$0.name, $0.summary] })
        lines += section("Options, with every command", cells(of: OptionTable.all.filter(\.isGlobal)))
        lines += section("Exit status", ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
        return lines + ["settingsctl help COMMAND says more about one command."]
    }

    private static func lines(of command: Command) -> [String] {
        var lines = section("Examples", command.examples.map(cells))
        lines += ["Usage: settingsctl \(command.usage)", "", "\(command.summary)."]
        for paragraph in command.details.split(separator: "\n") { lines += [""] + wrapped(String(paragraph)) }
        lines.append("")
        if !command.options.isEmpty { lines += section("Options", cells(of: command.options.map { OptionTable[$0] })) }
        lines += section("Options, with every command", cells(of: OptionTable.all.filter(\.isGlobal)))
        lines.removeLast()
        return lines
    }

    private static func cells(of example: Command.Example) -> [String] {
        ["settingsctl \(example.line)".trimmedAtEnd, example.purpose]
    }

    private static func cells(of options: [CommandOption]) -> [[String]] { options.map { [$0.listed, $0.summary] } }

    /// A paragraph in lines that a narrow terminal holds.
    private static func wrapped(_ paragraph: String) -> [String] {
        var lines: [String] = []
        for word in paragraph.split(separator: " ") {
            if let line = lines.last, line.displayWidth + word.count < 80 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// A title, rows with their columns aligned, and an empty line.
    private static func section(_ title: String, _ rows: [[String]]) -> [String] {
        ["\(title):"] + TextTable(rows.map { TextTable.Row(cells: $0) }).aligned().map { "  \($0)" } + [""]
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
