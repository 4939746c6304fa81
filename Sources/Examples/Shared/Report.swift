import Foundation

/// What a program shows: lines for people, JSON for programs.
public protocol Report: Encodable {
    /// - Parameter width: how many cells a line has; `Int.max` where it is no terminal.
    func lines(width: Int) -> [Line]
}

/// A value as JSON on one line, keys sorted.
func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

extension Invocation {
    /// Prints a report, in the form that the user wants.
    public func print(_ report: some Report) {
        do {
            if has("json") { return write(text: try json(report) + "\n") }
            write(report.lines(width: Terminal.size?.width ?? .max))
        } catch {
            self.report(Failure(error))
        }
    }

    func write(_ lines: [Line]) {
        let isTerminal = Terminal.size != nil
        write(text: lines.map { (isTerminal ? $0.shown(isColoured: Terminal.isColoured) : $0.text) + "\n" }.joined())
    }

    func write(text: String) { Terminal.write(text) }

    /// Tells a person something beside the output.
    public func notice(_ text: String) {
        if !has("json") { Terminal.write("\(program.name): \(text)\n", to: STDERR_FILENO) }
    }

    /// Tells something beside the answer.
    public func remark(_ text: String) { Terminal.write("\(program.name): \(text)\n", to: STDERR_FILENO) }

    /// Tells why something has failed, and what to do about it.
    func report(_ failure: Failure) {
        let hint = failure.hint.map { "hint: \($0)\n" } ?? ""
        var text = "\(program.name): \(failure.message)\n\(hint)"
        do {
            if has("json") { text = try json(["error": ["name": failure.name, "message": failure.message]]) + "\n" }
        } catch {
            text += "\(program.name): \(error), ignoring\n"
        }
        Terminal.write(text, to: STDERR_FILENO)
    }
}

/// The terminal that the output goes to.
public enum Terminal {
    /// Whether more than ASCII is understood there, as the locale says (locale(7)).
    public static let isUTF8: Bool = {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }()

    /// Its size in cells; nil where the output goes elsewhere.
    public static var size: (width: Int, height: Int)? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether it shows more than text, https://no-color.org.
    static let isColoured: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return size != nil && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    }()

    /// Whether lines can be drawn over.
    static let canRedraw = size != nil && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Writes all of a text at once; who reads it may go (SIGPIPE then ends the program quietly).
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                // Somebody has told the terminal not to let writers wait.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
