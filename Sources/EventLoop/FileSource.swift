internal import CLinux
internal import Glibc

/// What a file descriptor is watched for, and what it is ready for (epoll_ctl(2)).
public struct FileEvents: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, or the end of file.
    public static let readable = FileEvents(rawValue: EPOLLIN.rawValue)
    /// A write would not block.
    public static let writable = FileEvents(rawValue: EPOLLOUT.rawValue)
    /// The other end is gone. Always reported, watched for or not.
    public static let hangUp = FileEvents(rawValue: EPOLLHUP.rawValue)
    /// The descriptor is in an error state. Always reported, watched for or not.
    public static let error = FileEvents(rawValue: EPOLLERR.rawValue)
}

/// A watch on a file descriptor; made by `EventLoop.watch(_:for:handler:)`. The loop keeps it until it is cancelled.
///
/// Loop-confined. The descriptor stays the caller's: cancel the source first, close the descriptor then.
public final class FileSource {
    let token: UInt64
    let handler: (FileEvents) -> Void
    private let fd: Int32
    private weak var loop: EventLoop?
    /// The one that was added before.
    fileprivate var next: FileSource?

    init(loop: EventLoop, fd: Int32, token: UInt64, handler: @escaping (FileEvents) -> Void) {
        self.loop = loop
        self.fd = fd
        self.token = token
        self.handler = handler
    }

    /// Watches for other events from now on; with none only hang-up and error are reported.
    ///
    /// - Throws: what epoll_ctl(2) refuses. A cancelled source stays cancelled, silently.
    public func modify(_ events: FileEvents) throws(EventLoopError) {
        guard let loop, loop.sources[token] != nil else { return }
        try loop.control(EPOLL_CTL_MOD, fd, events, token)
    }

    /// Ends the watch: the handler is not called again, not even for what this turn has already found ready.
    public func cancel() {
        guard let loop, loop.sources.remove(token) else { return }
        // A descriptor closed too early has left the epoll set by itself, so a refusal here changes nothing.
        _ = epoll_ctl(loop.epoll, EPOLL_CTL_DEL, fd, nil)
    }
}

/// The sources of a loop, the newest first. A loop has but a few, so that looking through them costs less than making a
/// table of them would, which a short-lived program feels.
struct FileSources {
    private var newest: FileSource?

    subscript(token: UInt64) -> FileSource? {
        var source = newest
        while let found = source, found.token != token { source = found.next }
        return source
    }

    mutating func insert(_ source: FileSource) {
        source.next = newest
        newest = source
    }

    /// False where there is no such source.
    mutating func remove(_ token: UInt64) -> Bool {
        guard let removed = self[token] else { return false }
        if removed === newest { newest = removed.next }
        var source = newest
        while let other = source {
            if other.next === removed { other.next = removed.next }
            source = other.next
        }
        removed.next = nil
        return true
    }
}
