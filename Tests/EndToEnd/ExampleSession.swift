import Foundation
import TestSupport

/// A session in which one of the example applications is installed and the daemon runs.
struct ExampleSession {
    let session: TestSession
    let daemon: RunningProcess
    let program: String
    let application: String
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Examples")

    /// All of them: the program's name, and the folder of its sources, which the application is named for.
    static let all = [("worldclock", "WorldClock"), ("legal", "Legal"), ("notes", "Notes"), ("hotels", "Hotels")]

    /// - Parameters:
    ///   - program: the name of the built program.
    ///   - folder: where its schema is, in Sources/Examples.
    init(_ program: String, folder: String, application: String) throws {
        session = try TestSession()
        self.program = program
        self.application = application
        try session.install(try Self.source("\(folder)/\(application).json"), as: application)
        daemon = try session.startDaemon()
    }

    /// The text of a file in Sources/Examples.
    static func source(_ file: String) throws -> String {
        try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
    }

    func start(_ arguments: [String], environment changes: [String: String] = [:]) throws -> RunningProcess {
        try RunningProcess(
            Products.path(program), arguments, environment: session.environment.merging(changes) { $1 })
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
        try start(arguments, environment: environment).result()
    }

    /// Runs settingsctl with the application's settings.
    @discardableResult
    func control(_ arguments: String...) throws -> CommandResult {
        try session.startControl(["-a", application] + arguments).result()
    }

    /// Starts a line of bash's on a terminal of 24 lines, the program being `$P`, and leaves it running.
    func startTerminal(
        _ line: String, columns: Int = 80, environment changes: [String: String] = [:]
    ) throws -> RunningProcess {
        let script = "stty cols \(columns) rows 24; P='\(try Products.path(program))'; \(line)"
        let environment = session.environment.merging(["TERM": "xterm", "SCRIPT": script]) { $1 }.merging(changes) { $1 }
        return try RunningProcess("script", ["-qfec", "bash -c \"$SCRIPT\"", "/dev/null"], environment: environment)
    }

    /// Runs a line as `startTerminal` does, and returns what that shows.
    func terminal(_ line: String, columns: Int = 80, environment changes: [String: String] = [:]) throws -> String {
        try startTerminal(line, columns: columns, environment: changes).result().stdout.replacingOccurrences(
            of: "\r\n", with: "\n")
    }
}
