/// One command with its operands and options, and what it works with.
struct Invocation {
    let command: Command
    let operands: [String]
    let options: Options
    let output: Output
    let messages: Messages
    let session: Session

    /// Prints text for people, or the object for programs where `--json` asks for it.
    func usage(_ message: String, hint: String? = nil) -> Failure { .usage(message, of: command.name, hint: hint) }
}
