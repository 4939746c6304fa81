public import EventLoop

/// What the stores of one process share: the loop that serves them, the thread that waits for disks, and the watch on their
/// files, of which the kernel gives an account but few (inotify(7), `max_user_instances`). Loop-confined.
public final class StoreHost {
    public let loop: EventLoop
    let flusher: Flusher
    private var watcher: FileWatcher?

    public init(loop: EventLoop) {
        self.loop = loop
        flusher = Flusher(loop: loop)
    }

    /// Watches files until the watch is let go.
    func watch(_ targets: [FileWatcher.Target]) throws(SystemError) -> FileWatch {
        if let watcher { return FileWatch(targets, in: watcher) }
        let new = try FileWatcher(loop: loop)
        watcher = new
        return FileWatch(targets, in: new)
    }

    /// Watches what comes, changes and goes in folders, which need not be there yet, until the watch is let go.
    ///
    /// - Parameter handler: is called on the loop.
    /// - Throws: `unavailable` where the kernel gives no watch.
    public func watch(folders: [String], handler: @escaping () -> Void) throws(StoreError) -> FileWatch {
        do {
            return try watch(
                folders.map { folder in
                    FileWatcher.Target(
                        path: Folder.path(folder, FileWatcher.Target.anyName), events: FileWatcher.Target.saves, handler: handler)
                })
        } catch {
            throw .unavailable("\(error)")
        }
    }
}

/// A watch on some files; it ends when this is let go. Loop-confined.
public final class FileWatch {
    private let watcher: FileWatcher
    private let group: Int

    fileprivate init(_ targets: [FileWatcher.Target], in watcher: FileWatcher) {
        self.watcher = watcher
        group = watcher.add(targets)
    }

    deinit { watcher.remove(group) }

    /// Finds out anew which folders matter.
    func rearm() { watcher.rearm(group) }
}
