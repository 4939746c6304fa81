internal import DBus
internal import SettingsBus
internal import SettingsCommand
internal import SettingsModel
internal import SettingsService

/// The parts of the manual's pages that come from tables.
enum Manual {
    /// What a line of a page becomes: `@NAME@` a part, every other line itself, the version put in.
    ///
    /// - Returns: nil for a part that there is not.
    static func lines(for line: String) -> [String]? {
        if line.count > 2, line.first == "@", line.last == "@" { return part(String(line.dropFirst().dropLast())) }
        let pieces = line.split(separator: "@version@", omittingEmptySubsequences: false)
        return [pieces.joined(separator: SettingsVersion.current)]
    }

    private static func part(_ name: String) -> [String]? {
        switch name {
        case "commands": CommandTable.all.flatMap(command)
        case "options": options(OptionTable.all.filter(\.isGlobal))
        case "exit-status": statuses(ExitStatus.allCases.map { ($0.rawValue, $0.meaning) })
        case "daemon-options": daemonOptions
        case "daemon-exit-status": statuses(Daemon.Status.allCases.map { ($0.rawValue, $0.meaning) })
        case "settings": settings(of: .builtIn)
        case "actions": actions(of: .builtIn)
        case "errors": errors
        default: nil
        }
    }

    // MARK: The command line

    private static func command(_ command: Command) -> [String] {
        var lines = [".It Ic " + Roff.argument(command.usage)] + Roff.lines("\(command.summary).")
        for paragraph in command.details.split(separator: "\n") { lines += [".Pp"] + Roff.lines(String(paragraph)) }
        if !command.options.isEmpty { lines += options(command.options.map { OptionTable[$0] }) }
        let examples = command.examples.map { example in
            ("Li " + Roff.argument("settingsctl \(example.line)".trimmedAtEnd), Roff.lines("\(example.purpose).".capitalized))
        }
        lines += Roff.list(examples, width: "Ds")
        return lines
    }

    private static func options(_ options: [CommandOption]) -> [String] {
        Roff.list(
            options.map { option in
                let words = option.listed.split(separator: " ").joined(separator: " ")
                return ("Ic " + Roff.argument(words), Roff.lines("\(option.summary)."))
            }, width: "Ds")
    }

    private static var daemonOptions: [String] {
        Roff.list(
            DaemonArguments.declarations.map { option in
                let words = [option.name, option.value].compactMap { $0 }.joined(separator: " ")
                return ("Ic " + Roff.argument(words), Roff.lines("\(option.summary).".capitalized))
            }, width: "Ds")
    }

    private static func statuses(_ statuses: [(Int32, String)]) -> [String] {
        Roff.list(statuses.map { ("\($0)", Roff.lines("\($1).".capitalized)) }, width: "Ds")
    }

    // MARK: The settings

    private static func settings(of schema: Schema) -> [String] {
        Roff.list(
            schema.settings.map { setting in
                let alias = setting.alias.map { " or " + $0 } ?? ""
                let text = "\(setting.summary). \(setting.rule.documentation) Default: \(setting.defaultValue.documentation)."
                return ("Va " + Roff.argument(setting.key + alias), Roff.lines(text))
            }, width: "Ds")
    }

    private static func actions(of schema: Schema) -> [String] {
        Roff.list(
            schema.actions.map { action in
                let arguments = action.arguments.map { argument -> (term: String, lines: [String]) in
                    let optional = argument.isOptional ? ", optional" : ""
                    let type = argument.type.signature.rawValue
                    return (
                        "Fa " + Roff.argument(argument.name), Roff.lines("\(argument.summary) (D-Bus type \(type)\(optional)).")
                    )
                }
                let lines = arguments.isEmpty ? [] : Roff.list(arguments, width: "Ds")
                return ("Ic " + Roff.argument(action.name), Roff.lines("\(action.summary).") + lines)
            }, width: "Ds")
    }

    private static var errors: [String] {
        Roff.list(SettingsError.Name.allCases.map { ("Er " + Roff.argument($0.rawValue), Roff.lines($0.summary)) }, width: "Ds")
    }
}

extension String {
    /// The text with a capital at its beginning.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

    fileprivate var trimmedAtEnd: String { last == " " ? String(dropLast()) : self }
}
