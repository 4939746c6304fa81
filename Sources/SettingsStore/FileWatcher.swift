internal import EventLoop
internal import Glibc

/// Watches paths whose files come, change and go (inotify(7)), through links and missing folders. Loop-confined.
///
/// Editors replace files instead of writing them, so that folders are watched: the one that the path stands in, and for a
/// folder that is missing the nearest one above it. Folders and links on the way are watched for what happens to themselves
/// alone, so that the life in a home does not wake anybody.
///
/// The targets come in groups, one for each who watches; folders that several of them watch are watched once.
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
        /// As the last part of a path: every name in the folder.
        static let anyName = "*"
    }

    private struct Group {
        let targets: [Target]
        var watches: [Int32: Watch] = [:]
        /// What comes when a folder comes that is missing.
        var missing: Set<Step> = []
    }

    private struct Watch {
        /// Names in the folder that matter, their paths, the targets they matter to, and whether they only lead to the file.
        var names: [(name: String, path: String, target: Int, isWay: Bool)] = []
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

    private let descriptor: Int32
    private var source: FileSource?
    private var groups: [Int: Group] = [:]
    private var lastGroup = 0
    /// How many groups have each watch.
    private var holders: [Int32: Int] = [:]

    init(loop: EventLoop) throws(SystemError) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("inotify_init1", "inotify") }
        do {
            source = try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.serve() }
        } catch {
            close(descriptor)
            throw SystemError(error.call, "inotify", code: error.code)
        }
    }

    deinit {
        if let source {
            source.cancel()
            close(descriptor)
        }
    }

    /// Watches targets together, until `remove`.
    ///
    /// - Returns: what the group is called.
    func add(_ targets: [Target]) -> Int {
        lastGroup += 1
        groups[lastGroup] = Group(targets: targets)
        rearm(lastGroup)
        return lastGroup
    }

    func remove(_ group: Int) {
        guard let old = groups.removeValue(forKey: group) else { return }
        exchange(Set(old.watches.keys), for: [])
    }

    /// Finds out anew which folders matter to a group.
    func rearm(_ group: Int) {
        // What has come before it was watched is found by looking again.
        for _ in 0..<5 {
            guard let targets = groups[group]?.targets, watch(targets.map { steps(to: $0.path) }, group) else { return }
        }
    }

    private static let going = IN_DELETE_SELF | IN_MOVE_SELF

    /// - Returns: whether something is missing and has not been waited for before.
    private func watch(_ steps: [[Step]], _ group: Int) -> Bool {
        guard var watched = groups[group] else { return false }
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
                    let watch = add(folder, Self.going | IN_ONLYDIR | (isWay ? Target.way : watched.targets[index].events))
                    if watch >= 0 {
                        new[watch, default: Watch()].names.append((name, Folder.path(folder, name), index, isWay))
                    }
                }
            }
        }
        let (before, missing) = (watched.missing, Set(steps.joined().filter(\.isMissing)))
        exchange(Set(watched.watches.keys), for: Set(new.keys))
        watched.watches = new
        watched.missing = missing
        groups[group] = watched
        return !missing.isSubset(of: before)
    }

    /// Counts who has which watch, and ends those that nobody has any more.
    private func exchange(_ old: Set<Int32>, for new: Set<Int32>) {
        for watch in new.subtracting(old) { holders[watch, default: 0] += 1 }
        for watch in old.subtracting(new) {
            let count = (holders[watch] ?? 1) - 1
            holders[watch] = count > 0 ? count : nil
            if count <= 0 { inotify_rm_watch(descriptor, watch) }
        }
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

    /// What the kernel has told: the targets by group that something has happened to, and groups whose way has changed.
    private struct News {
        var changed: [Int: Set<Int>] = [:]
        var astray: Set<Int> = []
    }

    private func serve() {
        var news = News()
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            // What is left makes the descriptor ready again.
            let count = retrying { read(descriptor, buffer.baseAddress, buffer.count) }
            var offset = 0
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + MemoryLayout<inotify_event>.size
                offset = start + Int(event.len)
                let name = String(decoding: buffer[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
                for group in groups.keys { note(event, name, group, &news) }
            }
        }
        for group in news.astray { rearm(group) }
        for (group, targets) in news.changed.sorted(by: { $0.key < $1.key }) {
            for target in targets.sorted() { groups[group]?.targets[target].handler() }
        }
    }

    private func note(_ event: inotify_event, _ name: String, _ group: Int, _ news: inout News) {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            news.changed[group] = Set(groups[group]?.targets.indices ?? 0..<0)
            news.astray.insert(group)
        }
        guard let watch = groups[group]?.watches[event.wd] else { return }
        let isGone = event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
        let isOther = isGone || event.len == 0
        if isOther {
            news.astray.insert(group)
            news.changed[group, default: []].formUnion(watch.passers)
        }
        let hasCome = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
        for entry in watch.names where isGone || entry.name == name || entry.name == Target.anyName {
            news.changed[group, default: []].insert(entry.target)
            // From a link on the way goes on.
            if entry.isWay || (hasCome && destination(of: entry.path) != nil) { news.astray.insert(group) }
        }
    }
}
