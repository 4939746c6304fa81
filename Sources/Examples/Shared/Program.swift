import Foundation
import SettingsBus
import SettingsClient
import SettingsCommand

/// A program for the terminal: its commands and options in tables, which its help is made of and its arguments are read by.
public struct Program: Sendable {
    /// The command that is typed.
    public var name: String
    /// One line: what it is for.
    public var summary: String
    /// The application whose settings these are.
    public var application: String
    /// The schema file, for `--install`.
    public var schema: [UInt8]
    /// What stands first in the help.
    public var examples: [Example]
    /// The first one is carried out where none is named.
    public var commands: [Command]
    /// What every command takes beside `--json`.
    public var options: [Option]

    /// Makes a program; `run` runs it.
    public init(
        name: String, summary: String, application: String, schema: [UInt8], examples: [Example], commands: [Command],
        options: [Option] = []
    ) {
        self.name = name
        self.summary = summary
        self.application = application
        self.schema = schema
        self.examples = examples
        self.commands = commands
        self.options = options
    }

    /// A line to type, and what it does.
    public struct Example: Sendable {
        var line: String
        var meaning: String

        public init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// A word that begins with two hyphens.
    public struct Option: Sendable {
        /// As the help has it, without the hyphens: `from HOUR`, or `all` for one without a value.
        var usage: String
        var summary: String
        /// Whether its value may be an empty text.
        var takesEmpty: Bool

        public init(_ usage: String, _ summary: String, takesEmpty: Bool = false) {
            self.usage = usage
            self.summary = summary
            self.takesEmpty = takesEmpty
        }

        var name: String { usage.words[0] }
        /// What its value is called; nil: it has none.
        var value: String? { usage.words.dropFirst().first }
    }

    /// Something that the program does.
    public struct Command: Sendable {
        var usage: String
        var summary: String
        var options: [Option]
        /// What it prints with `--json`, as a JSON object with words for the values; nil: nothing of its own.
        var json: String?
        var run: @Sendable (Invocation) throws -> Void

        /// - Parameters:
        ///   - usage: its name, and operands as the help has them: `ZONE…` for one or more, `[TEXT]` for one or none.
        ///   - json: what it prints with `--json`.
        ///   - options: those that this command alone takes.
        ///   - run: does it; what it throws is told to the user.
        public init(
            _ usage: String, _ summary: String, options: [Option] = [], json: String? = nil,
            run: @escaping @Sendable (Invocation) throws -> Void
        ) {
            self.usage = usage
            self.summary = summary
            self.options = options
            self.json = json
            self.run = run
        }

        var name: String { usage.words[0] }

        private var operands: [String] { Array(usage.words.dropFirst()) }

        /// What the help calls an operand, without the marks of those that may be missing or repeated.
        func word(ofOperand index: Int) -> String {
            operands[min(index, operands.count - 1)].filter { !"[]…".contains($0) }
        }

        /// How many operands there may be.
        var count: ClosedRange<Int> {
            let required = operands.filter { !$0.hasPrefix("[") }.count
            return required...(usage.hasSuffix("…") || usage.hasSuffix("…]") ? Int.max : operands.count)
        }
    }

    static let json = Option("json", "prints JSON, one value a line")
    static let install = Option("install", "installs the program's schema for you, as a package would for all")
    static let version = Option("version", "prints the version")
    static let help = Option("help", "prints this")
    /// What every program takes.
    static let common = [json, install, version, help]

    // MARK: Running

    /// Does what the process's arguments say, and ends the process with a status that tells how it went.
    public func run() -> Never {
        ProcessEnvironment.claimStandardStreams()
        var invocation = Invocation(self)
        do {
            try invocation.parse(Array(CommandLine.arguments.dropFirst()))
            try carryOut(invocation)
            exit(ExitStatus.done.rawValue)
        } catch {
            let failure = invocation.hinted(Failure(error))
            invocation.report(failure)
            exit(failure.status.rawValue)
        }
    }

    private func carryOut(_ invocation: Invocation) throws {
        if invocation.has("help") {
            let help = Help(program: self, width: Terminal.size?.width ?? .max)
            return invocation.write(
                invocation.topic.map(help.lines) ?? help.lines(isInstalled: invocation.schemaFile() != nil))
        }
        if invocation.has("version") { return invocation.write(["\(name) \(SettingsVersion.current)"]) }
        if invocation.has("install") { return try invocation.install() }
        try invocation.command.run(invocation)
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
