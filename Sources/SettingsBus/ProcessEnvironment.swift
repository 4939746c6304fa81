internal import CLinux

/// The environment variables of this process, as both programs take them.
public enum ProcessEnvironment {
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
}
