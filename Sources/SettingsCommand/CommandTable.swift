internal import SettingsModel
internal import Spelling

/// The names of the commands, in the order in which help shows them.
package enum CommandName: String, CaseIterable, Sendable {
    case list
    case get
    case set
    case reset
    case insert
    case remove
    case describe
    case watch
    case dispatch
    case actions
    case open
    case log
    case undo
    case redo
    case export
    case `import`
    case edit
    case apps
    case check
    case status
    case doctor
    case completions
    case help

    /// The command, which is made when it is first asked for: most runs need but one.
    var command: Command {
        switch self {
        case .list: .list
        case .get: .get
        case .set: .set
        case .reset: .reset
        case .insert: .insert
        case .remove: .remove
        case .describe: .describe
        case .watch: .watch
        case .dispatch: .dispatch
        case .actions: .actions
        case .open: .open
        case .log: .log
        case .undo: .undo
        case .redo: .redo
        case .export: .export
        case .import: .import
        case .edit: .edit
        case .apps: .apps
        case .check: .check
        case .status: .status
        case .doctor: .doctor
        case .completions: .completions
        case .help: .help
        }
    }
}

/// Every command, in the order in which help shows them. Parsing, usage errors, help and suggestions come from here.
package enum CommandTable {
    package static let all = CommandName.allCases.map(\.command)

    /// The command of a name, or nil.
    static func command(_ name: String) -> Command? {
        for candidate in CommandName.allCases where candidate.rawValue == name { return candidate.command }
        return nil
    }

    /// The command that a command line begins with; the first of the table where it names none.
    ///
    /// - Parameters:
    ///   - operands: what follows the name.
    ///   - application: the id of the application that it is about; empty: the daemon's own settings.
    /// - Throws: `Usage` with what was meant, as far as that can be told.
    static func command(
        named name: String?, followedBy operands: [String] = [], application: String = ""
    ) throws(Failure) -> Command {
        guard let name else { return .list }
        if let command = command(name) { return command }
        let meant =
            line(without: name, operands, of: application) ?? synonyms[name]
            ?? Suggestion.nearest(to: name, among: CommandName.allCases.map(\.rawValue))
        throw .usage("there is no command \(name.quoted())", hint: meant.map { "did you mean \"\($0)\"?" })
    }

    /// What other programs call our commands.
    private static let synonyms = [
        "unset": "reset", "delete": "reset", "clear": "reset", "rm": "remove", "add": "insert", "append": "insert",
        "show": "list", "ls": "list",
        "print": "list", "read": "get", "cat": "get", "write": "set", "put": "set", "monitor": "watch", "follow": "watch",
        "history": "log", "info": "describe", "dump": "export", "load": "import", "validate": "check", "lint": "check",
        "applications": "apps",
    ]

    /// The command line where somebody has left the command out and begun with a setting or a section.
    private static func line(without word: String, _ operands: [String], of application: String) -> String? {
        let schema: Schema
        do throws(Failure) {
            schema = try InstalledSchemas.schema(of: application)
        } catch {
            // That there is no command is what is wrong first.
            return nil
        }
        if let (key, _) = word.assignment, schema.setting(named: key) != nil { return "set \(word.quotedForShell)" }
        if schema.setting(named: word) != nil {
            return operands.isEmpty ? "get \(word)" : "set \(word) \(operands.joined(separator: " ").quotedForShell)"
        }
        return schema.sections.contains(word) ? "list \(word)" : nil
    }
}
