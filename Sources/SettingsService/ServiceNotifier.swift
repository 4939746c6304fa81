public import EventLoop
internal import Glibc
internal import SettingsStore

/// Tells the service manager how the daemon is (sd_notify(3)), where one listens. Loop-confined.
public final class ServiceNotifier {
    private let socketPath: String?
    private let watchdogInterval: Duration?
    private let log: ServiceLog
    private var watchdog: Timer?

    /// - Parameter environment: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, as the manager sets them.
    public init(environment: [String: String], log: ServiceLog) {
        self.log = log
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
        watchdogInterval = isOurs && microseconds > 0 && socketPath != nil ? .microseconds(microseconds) : nil
    }

    /// Whether anybody listens.
    var hasManager: Bool { socketPath != nil }

    /// The daemon serves.
    ///
    /// - Parameter status: one line for `systemctl status`; so in the others.
    public func ready(status: String) { send("READY=1\n\(Self.line(status))") }

    public func update(status: String) { send(Self.line(status)) }

    /// The daemon reads its files anew; `ready(status:)` ends that.
    public func reloading() {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)")
    }

    public func stopping() {
        watchdog?.cancel()
        send("STOPPING=1\nSTATUS=Bringing the document up to date")
    }

    /// Tells the manager twice in each watchdog interval that the loop turns; arms nothing where it does not ask.
    public func startWatchdog(on loop: EventLoop) {
        guard let watchdogInterval else { return }
        watchdog = loop.schedule(after: watchdogInterval / 2) { [weak self, weak loop] in
            guard let self, let loop else { return }
            send("WATCHDOG=1")
            startWatchdog(on: loop)
        }
    }

    private static func line(_ status: String) -> String {
        "STATUS=" + status.split { $0.isNewline }.joined(separator: " ")
    }

    private func send(_ state: String) {
        guard let socketPath else { return }
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return logFailure("socket", errno) }
        defer { close(fd) }
        // A manager that does not read must not stop the loop for long.
        var patience = timeval(tv_sec: 0, tv_usec: 200_000)
        _ = unsafe setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard let (address, length) = Self.address(of: socketPath) else { return logFailure("address", ENAMETOOLONG) }
        let sent = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(fd, state, state.utf8.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
        if sent < 0 { logFailure("sendto", errno) }
    }

    private func logFailure(_ call: String, _ code: Int32) {
        log.write(.warning, "could not notify the service manager: \(call): \(unsafe String(cString: strerror(code))), ignoring")
    }

    /// unix(7): an abstract address begins with NUL and its length counts.
    private static func address(of path: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let room = MemoryLayout<sockaddr_un>.size - offset
        guard bytes.count < room else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return (address, socklen_t(offset + bytes.count))
    }
}
