/// One command with its operands and options, and what it works with.
struct Invocation {
    let command: Command
    let operands: [String]
    let options: Options
    let output: Output
    let messages: Messages
    let session: Session

    /// The same with its time limit begun anew, for after somebody else was waited for.
    func renewed() -> Invocation {
        Invocation(
            command: command, operands: operands, options: options, output: output, messages: messages,
            session: Session(options))
    }

    /// A command line that cannot be carried out.
    func usage(_ message: String, hint: String? = nil) -> Failure { .usage(message, of: command.name, hint: hint) }
}
