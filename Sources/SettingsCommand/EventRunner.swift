internal import EventLoop
internal import JSON
internal import SettingsModel

/// Runs a shell command once for each event, one at a time and in order. Loop-confined.
final class EventRunner {
    private let command: String
    private let processes: ChildProcess
    private let failed: (Failure) -> Void
    private var waiting: [JSONValue] = []

    /// - Parameters:
    ///   - command: for `sh -c`.
    ///   - failed: gets what goes wrong with it; the next event is tried all the same.
    init(_ command: String, loop: EventLoop, failed: @escaping (Failure) -> Void) throws(Failure) {
        self.command = command
        self.failed = failed
        processes = try ChildProcess(loop: loop)
    }

    /// Runs the command for an event, now or after those before it.
    func run(_ event: JSONValue) {
        waiting.append(event)
        startNext()
    }

    private func startNext() {
        while !processes.isRunning, !waiting.isEmpty {
            let event = waiting.removeFirst()
            do throws(Failure) {
                let input = JSONWriter.sortedLine(event) + [UInt8(ascii: "\n")]
                try processes.start(["sh", "-c", command], input: input) { [weak self] in self?.ended($0) }
            } catch {
                failed(error)
            }
        }
    }

    private func ended(_ ending: ChildProcess.Ending) {
        switch ending {
        case .status(0): break
        case .status(let status): failed(.failed("\(command.quoted()) has ended with exit status \(status)"))
        case .signal(let signal): failed(.failed("\(command.quoted()) was ended by signal \(signal)"))
        }
        startNext()
    }
}
