internal import Glibc
internal import JSON

/// Standard output: collects what a command prints and writes it in one go.
final class Output {
    private static let descriptor = STDOUT_FILENO
    private var bytes: [UInt8] = []

    /// Whether a person is looking: tables, and control characters escaped.
    lazy var isTerminal = isatty(Self.descriptor) == 1
    /// The cells of the terminal's line; nil without one.
    var width: Int? {
        var size = winsize()
        guard isTerminal, unsafe ioctl(Self.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
    /// Whether colour is wanted.
    lazy var isColoured = isTerminal && Environment.wantsColour

    /// Adds a line as it is.
    func line(_ text: String) {
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a JSON value on a line of its own, keys sorted.
    func line(_ value: JSONValue) {
        bytes += JSONWriter.sortedLine(value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a text with its own line ends, as it is.
    func write(_ text: [UInt8]) { bytes += text }

    /// A text that came from outside, fit for where it goes.
    func shown(_ text: String) -> String { isTerminal ? text.withControlsEscaped : text }

    /// Writes what was added. A reader that has gone ends the process quietly, as SIGPIPE would.
    ///
    /// - Throws: `Failed` when it cannot be written.
    func flush() throws(Failure) {
        defer { bytes = [] }
        switch writeAll(bytes, to: Self.descriptor) {
        case 0: return
        case EPIPE: exit(ExitStatus.done.rawValue)
        case let code: throw .failed("cannot write to standard output: \(systemMessage(code))")
        }
    }
}

/// Standard error: what goes wrong and what to do about it.
struct Messages {
    /// Errors as JSON.
    var json = false
    /// No hints and notices.
    var isQuiet = false

    /// Reports why a command has failed.
    ///
    /// - Parameter command: its name, where it is known.
    func report(_ failure: Failure, of command: String?) {
        if json {
            let message = ([failure.message] + failure.further).joined(separator: "; ")
            let error: JSONObject = ["name": .string(failure.name), "message": .string(message)]
            write(String(decoding: JSONWriter.sortedLine(.object(["error": .object(error)])), as: UTF8.self) + "\n")
            return
        }
        let prefix = "settingsctl: " + (command.map { "\($0): " } ?? "")
        let lines = ([failure.message] + failure.further).map { shown(prefix + $0) + "\n" }
        let hint = isQuiet ? "" : failure.hint.map { shown("hint: \($0)") + "\n" } ?? ""
        write(lines.joined() + hint)
    }

    /// Says that something has failed which the command goes on without; for programs it is an error like any other.
    func warn(of failure: Failure, in command: String) {
        if json { report(failure, of: command) } else { notice(failure.message, of: command) }
    }

    /// Says something that is no error.
    func notice(_ text: String, of command: String) {
        if !isQuiet { write(shown("settingsctl: \(command): \(text)") + "\n") }
    }

    /// Asks somebody at a terminal and returns the line that they type; nil where there is no more to come.
    func ask(_ question: String) -> String? {
        write(question)
        return readLine()
    }

    private func shown(_ text: String) -> String {
        isatty(STDERR_FILENO) == 1 ? text.withControlsEscaped : text
    }

    private func write(_ text: String) {
        // There is nobody left to tell that standard error cannot be written.
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// Writes all of the bytes, waiting where the descriptor does not block.
///
/// - Returns: 0, or the `errno` of what went wrong.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if written >= 0 {
            rest = rest.dropFirst(written)
        } else if errno == EAGAIN {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&wanted, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}

/// What the system says about an `errno`.
package func systemMessage(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
