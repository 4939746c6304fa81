public import EventLoop
import Foundation
public import SettingsClient

/// What the user has asked the program for, and the means to answer.
public struct Invocation {
    let program: Program
    let problems = Problems()
    public private(set) var command: Program.Command
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
        var given: [(option: Program.Option, value: String)] = []
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
            switch (option.value, parts.count) {
            case (nil, 1): given.append((option, ""))
            case (nil, _): throw .usage("--\(option.name) takes no value")
            case (_, 2): given.append((option, parts[1]))
            case (let name?, _):
                guard let value = rest.popFirst() else { throw .usage("--\(option.name) needs a value: \(name)") }
                given.append((option, value))
            }
        }
        for (option, value) in given { values[option.name] = value }
        try take(texts, given.map(\.option))
    }

    private func option(_ word: String) throws(Failure) -> Program.Option {
        let name = word == "-h" ? "help" : word.hasPrefix("--") ? String(word.dropFirst(2)) : nil
        let all = program.options + [Program.json, Program.install, Program.help] + program.commands.flatMap(\.options)
        guard let option = all.first(where: { $0.name == name }) else {
            throw .usage("there is no option \(word)", hint: "\(program.name) --help lists them")
        }
        return option
    }

    private mutating func take(_ texts: [String], _ options: [Program.Option]) throws(Failure) {
        operands = texts
        if let name = texts.first {
            guard let named = program.commands.first(where: { $0.name == name }) else {
                if name == "help" { values["help"] = "" }
                if has("help") { return }
                throw .usage("there is no command \(name)", hint: "\(program.name) --help lists them")
            }
            command = named
            operands.removeFirst()
        }
        if has("help") || has("install") { return }
        let own = (command.options + program.options + [Program.json]).map(\.name)
        if let stranger = options.first(where: { !own.contains($0.name) }) {
            throw .usage("--\(stranger.name) does not go with \(command.name)", hint: "\(program.name) --help tells more")
        }
        guard command.count.contains(operands.count) else {
            let usage = "usage: \(program.name) \(command.usage)"
            throw .usage(operands.count < command.count.lowerBound ? "something is missing" : "too much is given", hint: usage)
        }
    }

    // MARK: Settings

    /// The one loop that the program lives on.
    public func loop() throws(Failure) -> EventLoop {
        do throws(EventLoopError) { return try start.get() } catch { throw Failure("\(error)") }
    }

    /// Connects to the settings, and tells what is wrong with them.
    public func connect() throws(Failure) -> ApplicationClient {
        let client = try connect(startsDaemon: true)
        tell(client.problems)
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
                failure.hint =
                    file.map { "what is wrong with it: settingsctl check \($0)" }
                    ?? "to install it for you: \(program.name) --install"
            }
            throw failure
        }
    }
}
