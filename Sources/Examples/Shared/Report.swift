import Foundation
import SettingsCommand

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
            write(lines(of: report, width: Terminal.size?.width ?? .max))
        } catch {
            self.report(Failure(error))
        }
    }

    func write(_ lines: [Line]) {
        let isTerminal = Terminal.size != nil
        write(text: lines.map { (isTerminal ? $0.shown(isColoured: Terminal.isColoured) : $0.text) + "\n" }.joined())
    }

    /// A report's lines, without those that mislead where something is wrong with the settings.
    func lines(of report: some Report, width: Int) -> [Line] {
        report.lines(width: width).filter { !$0.isHint || !hasProblems }
    }

    /// Writes to the output; the program ends where that cannot be done, since nobody has what was asked for.
    func write(text: String) {
        tellProblems()
        let fault = Terminal.write(text)
        if fault == 0 { return }
        report(Failure("cannot write the output: \(systemMessage(fault))"))
        exit(ExitStatus.failed.rawValue)
    }

    /// Tells a person something beside the output.
    public func notice(_ text: String) {
        if !has("json") { remark(text) }
    }

    /// Tells something beside the answer.
    public func remark(_ text: String) {
        tellProblems()
        Terminal.write(Self.shownAsError("\(program.name): \(text)") + "\n", to: STDERR_FILENO)
    }

    /// A line of the error output; a terminal there obeys nothing in it.
    private static func shownAsError(_ text: String) -> String {
        isatty(STDERR_FILENO) == 1 ? text.withControlsEscaped : text
    }

    /// Tells why something has failed, and what to do about it.
    func report(_ failure: Failure) {
        tellProblems(before: failure)
        let hint = failure.hint.map { Self.shownAsError("hint: \($0)") + "\n" } ?? ""
        var text = Self.shownAsError("\(program.name): \(failure.message)") + "\n" + hint
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

    /// Whether it obeys more than text: what says nothing of itself does not.
    private static let isCapable =
        size != nil && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")

    /// Whether lines can be drawn over.
    static let canRedraw = isCapable

    /// Whether it shows colours, https://no-color.org.
    static let isColoured = isCapable && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    /// Writes all of a text at once; who reads it may go (SIGPIPE then ends the program quietly).
    ///
    /// - Returns: 0, or the `errno` of what went wrong.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Int32 {
        writeAll(Array(text.utf8), to: descriptor)
    }
}
