internal import SettingsModel

/// One command: all that parsing, usage errors, help, suggestions and completions need to know, and what it does.
package struct Command: Sendable {
    package let id: CommandName
    /// What it does, in one line without a full stop.
    package let summary: String
    let operands: Operands
    /// The options that it takes beside the global ones.
    package let options: [OptionName]
    private let makeExamples: @Sendable () -> [Example]
    /// What help says beyond the summary, in paragraphs.
    package let details: String
    let run: @Sendable (Invocation) throws(Failure) -> Void

    /// Makes a command; its examples when they are shown.
    init(
        _ id: CommandName, summary: String, operands: Operands, options: [OptionName] = [],
        examples: @escaping @Sendable @autoclosure () -> [Example], details: String = "",
        run: @escaping @Sendable (Invocation) throws(Failure) -> Void
    ) {
        self.id = id
        self.summary = summary
        self.operands = operands
        self.options = options
        makeExamples = examples
        self.details = details
        self.run = run
    }

    package var name: String { id.rawValue }
    package var examples: [Example] { makeExamples() }

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
    /// What an operand is; the raw value is what completion asks for.
    enum Kind: String, Sendable {
        case key = "KEY"
        /// The key of a list.
        case listKey = "LIST"
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

        /// The word for it in usage lines.
        var word: String { self == .listKey ? Kind.key.rawValue : rawValue }
    }

    /// The kinds of the first operands, as far as each has one of its own; no list, which would be made at each start.
    private let first: Kind?
    private let second: Kind?
    private let leadingCount: Int
    /// The kind of any number of further ones.
    let repeated: Kind?
    /// How many there have to be.
    let minimum: Int
    /// The usage line behind the command's name, where it does not follow from options and kinds; made when it is shown.
    let usage: @Sendable () -> String?
    /// The command for more operands than this one takes.
    let several: String?

    /// - Parameters:
    ///   - first: the kind of the first operand, if it has one of its own.
    ///   - second: the kind of the one behind that.
    ///   - repeated: the kind of those that follow, if any may.
    ///   - minimum: how many there have to be; nil: those with a kind of their own.
    ///   - usage: the usage line behind the command's name, where it does not follow from options and kinds.
    ///   - several: the command for more operands than that.
    init(
        _ first: Kind? = nil, _ second: Kind? = nil, repeated: Kind? = nil, minimum: Int? = nil,
        usage: @escaping @Sendable @autoclosure () -> String? = nil, several: String? = nil
    ) {
        self.first = first
        self.second = second
        self.repeated = repeated
        leadingCount = (first == nil ? 0 : 1) + (second == nil ? 0 : 1)
        self.minimum = minimum ?? leadingCount
        self.usage = usage
        self.several = several
    }

    var leading: [Kind] { [first, second].compactMap { $0 } }

    /// The words of a usage line: `KEY [NAME=VALUE…]`.
    var words: [String] {
        var words = leading.enumerated().map { $0 < minimum ? $1.word : "[\($1.word)]" }
        if let repeated { words.append(minimum > leading.count ? "\(repeated.word)…" : "[\(repeated.word)…]") }
        return words
    }

    static let none = Operands()

    /// Checks how many operands there are.
    ///
    /// - Throws: `Usage` for one too few or too many.
    func check(_ operands: [String], of command: String) throws(Failure) {
        if operands.count < minimum {
            let missing = operands.count < leading.count ? leading[operands.count] : repeated
            throw .usage("\(missing?.word ?? "an argument") is missing", of: command)
        }
        if repeated == nil, operands.count > leadingCount {
            let words = operands.map(\.quotedForShell).joined(separator: " ")
            throw .usage(
                "unexpected argument \(operands[leadingCount].quoted())", of: command,
                hint: several.map { "for several: settingsctl \($0) \(words)" })
        }
    }
}
