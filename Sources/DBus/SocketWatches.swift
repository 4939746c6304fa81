internal import CDBus
internal import EventLoop
internal import Glibc

/// Puts libdbus's watches on the event loop. libdbus has one watch for reading and one for writing on the same
/// descriptor, which epoll takes but once, so there is one source a descriptor.
final class SocketWatches {
    private let loop: EventLoop
    /// Called after libdbus has read or written.
    private let served: () -> Void
    /// True while libdbus reads or writes, after which `served` is called.
    private(set) var isHandling = false
    private var watches: [OpaquePointer] = []
    private var sources: [Int32: (source: FileSource, events: FileEvents)] = [:]
    /// The socket that somebody else than libdbus waits to write to.
    private var written: Int32?

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
            { watch, data in
                guard let watch, let data else { return }
                SocketWatches.from(data).toggled(watch)
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
        watches.append(watch)
        if update(dbus_watch_get_unix_fd(watch)) { return true }
        watches.removeLast()
        return false
    }

    private func remove(_ watch: OpaquePointer) {
        watches.removeAll { $0 == watch }
        _ = update(dbus_watch_get_unix_fd(watch))
    }

    private func toggled(_ watch: OpaquePointer) {
        _ = update(dbus_watch_get_unix_fd(watch))
    }

    /// Has `served` called when a socket can be written to, until it is given up.
    func awaitWriting(of socket: Int32?) {
        guard socket != written else { return }
        let sockets = [written, socket]
        written = socket
        // Where epoll refuses, what waits goes with the next thing that is read.
        for socket in sockets.compactMap({ $0 }) { _ = update(socket) }
    }

    /// Waits for the socket that somebody waits to write to.
    func waitForWriting(_ milliseconds: Int32) {
        var event = pollfd(fd: written ?? -1, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, milliseconds)
    }

    /// Watches a descriptor for what its enabled watches want together. With none the descriptor leaves epoll, which
    /// would go on reporting a hang-up. False when epoll refuses.
    private func update(_ fd: Int32) -> Bool {
        let wanted = watches.reduce(into: FileEvents()) { events, watch in
            if dbus_watch_get_unix_fd(watch) == fd { events.formUnion(Self.events(of: watch)) }
        }.union(fd == written ? .writable : [])
        let current = sources[fd]
        guard wanted != current?.events ?? [] else { return true }
        if wanted.isEmpty {
            current?.source.cancel()
            sources[fd] = nil
            return true
        }
        do {
            if let current {
                try current.source.modify(wanted)
                sources[fd]?.events = wanted
            } else {
                let source = try loop.watch(fd, for: wanted) { [weak self] in self?.handle($0, on: fd) }
                sources[fd] = (source, wanted)
            }
            return true
        } catch {
            return false
        }
    }

    private static func events(of watch: OpaquePointer) -> FileEvents {
        guard dbus_watch_get_enabled(watch) != 0 else { return [] }
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
    private func handle(_ events: FileEvents, on fd: Int32) {
        handleOnce(events, on: fd)
        guard loop.isBusy, events.contains(.readable) else { return }
        let end = Moment.now + Self.readingTime
        while sources[fd]?.events.contains(.readable) == true, Self.hasMore(fd), Moment.now < end {
            handleOnce(.readable, on: fd)
        }
    }

    private static func hasMore(_ fd: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(fd, UInt(FIONREAD), &count) == 0 && count > 0
    }

    private func handleOnce(_ events: FileEvents, on fd: Int32) {
        isHandling = true
        // Handling one watch may remove another.
        for watch in watches where watches.contains(watch) && dbus_watch_get_unix_fd(watch) == fd {
            let ready = events.intersection(Self.events(of: watch))
            var flags: UInt32 = 0
            if ready.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
            if ready.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
            if events.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
            if events.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
            // Refused only when memory is short; the descriptor stays ready and is handled again.
            if flags != 0 { dbus_watch_handle(watch, flags) }
        }
        isHandling = false
        served()
    }
}
