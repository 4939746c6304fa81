import ExampleSupport
import Foundation

/// How far the reading of a long file is, on one line of a terminal.
final class Progress {
    private let name: String
    private var next = ContinuousClock.now + .milliseconds(300)
    private var isShown = false

    /// - Returns: nil where messages do not go to a terminal.
    init?(name: String) {
        guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else { return nil }
        self.name = name
    }

    /// Shows how far it is, ten times a second at most. What is over sooner needs none.
    func show(_ count: Int, of size: Int?, _ entries: Int) {
        guard ContinuousClock.now >= next else { return }
        next = .now + .milliseconds(100)
        isShown = true
        let part = size.map { "\(count * 100 / max($0, 1)) %" } ?? "\(count / 1_048_576) MiB"
        write("\r\(name): \(entries) hotels, \(part)\u{1B}[K")
    }

    /// Takes the line away.
    func end() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
