/// Why a store cannot be opened at all. What can be mended while the daemon runs is a problem of the store instead.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A folder belongs to another account.
    case foreignHome(String)
    /// There is no home folder to find the default paths in.
    case noHome(String)
    /// The kernel refuses what the store needs.
    case unavailable(String)
    /// Neither document nor journal can be read just now, so that nothing is known of the values.
    case unread(String)

    /// What is wrong and what to do, one sentence.
    public var message: String {
        switch self {
        case .foreignHome(let message), .noHome(let message), .unavailable(let message), .unread(let message): message
        }
    }

    public var description: String { message }
}

/// How important a line of the log is: the levels of syslog(3).
public enum LogPriority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}
