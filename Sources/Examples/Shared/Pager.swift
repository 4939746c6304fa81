import Foundation

extension Invocation {
    /// Prints a report; on a terminal through the user's pager, `$PAGER` or less, which shows what fits without waiting.
    public func page(_ report: some Report) {
        guard let size = Terminal.size, !has("json") else { return print(report) }
        tellProblems()
        let lines = lines(of: report, width: size.width).map { $0.shown(isColoured: Terminal.isColoured) + "\n" }
        if !Self.run(ProcessInfo.processInfo.environment["PAGER"] ?? "less", lines.joined()) { print(report) }
    }

    /// Lets a pager show a text.
    ///
    /// - Returns: false where there is none, or the user wants none.
    private static func run(_ pager: String, _ text: String) -> Bool {
        if pager.isEmpty || pager == "cat" { return false }
        // Colours through, no waiting where all of it fits, nothing cleared at the end; unless the user has own ways.
        setenv("LESS", "FRX", 0)
        setenv("LESSCHARSET", "utf-8", 0)
        // The pager has its own ways with these; it inherits what was there before.
        guard let pipe = popen("command -v \(pager.prefix { $0 != " " }) >/dev/null || exit 127; \(pager)", "w") else {
            return false
        }
        let signals = [SIGINT, SIGPIPE].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in signals { signal(number, handler) } }
        fputs(text, pipe)
        return pclose(pipe) >> 8 != 127
    }
}
