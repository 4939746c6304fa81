/// A program's help, made of its tables.
struct Help {
    let program: Program
    /// How many cells a line has; `Int.max` where it is no terminal.
    let width: Int

    func lines(isInstalled: Bool) -> [Line] {
        var lines = plain("\(program.name): \(program.summary)") + ["", Line("Examples", .bold)]
        lines += table(program.examples.map { ($0.line, $0.meaning) })
        lines += ["", Line("Commands", .bold)]
        lines += table(
            program.commands.flatMap { command in
                [(command.usage, command.summary)] + command.options.map { ("  --\($0.usage)", $0.summary) }
            })
        lines += ["", Line("Options", .bold)]
        lines += table((program.options + Program.common).map { ("--\($0.usage)", $0.summary) })
        lines.append("")
        lines += plain(
            "The settings are those of \(program.application): settingsctl -a \(program.application) list")
        if !isInstalled { lines += plain("Their schema is not installed yet: \(program.name) --install") }
        return lines
    }

    /// What there is to say about one command.
    func lines(of command: Program.Command) -> [Line] {
        var lines = plain("usage: \(program.name) \(command.usage)") + [""] + plain(command.summary) + [""]
        lines += [Line("Options", .bold)]
        lines += table((command.options + program.options + Program.common).map { ("--\($0.usage)", $0.summary) })
        if let json = command.json { lines += [""] + plain("With --json: \(json)") }
        return lines
    }

    private func plain(_ text: String) -> [Line] { text.wrapped(to: width).map { Line($0) } }

    /// What is typed, and beside it what it does; below it where a line has no room for both.
    private func table(_ rows: [(String, String)]) -> [Line] {
        let widest = rows.map(\.0.width).max() ?? 0
        let isBeside = widest <= width / 2
        let indent = isBeside ? widest + 4 : 8
        return rows.flatMap { typed, meaning in
            let lines = meaning.wrapped(to: width == .max ? .max : max(width - indent, 10))
            let first = isBeside ? "  " + typed.filled(to: widest + 2) + lines[0] : "  " + typed
            let rest = lines.dropFirst(isBeside ? 1 : 0).map { String(repeating: " ", count: indent) + $0 }
            return ([first] + rest).map { Line($0) }
        }
    }
}
