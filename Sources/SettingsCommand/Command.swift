internal import SettingsModel

/// One command: all that parsing, usage errors, help, suggestions and completions need to know, and what it does.
package struct Command: Sendable {
    package let name: String
    /// What it does, in one line without a full stop.
    package let summary: String
    let operands: Operands
    /// The options that it takes beside the global ones.
    package var options: [OptionName] = []
    package let examples: [Example]
    /// What help says beyond the summary, in paragraphs.
    package var details: String = ""
    let run: @Sendable (Invocation) throws(Failure) -> Void

    /// One command line and what it is good for.
    package struct Example: Sendable {
        /// Without the program's name.
        package let line: String
        package let purpose: String

        init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// The usage line without the program's name: `set KEY VALUE | KEY=VALUE…`.
    package var usage: String {
        if let words = operands.usage() { return "\(name) \(words)" }
        return ([name] + options.map { "[\(OptionTable[$0].usage)]" } + operands.words).joined(separator: " ")
    }
}

/// What stands on a command line beside options.
struct Operands: Sendable {
    /// What an operand is; the raw value is the word for it in usage lines.
    enum Kind: String, Sendable {
        case key = "KEY"
        case sectionOrKey = "SECTION|KEY"
        case value = "VALUE"
        case assignment = "KEY=VALUE"
        case action = "ACTION"
        case argument = "NAME=VALUE"
        case link = "LINK"
        case file = "FILE"
        case command = "COMMAND"
        case shell = "SHELL"
        case topic = "TOPIC"
    }

    /// The operands in order, as far as each has a kind of its own.
    let leading: [Kind]
    /// The kind of any number of further ones.
    let repeated: Kind?
    /// How many there have to be.
    let minimum: Int
    /// The usage line behind the command's name, where it does not follow from options and kinds; made when it is shown.
    let usage: @Sendable () -> String?
    /// The command for more operands than this one takes.
    let several: String?

    /// - Parameters:
    ///   - leading: the operands in order.
    ///   - repeated: the kind of those that follow, if any may.
    ///   - minimum: how many there have to be; nil: all of `leading`.
    ///   - usage: the usage line behind the command's name, where it does not follow from options and kinds.
    ///   - several: the command for more operands than that.
    init(
        _ leading: [Kind] = [], repeated: Kind? = nil, minimum: Int? = nil,
        usage: @escaping @Sendable @autoclosure () -> String? = nil, several: String? = nil
    ) {
        self.leading = leading
        self.repeated = repeated
        self.minimum = minimum ?? leading.count
        self.usage = usage
        self.several = several
    }

    /// The words of a usage line: `KEY [NAME=VALUE…]`.
    var words: [String] {
        var words = leading.enumerated().map { $0 < minimum ? $1.rawValue : "[\($1.rawValue)]" }
        if let repeated { words.append(minimum > leading.count ? "\(repeated.rawValue)…" : "[\(repeated.rawValue)…]") }
        return words
    }

    static let none = Operands()

    /// Checks how many operands there are.
    ///
    /// - Throws: `Usage` for one too few or too many.
    func check(_ operands: [String], of command: String) throws(Failure) {
        if operands.count < minimum {
            let missing = operands.count < leading.count ? leading[operands.count] : repeated
            throw .usage("\(missing?.rawValue ?? "an argument") is missing", of: command)
        }
        if repeated == nil, operands.count > leading.count {
            let words = operands.map(\.quotedForShell).joined(separator: " ")
            throw .usage(
                "unexpected argument \(operands[leading.count].quoted())", of: command,
                hint: several.map { "for several: settingsctl \($0) \(words)" })
        }
    }
}
