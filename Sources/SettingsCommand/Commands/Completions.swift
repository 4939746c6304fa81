internal import SettingsModel

extension Command {
    static let completions = Command(
        .completions, summary: "Prints what makes a shell complete commands, settings and values",
        operands: Operands(.shell, .topic, minimum: 1, usage: Shell.allCases.map(\.rawValue).joined(separator: "|")),
        examples: [
            Example("completions bash", "prints the script; in ~/.bashrc: source <(settingsctl completions bash)"),
            Example("completions zsh", "likewise in ~/.zshrc, behind compinit: source <(settingsctl completions zsh)"),
            Example("completions fish", "in ~/.config/fish/config.fish: settingsctl completions fish | source"),
        ],
        details: """
            An installation has put the scripts where the shells find them by themselves. They need no daemon: commands, \
            settings, choices and actions are those of this settingsctl. Behind -a APP they ask settingsctl for those of the \
            application: with a TOPIC it prints the words of that topic alone, each with a tab and a summary.
            """,
        run: { invocation throws(Failure) in
            let name = invocation.operands[0]
            guard let shell = Shell.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
                let known = Shell.allCases.map(\.rawValue).joined(separator: ", ")
                throw invocation.usage("there is no script for \(name.quoted())", hint: "there is one for \(known)")
            }
            guard invocation.operands.count == 1 else {
                let words = try CompletionTopic.words(of: invocation.operands[1], application: invocation.options.application)
                for word in words { invocation.output.line("\(word.text)\t\(word.summary)") }
                return
            }
            invocation.output.write(Array(shell.script(for: .builtIn).utf8))
        })
}
