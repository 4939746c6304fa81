public import Foundation
import Synchronization

/// How a process ended.
public enum ExitStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

/// A process that a test has started; killed when this object goes. Its output goes to files, so that nothing blocks.
///
/// Usable from any thread.
public final class RunningProcess: Sendable {
    public let name: String
    public let pid: pid_t
    private let files: TemporaryFolder
    /// What it works in, which must not go before it does.
    private let home: TemporaryFolder?
    private let status = Mutex<ExitStatus?>(nil)

    /// Starts a program with a clean signal mask, default signal actions and no descriptors but the standard three.
    ///
    /// - Parameters:
    ///   - path: the program, absolute or looked up in this process's PATH.
    ///   - environment: the whole environment.
    ///   - folder: the folder to start in; this process's own by default.
    ///   - input: what the program reads from its standard input.
    ///   - home: a folder that is kept as long as the process runs.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String], folder: String? = nil,
        input: String = "", home: TemporaryFolder? = nil
    ) throws {
        self.home = home
        name = (path as NSString).lastPathComponent
        files = try TemporaryFolder()
        try files.write(input, to: "stdin")

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, files.path("stdin"), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files.path("stdout"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files.path("stderr"), O_WRONLY | O_CREAT | O_APPEND, 0o600)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // env(1) changes the folder and then becomes the program, with the same process ID.
        let command = (folder.map { ["env", "-C", $0] } ?? []) + [path] + arguments
        var pid: pid_t = 0
        Guardian.markInheritedDescriptors()
        let refusal = withCStrings(command) { words in
            withCStrings(environment.merging(Self.sanitizerOptions) { $1 }.map { "\($0)=\($1)" }) { variables in
                posix_spawnp(&pid, command[0], &actions, &attributes, words, variables)
            }
        }
        guard refusal == 0 else { throw TestFailure("\(path) cannot be started: \(String(cString: strerror(refusal)))") }
        self.pid = pid
        try Guardian.report(started: pid)
        TestLogs.add(self)
    }

    /// What tells a sanitizer in a program where to report to; see `make sanitize`.
    private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }

    /// Whether programs are under a sanitizer, which keeps much more memory than they ask for.
    public static let isSanitized = !sanitizerOptions.isEmpty

    deinit {
        if poll() == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            Guardian.report(ended: pid)
        }
    }

    /// What it has written so far.
    public var stdout: String { files.read("stdout") ?? "" }
    public var stderr: String { files.read("stderr") ?? "" }

    /// All that it has written, under headings, for a failure's text.
    public var log: String {
        """
        --- \(name) (\(pid)) stdout
        \(stdout)
        --- \(name) (\(pid)) stderr
        \(stderr)
        """
    }

    public var isRunning: Bool { poll() == nil }

    /// Sends a signal to this process and no other.
    public func signal(_ signal: Int32) {
        status.withLock { status in
            // A process that was waited for has given its ID back.
            if status == nil { _ = kill(pid, signal) }
        }
    }

    /// Waits for the end of the process.
    @discardableResult
    public func waitForExit(within limit: Duration = .seconds(20)) throws -> ExitStatus {
        try wait(limit, "the end of \(name)") { poll() != nil }
        return poll() ?? .exited(-1)
    }

    /// Ends the process by a signal and waits for it.
    @discardableResult
    public func end(_ signal: Int32 = SIGTERM, within limit: Duration = .seconds(20)) throws -> ExitStatus {
        self.signal(signal)
        return try waitForExit(within: limit)
    }

    /// Waits until the standard output has a text in it.
    public func waitForOutput(_ text: String, within limit: Duration = .seconds(20)) throws {
        try wait(limit, "\"\(text)\" from \(name)") { stdout.contains(text) }
    }

    /// Waits until the standard error has a text in it.
    public func waitForLog(_ text: String, within limit: Duration = .seconds(20)) throws {
        try wait(limit, "\"\(text)\" in the log of \(name)") { stderr.contains(text) }
    }

    private func wait(_ limit: Duration, _ what: String, _ condition: () -> Bool) throws {
        do {
            try TestSupport.within(limit, what, condition)
        } catch {
            throw TestFailure("\(error)\n\(log)")
        }
    }

    private func poll() -> ExitStatus? {
        status.withLock { status in
            var code: Int32 = 0
            if status == nil, waitpid(pid, &code, WNOHANG) == pid {
                let signal = code & 0x7F
                status = signal == 0 ? .exited(code >> 8 & 0xFF) : .signalled(signal)
                Guardian.report(ended: pid)
            }
            return status
        }
    }
}
