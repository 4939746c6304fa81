internal import Glibc

/// What a service's sandbox does to a store: its folders are the only ones that can be written, and they were let in when
/// the service started. One that is made anew is outside, and looks like a read-only file system.
struct Sandbox {
    private let folders: [String]

    /// Remembers which of the store's folders can be written.
    init(_ paths: StorePaths) {
        folders = [paths.document, paths.journal].map(Folder.of).filter { !Self.isReadOnly($0) }
    }

    /// Whether a folder that could be written is out of reach.
    var hasShutOut: Bool { folders.contains(where: Self.isReadOnly) }

    /// Of a folder that is not there, the nearest one above counts.
    private static func isReadOnly(_ folder: String) -> Bool {
        var status = statvfs()
        if statvfs(folder, &status) == 0 { return status.f_flag & UInt(ST_RDONLY) != 0 }
        return errno == ENOENT && folder != "/" && isReadOnly(Folder.of(folder))
    }
}

extension SettingsStore {
    /// Whether a folder that could be written when the store was opened has become read-only, as one that was made anew does
    /// in a service's sandbox. Only a new start gets at it then.
    public var isShutOut: Bool { sandbox.hasShutOut }
}
