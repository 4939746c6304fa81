package import EventLoop
import Foundation
package import SettingsClient
package import SettingsCommand
import Spelling

/// What the user has asked the program for, and the means to answer.
public struct Invocation {
    let program: Program
    let problems = Problems()
    public private(set) var command: Program.Command
    /// The command that help is wanted of; nil: of all.
    private(set) var topic: Program.Command?
    public private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private let start: Result<EventLoop, EventLoopError>

    init(_ program: Program) {
        self.program = program
        command = program.commands[0]
        start = Result { () throws(EventLoopError) in try EventLoop() }
    }

    // MARK: Arguments

    /// Whether an option was given.
    public func has(_ option: String) -> Bool { values[option] != nil }

    /// The value that an option was given.
    public subscript(option: String) -> String? { values[option] }

    mutating func parse(_ words: [String]) throws(Failure) {
        // Errors before the word itself are told as it wants them, too.
        if words.prefix(while: { $0 != "--" }).contains("--json") { values["json"] = "" }
        var rest = words[...]
        var texts: [String] = []
        var given: [Program.Option] = []
        while let word = rest.popFirst() {
            if word == "--" {
                texts += rest
                break
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                texts.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = try option(parts[0])
            given.append(option)
            values[option.name] = try value(of: option, parts.count == 2 ? parts[1] : nil, &rest)
        }
        try take(texts, given)
    }

    /// The value that stands behind an option, as its word says or in the next word.
    private func value(
        of option: Program.Option, _ inWord: String?, _ rest: inout ArraySlice<String>
    ) throws(Failure) -> String {
        guard let name = option.value else {
            if inWord == nil { return "" }
            throw .usage("--\(option.name) takes no value")
        }
        guard let value = inWord ?? rest.popFirst() else { throw .usage("--\(option.name) needs a value: \(name)") }
        if value.isEmpty, !option.takesEmpty { throw .usage("--\(option.name) needs a value that is not empty: \(name)") }
        return value
    }

    private func option(_ word: String) throws(Failure) -> Program.Option {
        let name = word == "-h" ? "help" : word.hasPrefix("--") ? String(word.dropFirst(2)) : nil
        let all = program.options + Program.common + program.commands.flatMap(\.options)
        if let option = all.first(where: { $0.name == name }) { return option }
        let typed = String(word.drop { $0 == "-" })
        let nearest = Suggestion.nearest(to: typed, among: all.map(\.name)).map { "did you mean --\($0)?" }
        throw .usage("there is no option \(word)", hint: nearest ?? "\(program.name) --help lists them")
    }

    private mutating func take(_ texts: [String], _ options: [Program.Option]) throws(Failure) {
        operands = texts
        let isTold = has("help") || has("version")
        if let name = texts.first {
            guard let named = program.commands.first(where: { $0.name == name }) else {
                if name == "help" {
                    values["help"] = ""
                    return try takeTopic(texts.dropFirst())
                }
                if isTold { return }
                let nearest = Suggestion.nearest(to: name, among: program.commands.map(\.name))
                throw .usage(
                    "there is no command \(name.isEmpty ? "\"\"" : name)",
                    hint: nearest.map { "did you mean \(program.name) \($0)?" } ?? "\(program.name) --help lists them")
            }
            command = named
            if has("help") { topic = named }
            operands.removeFirst()
        }
        if isTold || has("install") { return }
        let own = (command.options + program.options + [Program.json]).map(\.name)
        if let stranger = options.first(where: { !own.contains($0.name) }) {
            throw .usage("--\(stranger.name) does not go with \(command.name)", hint: "\(program.name) --help tells more")
        }
        try checkOperands()
    }

    /// Takes what help is wanted of.
    private mutating func takeTopic(_ texts: ArraySlice<String>) throws(Failure) {
        guard let name = texts.first else { return }
        if texts.count > 1 { throw .usage("unexpected argument \"\(texts[texts.startIndex + 1])\"") }
        guard let named = program.commands.first(where: { $0.name == name }) else {
            let nearest = Suggestion.nearest(to: name, among: program.commands.map(\.name))
            throw .usage(
                "there is no command \(name.isEmpty ? "\"\"" : name)",
                hint: nearest.map { "did you mean \(program.name) help \($0)?" } ?? "\(program.name) --help lists them")
        }
        topic = named
    }

    private func checkOperands() throws(Failure) {
        let usage = "usage: \(program.name) \(command.usage)"
        if operands.count < command.count.lowerBound {
            throw .usage("\(command.word(ofOperand: operands.count)) is missing", hint: usage)
        }
        if operands.count > command.count.upperBound {
            throw .usage("unexpected argument \"\(operands[command.count.upperBound])\"", hint: usage)
        }
        if let empty = operands.firstIndex(of: "") { throw .usage("\(command.word(ofOperand: empty)) is empty", hint: usage) }
    }

    // MARK: The standard input

    /// - Throws: where the program was started without a standard input.
    package func requireStandardInput() throws(Failure) {
        // What stands in for a closed one from the start on can only be written.
        let flags = fcntl(STDIN_FILENO, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE == O_WRONLY else { return }
        throw Failure("the standard input is closed", hint: "as in: \(program.name) \(command.name) - <FILE")
    }

    /// All that there is to read.
    package func standardInput() throws(Failure) -> [UInt8] {
        try requireStandardInput()
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += piece[..<count] }
            if count < 0, errno != EINTR { throw Failure("cannot read the standard input: \(systemMessage(errno))") }
        }
    }

    // MARK: Settings

    /// The one loop that the program lives on.
    package func loop() throws(Failure) -> EventLoop {
        do throws(EventLoopError) { return try start.get() } catch { throw Failure("\(error)") }
    }

    /// Connects to the settings; what is wrong with them is told before the answer.
    ///
    /// - Parameter tellsProblems: false for what mends a file, or says itself why it cannot.
    package func connect(tellsProblems: Bool = true) throws(Failure) -> ApplicationClient {
        let client = try connect(startsDaemon: true)
        guard tellsProblems else { return client }
        do throws(ClientError) {
            keep(problems(of: try client.statusAndWait()))
        } catch {
            throw Failure(error)
        }
        return client
    }

    /// Connects to the settings, whatever is wrong with them.
    func connect(startsDaemon: Bool) throws(Failure) -> ApplicationClient {
        let loop = try loop()
        do throws(ClientError) {
            return try .connectAndWait(to: program.application, on: loop, startsDaemon: startsDaemon)
        } catch {
            var failure = Failure(error)
            // The daemon knows no object for an application without a schema.
            if error.name == "org.freedesktop.DBus.Error.UnknownObject" {
                let file = schemaFile()
                failure.message = "the schema of \(program.application) is not \(file == nil ? "installed" : "in use")"
                if let fault = file.flatMap(firstFault) { failure.message += ": \(fault)" }
                failure.hint =
                    file.map { "all that is wrong with it: settingsctl check \($0)" }
                    ?? "to install it for you: \(program.name) --install"
            }
            throw failure
        }
    }
}
