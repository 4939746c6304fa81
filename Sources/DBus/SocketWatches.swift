internal import CDBus
internal import EventLoop
internal import Glibc

/// Puts libdbus's watches on the event loop. A connection has one for reading and one for writing, both on its socket, which
/// epoll takes but once, so there is one source for the two.
final class SocketWatches {
    private let loop: EventLoop
    /// Called after libdbus has read or written.
    private let served: () -> Void
    /// True while libdbus reads or writes, after which `served` is called.
    private(set) var isHandling = false
    private var socket: Int32 = -1
    private var reading: OpaquePointer?
    private var writing: OpaquePointer?
    private var source: FileSource?
    /// What the source is watched for.
    private var events: FileEvents = []
    /// Somebody else than libdbus waits to write to the socket.
    private var isAwaited = false

    init(loop: EventLoop, served: @escaping () -> Void) {
        self.loop = loop
        self.served = served
    }

    /// Takes over the watches of a connection, which must be detached before this object goes.
    ///
    /// libdbus arms timeouts for its own pending calls only, of which there are none here.
    func attach(to connection: OpaquePointer) -> Bool {
        let attached = dbus_connection_set_watch_functions(
            connection,
            { watch, data in
                guard let watch, let data else { return 0 }
                return SocketWatches.from(data).add(watch) ? 1 : 0
            },
            { watch, data in
                guard let watch, let data else { return }
                SocketWatches.from(data).remove(watch)
            },
            { _, data in
                guard let data else { return }
                _ = SocketWatches.from(data).update()
            },
            Unmanaged.passUnretained(self).toOpaque(), nil)
        return attached != 0
    }

    /// Gives the watches back; libdbus removes each of them in the course of this.
    func detach(from connection: OpaquePointer) {
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }

    private static func from(_ data: UnsafeMutableRawPointer) -> SocketWatches {
        Unmanaged<SocketWatches>.fromOpaque(data).takeUnretainedValue()
    }

    private func add(_ watch: OpaquePointer) -> Bool {
        if dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0 { reading = watch } else { writing = watch }
        socket = dbus_watch_get_unix_fd(watch)
        if update() { return true }
        forget(watch)
        return false
    }

    private func remove(_ watch: OpaquePointer) {
        forget(watch)
        _ = update()
    }

    private func forget(_ watch: OpaquePointer) {
        if reading == watch { reading = nil }
        if writing == watch { writing = nil }
    }

    /// Has `served` called when the socket can be written to, until it is given up.
    func awaitWriting(_ isAwaited: Bool) {
        guard isAwaited != self.isAwaited else { return }
        self.isAwaited = isAwaited
        // Where epoll refuses, what waits goes with the next thing that is read.
        _ = update()
    }

    /// Waits until the socket can be written to.
    func waitForWriting(_ milliseconds: Int32) {
        var event = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, milliseconds)
    }

    /// Watches the socket for what its enabled watches want together. With none it leaves epoll, which would go on
    /// reporting a hang-up. False when epoll refuses.
    private func update() -> Bool {
        var wanted = Self.events(of: reading).union(Self.events(of: writing))
        if isAwaited, writing != nil { wanted.insert(.writable) }
        guard wanted != events else { return true }
        do {
            if wanted.isEmpty {
                source?.cancel()
                source = nil
            } else if let source {
                try source.modify(wanted)
            } else {
                source = try loop.watch(socket, for: wanted) { [weak self] in self?.handle($0) }
            }
            events = wanted
            return true
        } catch {
            return false
        }
    }

    private static func events(of watch: OpaquePointer?) -> FileEvents {
        guard let watch, dbus_watch_get_enabled(watch) != 0 else { return [] }
        let flags = dbus_watch_get_flags(watch)
        var events: FileEvents = []
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { events.insert(.readable) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events.insert(.writable) }
        return events
    }

    /// How long to read on in one turn.
    private static let readingTime = Duration.microseconds(500)

    /// libdbus reads but a few KiB at a time. The bus keeps what is not read in one line for all senders, so that under
    /// load reading on is what lets a call of one pass those of another.
    private func handle(_ ready: FileEvents) {
        handleOnce(ready)
        guard loop.isBusy, ready.contains(.readable) else { return }
        let end = Moment.now + Self.readingTime
        while events.contains(.readable), hasMore, Moment.now < end { handleOnce(.readable) }
    }

    private var hasMore: Bool {
        var count: Int32 = 0
        return ioctl(socket, UInt(FIONREAD), &count) == 0 && count > 0
    }

    private func handleOnce(_ ready: FileEvents) {
        isHandling = true
        Self.handle(writing, ready)
        Self.handle(reading, ready)
        isHandling = false
        served()
    }

    private static func handle(_ watch: OpaquePointer?, _ ready: FileEvents) {
        guard let watch else { return }
        let wanted = ready.intersection(events(of: watch))
        var flags: UInt32 = 0
        if wanted.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if wanted.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if ready.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        if ready.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        // Refused only when memory is short; the descriptor stays ready and is handled again.
        if flags != 0 { dbus_watch_handle(watch, flags) }
    }
}
