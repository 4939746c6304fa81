internal import CLinux
internal import Glibc

/// What happens to the names of files.
enum Folder {
    /// The folder that a path's last part stands in.
    static func of(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path's last part.
    static func name(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The path of a name in a folder.
    static func path(_ folder: String, _ name: String) -> String { folder == "/" ? "/" + name : folder + "/" + name }

    /// Makes a folder and those above it that are missing, each durable and for this account alone.
    static func make(_ path: String) throws(SystemError) {
        if try FileStatus.of(path) != nil { return }
        let parent = of(path)
        if parent != path { try make(parent) }
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw SystemError("mkdir", path)
        }
        do throws(SystemError) {
            // Whatever the process's umask (umask(2)) has left of its mode.
            guard chmod(path, 0o700) == 0 else { throw SystemError("chmod", path) }
            try synchronize(parent)
        } catch {
            // Made again, and durably then, the next time.
            rmdir(path)
            throw error
        }
    }

    /// Returns when the names in a folder have reached the disk.
    static func synchronize(_ path: String) throws(SystemError) {
        let folder = try File.open(path, O_RDONLY | O_DIRECTORY)
        guard retrying({ fsync(folder.descriptor) }) == 0 else { throw SystemError("fsync", path) }
    }

    enum Rename {
        case replacing
        case exchanging
        case onlyIfAbsent
    }

    static func rename(_ old: String, to new: String, _ kind: Rename) throws(SystemError) {
        let flags: UInt32 =
            switch kind {
            case .replacing: 0
            case .exchanging: UInt32(LINUX_RENAME_EXCHANGE)
            case .onlyIfAbsent: UInt32(LINUX_RENAME_NOREPLACE)
            }
        guard linux_renameat2(AT_FDCWD, old, AT_FDCWD, new, flags) == 0 else { throw SystemError("rename", new) }
    }

    static func remove(_ path: String) throws(SystemError) {
        // Of a name that is new each time people need not know.
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", of(path)) }
    }

    /// Says why this account may not write a file, or add and replace names in a folder; nil where it may. One without
    /// any write bit says no to the superuser too.
    static func refusal(_ path: String, _ status: FileStatus) throws(SystemError) -> String? {
        if status.permissions & 0o222 == 0 { return "\(path) is read-only (mode \(String(status.permissions, radix: 8)))" }
        if faccessat(AT_FDCWD, path, status.isFolder ? W_OK | X_OK : W_OK, AT_EACCESS) == 0 {
            return linux_is_append_only(path) == 1 ? "\(path) may only be appended to (chattr +a), and not replaced" : nil
        }
        let error = SystemError("access", path)
        guard error.isRefusal else { throw error }
        let hint = error.code == EROFS ? remedy(status.isFolder ? path : of(path)) : ""
        return "\(path) may not be written (\(error.reason)\(hint))"
    }

    /// A service's sandbox shows as a read-only file system (systemd.exec(5), ProtectHome=).
    private static func remedy(_ folder: String) -> String {
        "; where it is the unit of the service that keeps it out, ReadWritePaths=\(folder) lets it in: "
            + "systemctl --user edit settingsd, then restart settingsd"
    }

    /// Whether this account may add and replace names in a folder, as far as its permissions and its file system say.
    static func isWritable(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 }

    /// The path that a symbolic link points at, or nil where none stands at the path.
    static func destination(of path: String) throws(SystemError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        if count < 0 {
            let error = SystemError("readlink", path)
            if error.code == EINVAL || error.isAbsence { return nil }
            throw error
        }
        guard let destination = String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
            throw SystemError("readlink", path, code: EILSEQ)
        }
        return destination.utf8.first == UInt8(ascii: "/") ? destination : Folder.path(of(path), destination)
    }
}
