internal import EventLoop
internal import Glibc

/// Watches paths whose files come, change and go (inotify(7)), through links and missing folders. Loop-confined.
///
/// Editors replace files instead of writing them, so that folders are watched: the one that the path stands in, and for a
/// folder that is missing the nearest one above it. Folders and links on the way are watched for what happens to themselves
/// alone, so that the life in a home does not wake anybody.
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
        /// The targets whose way leads through it.
        var passers: Set<Int> = []
    }

    /// Something on the way to a file.
    private enum Step: Hashable {
        /// A folder that the way leads through.
        case folder(String)
        /// A link that the way leads through.
        case link(String)
        /// A name in a folder: the file's own, or of a folder that is missing.
        case name(String, in: String, isWay: Bool)

        var isMissing: Bool {
            if case .name(_, _, isWay: true) = self { true } else { false }
        }
    }

    private let targets: [Target]
    private let descriptor: Int32
    private var source: FileSource?
    private var watches: [Int32: Watch] = [:]
    /// What comes when a folder comes that is missing.
    private var missing: Set<Step> = []

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
        // What has come before it was watched is found by looking again.
        for _ in 0..<5 where watch(targets.map { steps(to: $0.path) }) {}
    }

    private static let going = IN_DELETE_SELF | IN_MOVE_SELF

    /// - Returns: whether something is missing and has not been waited for before.
    private func watch(_ steps: [[Step]]) -> Bool {
        var new: [Int32: Watch] = [:]
        for (index, steps) in steps.enumerated() {
            for step in steps {
                switch step {
                case .folder(let path):
                    let watch = add(path, Self.going | IN_ONLYDIR)
                    if watch >= 0 { new[watch, default: Watch()].passers.insert(index) }
                case .link(let path):
                    // The number of its names changes when another takes its place.
                    let watch = add(path, Self.going | IN_ATTRIB | IN_DONT_FOLLOW)
                    if watch >= 0 { new[watch, default: Watch()].passers.insert(index) }
                case .name(let name, let folder, let isWay):
                    let watch = add(folder, Self.going | IN_ONLYDIR | (isWay ? Target.way : targets[index].events))
                    if watch >= 0 { new[watch, default: Watch()].names.append((name, index, isWay)) }
                }
            }
        }
        for watch in watches.keys where new[watch] == nil { inotify_rm_watch(descriptor, watch) }
        watches = new
        defer { missing = Set(steps.joined().filter(\.isMissing)) }
        return steps.joined().contains { $0.isMissing && !missing.contains($0) }
    }

    /// One that cannot be watched any more has just gone, which the watch above it tells.
    private func add(_ path: String, _ events: Int32) -> Int32 {
        inotify_add_watch(descriptor, path, UInt32(bitPattern: events) | UInt32(IN_MASK_ADD))
    }

    private static let linkLimit = 40

    private func steps(to path: String) -> [Step] {
        var steps: [Step] = []
        var folder = "/"
        var names = Self.names(path)
        var links = 0
        while let name = names.popLast() {
            if name == "." { continue }
            if name == ".." {
                folder = Folder.of(folder)
                continue
            }
            let here = Folder.path(folder, name)
            if let link = destination(of: here), links < Self.linkLimit {
                links += 1
                steps.append(.link(here))
                folder = "/"
                names += Self.names(link)
            } else if names.isEmpty || !exists(here) {
                return steps + [.name(name, in: folder, isWay: !names.isEmpty)]
            } else {
                steps.append(.folder(here))
                folder = here
            }
        }
        return steps
    }

    /// The names that a path consists of, the last one first.
    private static func names(_ path: String) -> [String] { path.split(separator: "/").reversed().map(String.init) }

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
        let isOther = isGone || event.len == 0
        if isOther { mustRearm = true }
        if isOther { changed.formUnion(watch.passers) }
        for entry in watch.names where isGone || entry.name == name {
            changed.insert(entry.target)
            if entry.isWay { mustRearm = true }
        }
    }
}
