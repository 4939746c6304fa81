internal import SettingsModel
internal import Spelling

/// Every command, in the order in which help shows them. Parsing, usage errors, help and suggestions come from here.
enum CommandTable {
    static let all: [Command] = [
        .list, .get, .set, .reset, .describe, .watch, .dispatch, .actions, .open, .log, .undo, .redo, .export, .import, .edit,
        .status, .doctor, .help,
    ]

    /// The command of a name, or nil.
    static func command(_ name: String) -> Command? { all.first { $0.name == name } }

    /// The command that a command line begins with; the first of the table where it names none.
    ///
    /// - Throws: `Usage` with the nearest command.
    static func command(named name: String?) throws(Failure) -> Command {
        guard let name else { return all[0] }
        if let command = command(name) { return command }
        let nearest = Suggestion.nearest(to: name, among: all.map(\.name)).map { "did you mean \"\($0)\"?" }
        throw .usage("there is no command \(name.quoted())", hint: nearest)
    }
}
