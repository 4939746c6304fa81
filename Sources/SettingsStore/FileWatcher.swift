internal import EventLoop
internal import Glibc

/// Watches paths whose files come, change and go (inotify(7)), through links and missing folders. Loop-confined.
///
/// Editors replace files instead of writing them, so that folders are watched: the one that the path stands in, the ones
/// that links on the way stand in, and for a folder that is missing the nearest one above it.
final class FileWatcher {
    struct Target {
        let path: String
        /// What may happen to the file itself.
        let events: Int32
        let handler: () -> Void

        /// Names that come and go, and files that somebody is through with writing.
        static let saves = IN_CLOSE_WRITE | way
        /// Every single write, too.
        static let writes = IN_MODIFY | way
        /// Names that come and go.
        static let way = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    }

    private struct Watch {
        /// Names in the folder that matter, the targets they matter to, and whether they only lead to the file.
        var names: [(name: String, target: Int, isWay: Bool)] = []
    }

    private let targets: [Target]
    private let descriptor: Int32
    private var source: FileSource?
    private var watches: [Int32: Watch] = [:]

    init(loop: EventLoop, targets: [Target]) throws(SystemError) {
        self.targets = targets
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("inotify_init1", "inotify") }
        do {
            source = try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.serve() }
        } catch {
            close(descriptor)
            throw SystemError(error.call, "inotify", code: error.code)
        }
        rearm()
    }

    deinit {
        if let source {
            source.cancel()
            close(descriptor)
        }
    }

    /// Finds out anew which folders matter.
    func rearm() {
        var new: [Int32: Watch] = [:]
        for (index, target) in targets.enumerated() {
            for step in steps(to: target.path) {
                let events = UInt32(step.isWay ? Target.way : target.events) | UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
                // One that cannot be watched any more has just gone, which the watch above it tells.
                let watch = inotify_add_watch(descriptor, step.folder, events | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
                if watch >= 0 { new[watch, default: Watch()].names.append((step.name, index, step.isWay)) }
            }
        }
        for watch in watches.keys where new[watch] == nil { inotify_rm_watch(descriptor, watch) }
        watches = new
    }

    private func steps(to path: String) -> [(folder: String, name: String, isWay: Bool)] {
        var steps: [(folder: String, name: String, isWay: Bool)] = []
        var path = path
        for _ in 0..<40 {
            var folder = Folder.of(path)
            if exists(folder) {
                let link = destination(of: path)
                steps.append((folder, Folder.name(path), isWay: link != nil))
                if destination(of: folder) != nil { steps.append((Folder.of(folder), Folder.name(folder), isWay: true)) }
                guard let link else { return steps }
                path = link
            } else {
                var name = Folder.name(folder)
                while folder != "/", !exists(folder) {
                    name = Folder.name(folder)
                    folder = Folder.of(folder)
                }
                return steps + [(folder, name, isWay: true)]
            }
        }
        return steps
    }

    private func exists(_ folder: String) -> Bool { faccessat(AT_FDCWD, folder, F_OK, 0) == 0 }

    private func destination(of path: String) -> String? {
        do {
            return try Folder.destination(of: path)
        } catch {
            // What cannot be read cannot be followed; whoever reads the file learns why.
            return nil
        }
    }

    private func serve() {
        var changed: Set<Int> = []
        var mustRearm = false
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            // What is left makes the descriptor ready again.
            let count = retrying { read(descriptor, buffer.baseAddress, buffer.count) }
            var offset = 0
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + MemoryLayout<inotify_event>.size
                offset = start + Int(event.len)
                let name = String(decoding: buffer[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
                note(event, name, &changed, &mustRearm)
            }
        }
        if mustRearm { rearm() }
        for target in changed.sorted() { targets[target].handler() }
    }

    private func note(_ event: inotify_event, _ name: String, _ changed: inout Set<Int>, _ mustRearm: inout Bool) {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            changed = Set(targets.indices)
            mustRearm = true
        }
        guard let watch = watches[event.wd] else { return }
        let isGone = event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
        if isGone { mustRearm = true }
        for entry in watch.names where isGone || entry.name == name {
            changed.insert(entry.target)
            if entry.isWay { mustRearm = true }
        }
    }
}
