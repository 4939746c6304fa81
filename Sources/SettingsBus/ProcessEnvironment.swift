internal import CLinux
internal import Glibc

/// What this process was handed over at its start.
public enum ProcessEnvironment {
    /// The command line, the program's name first; what is not UTF-8 is repaired.
    public static var arguments: [String] {
        unsafe UnsafeBufferPointer(start: linux_arguments(), count: Int(linux_argument_count())).compactMap { argument in
            unsafe argument.map { unsafe String(cString: $0) }
        }
    }

    /// Reads the variables; of one that is there twice the first counts, as with getenv(3).
    public static var current: [String: String] {
        var variables: [String: String] = [:]
        guard var entry = unsafe linux_environ() else { return variables }
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return variables
    }

    /// Puts /dev/null in the place of each standard stream that was handed over closed, lest the connection to the bus or a
    /// document get its number, and what is printed go there. Reading from or writing to such a stream fails as before.
    public static func claimStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
