internal import SettingsBus

/// The help texts, made from the tables.
struct Help {
    /// Prints the help of a command, or the overview.
    static func print(_ command: Command?, on output: Output) {
        let help = Help(width: output.width)
        for line in command.map(help.lines) ?? help.overview { help.fitting(line).forEach(output.line) }
    }

    /// The cells of a terminal's line; nil: lines are as long as they are.
    private let width: Int?

    private var overview: [String] {
        var lines = ["settingsctl reads, changes and watches the settings that the applications of a session share.", ""]
        lines += section("Examples", CommandTable.all.compactMap(\.examples.first).prefix(6).map(cells))
        lines += ["Usage: settingsctl [COMMAND] [ARGUMENT…]", ""]
        lines += section("Commands", CommandTable.all.map { [$0.name, $0.summary] })
        lines += section("Options, with every command", cells(of: OptionTable.all.filter(\.isGlobal)))
        lines += section("Exit status", ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
        return lines + ["settingsctl help COMMAND says more about one command."]
    }

    private func lines(of command: Command) -> [String] {
        var lines = section("Examples", command.examples.map(cells))
        lines += ["Usage: settingsctl \(command.usage)", "", "\(command.summary)."]
        for paragraph in command.details.split(separator: "\n") { lines += [""] + wrapped(String(paragraph)) }
        lines.append("")
        if !command.options.isEmpty { lines += section("Options", cells(of: command.options.map { OptionTable[$0] })) }
        lines += section("Options, with every command", cells(of: OptionTable.all.filter(\.isGlobal)))
        lines.removeLast()
        return lines
    }

    private func cells(of example: Command.Example) -> [String] {
        ["settingsctl \(example.line)".trimmedAtEnd, example.purpose]
    }

    private func cells(of options: [CommandOption]) -> [[String]] { options.map { [$0.listed, $0.summary] } }

    /// A line as it is, or in several where the terminal is narrower.
    private func fitting(_ line: String) -> [String] {
        guard let width, line.displayWidth > width else { return [line] }
        return wrapped(line, width: width)
    }

    /// A paragraph in lines that a narrow terminal holds.
    private func wrapped(_ paragraph: String, width: Int? = nil) -> [String] {
        let width = width ?? min(self.width ?? 79, 79)
        var lines: [String] = []
        for word in paragraph.split(separator: " ") {
            if let line = lines.last, line.displayWidth + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// A title, rows with their columns aligned, and an empty line.
    private func section(_ title: String, _ rows: [[String]]) -> [String] {
        let table = TextTable(rows.map { TextTable.Row(cells: $0) }).aligned().map { "  \($0)" }
        guard let width, table.contains(where: { $0.displayWidth > width }) else { return ["\(title):"] + table + [""] }
        let first = 2 + (rows.map { $0[0].displayWidth }.max() ?? 0) + 2
        // What leaves little room beside it has a line of its own.
        guard width - first >= 24 else {
            return ["\(title):"]
                + rows.flatMap { row in
                    wrapped(row[0], width: width - 2).map { "  \($0)" } + wrapped(row[1], width: width - 6).map { "      \($0)" }
                } + [""]
        }
        return ["\(title):"]
            + rows.flatMap { row in
                wrapped(row[1], width: width - first).enumerated().map { index, line in
                    "  \(index == 0 ? row[0] : "")".padded(to: first) + line
                }
            } + [""]
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
