extension Command {
    static let help = Command(
        .help, summary: "Explains a command",
        operands: Operands(.command, minimum: 0),
        examples: [Example("help watch", "explains watch, as settingsctl watch --help does")],
        run: { invocation throws(Failure) in
            let command = try invocation.operands.first.map { name throws(Failure) in
                try CommandTable.command(named: name)
            }
            Help.print(command, on: invocation.output)
        })
}
