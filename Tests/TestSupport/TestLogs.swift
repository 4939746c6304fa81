import Foundation
import Synchronization
public import Testing

/// The processes that each running test has started, for `logsOnFailure`.
enum TestLogs {
    private struct Entry {
        let test: Test.ID
        weak var process: RunningProcess?
    }

    private static let entries = Mutex<[Entry]>([])

    static func add(_ process: RunningProcess) {
        guard let test = Test.current?.id else { return }
        entries.withLock { entries in
            entries.removeAll { $0.process == nil }
            entries.append(Entry(test: test, process: process))
        }
    }

    /// Prints the output of the current test's processes, each once.
    static func print() {
        guard let test = Test.current?.id else { return }
        let processes = entries.withLock { entries in
            defer { entries.removeAll { $0.test == test } }
            return entries.filter { $0.test == test }.compactMap(\.process)
        }
        for process in processes { FileHandle.standardError.write(Data((process.log + "\n").utf8)) }
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Prints the output of the processes that the test has started when it records an issue.
    public static var logsOnFailure: Self {
        .filterIssues { _ in
            TestLogs.print()
            return true
        }
    }
}
