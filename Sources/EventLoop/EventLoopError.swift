import Glibc

/// What the kernel refused when a loop, a watch or a signal source was made.
public struct EventLoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system call that failed, such as `epoll_create1`.
    public let call: String
    /// Its `errno`.
    public let code: Int32

    /// Records a failed call; `code` is an `errno` value.
    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String {
        "\(call): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
    }
}
