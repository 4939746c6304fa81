import Foundation
import TestSupport
import Testing

extension TestSession {
    /// The environment with `settingsctl` and `settingsd` in the PATH.
    func shellEnvironment() throws -> [String: String] {
        let folder = (try Products.path("settingsctl") as NSString).deletingLastPathComponent
        return environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }
    }

    /// Starts a bash script and leaves it running.
    func startShell(_ script: String) throws -> RunningProcess {
        try RunningProcess("bash", ["-c", script], environment: shellEnvironment())
    }

    /// Runs a bash script to its end.
    func shell(_ script: String) throws -> CommandResult {
        try startShell(script).result()
    }

    /// Runs settingsctl on a terminal and returns what that shows.
    func terminal(_ line: String, environment: String = "TERM=xterm") throws -> String {
        let result = try shell("script -qec '\(environment) settingsctl \(line)' /dev/null")
        #expect(result.status == .exited(0), "\(result)")
        return result.stdout.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Runs settingsctl and returns the object that it prints.
    func object(_ arguments: [String]) throws -> [String: Any] {
        let process = try startControl(arguments)
        let status = try process.waitForExit()
        guard status == .exited(0) else { throw TestFailure("\(arguments): \(status)\n\(process.log)") }
        return try process.stdout.object()
    }
}

extension String {
    /// The JSON object that the text is.
    func object() throws -> [String: Any] {
        let value = try? JSONSerialization.jsonObject(with: Data(utf8))
        return try #require(value as? [String: Any], "\(self)")
    }

    /// The JSON objects that the lines of the text are.
    func objects() throws -> [[String: Any]] {
        try split(separator: "\n").map { try String($0).object() }
    }
}

/// Without the newline at the end; two texts are the same when their bytes are.
func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }

/// Waits until the condition holds.
func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    try within(.seconds(20), what, condition)
}
