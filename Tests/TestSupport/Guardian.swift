import Foundation
import Synchronization

/// A shell that outlives the tests by a moment and kills what they have left running, however they ended.
///
/// It reads from a pipe which processes live; the pipe closes with the test process, even when that crashes.
enum Guardian {
    private static let script = """
        trap '' HUP INT TERM
        declare -A live
        while read -r word pid; do
            if [ "$word" = started ]; then live[$pid]=1; else unset "live[$pid]"; fi
        done
        for pid in "${!live[@]}"; do kill -9 "$pid"; done
        """

    /// The pipe's end for writing, or what kept the guardian from starting.
    private static let pipe: Result<Int32, TestFailure> = {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { return .failure(TestFailure("pipe: error \(errno)")) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }
        var pid: pid_t = 0
        markInheritedDescriptors()
        let refusal = withCStrings(["bash", "-c", script]) { words in
            withCStrings(["PATH=/usr/bin:/bin"]) { posix_spawnp(&pid, "bash", &actions, nil, words, $0) }
        }
        guard refusal == 0 else { return .failure(TestFailure("bash: \(String(cString: strerror(refusal)))")) }
        return .success(ends[1])
    }()

    /// Passes on what is open in this process to no child, whoever opened it: a lock that a test runner holds would
    /// be held by a process that outlives it.
    static func markInheritedDescriptors() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > 2 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Reports a process before anything can go wrong with it.
    static func report(started pid: pid_t) throws {
        try write("started \(pid)\n")
    }

    /// Reports a process that was waited for: its ID may come to mean another one.
    static func report(ended pid: pid_t) {
        // Without a guardian there is nobody to tell.
        try? write("ended \(pid)\n")
    }

    private static func write(_ line: String) throws {
        let pipe = try pipe.get()
        let bytes = Array(line.utf8)
        guard Foundation.write(pipe, bytes, bytes.count) == bytes.count else {
            throw TestFailure("The guardian of the tests' processes is gone: error \(errno).")
        }
    }
}

/// Passes strings on as C functions take a list of them: pointers, then a null pointer.
func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let pointers = strings.map { (string: String) -> UnsafeMutablePointer<CChar>? in strdup(string) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}
