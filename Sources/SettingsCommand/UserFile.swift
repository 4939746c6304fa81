internal import Glibc
internal import SettingsModel
internal import SettingsStore

/// Files that somebody names on the command line; `-` stands for standard input and output.
enum UserFile {
    /// The largest file that is read, in bytes: as large as a document may be.
    private static let limit = DocumentLimits.size << 20

    /// What a file is called in messages.
    static func name(of path: String) -> String { path == "-" ? "standard input" : path }

    /// Whether writing would replace a file.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        guard path != "-", unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads a file to its end; waits where it is a pipe or a terminal.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .failed("cannot read \(path): \(systemMessage(errno))") }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes += buffer[..<count]
            } else if errno != EINTR {
                throw .failed("cannot read \(name(of: path)): \(systemMessage(errno))")
            }
        }
        throw Failure(
            SettingsError(
                .tooLarge, "\(name(of: path)) has more than \(DocumentLimits.size) MiB; it cannot be a file of settings"))
    }

    /// Writes a file that only this account can read. One that is there keeps its old content until all of the new is on the
    /// disk; what is no regular file, such as a pipe, is written as it is.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return try replace(path, with: bytes) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try replace(destination(of: path), with: bytes)
        case S_IFDIR: throw .failed("\(path) is a folder", hint: "name a file in it, such as \(path)/settings.json")
        default:
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw unwritten(path, errno) }
            defer { close(descriptor) }
            let code = writeAll(bytes, to: descriptor)
            if code != 0 { throw unwritten(path, code) }
        }
    }

    /// The file that a path leads to, so that a link stays one.
    private static func destination(of path: String) -> String {
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let folder = folder(of: path)
        var template = Array("\(folder)/.settingsctl-XXXXXX".utf8CString)
        // Its mode is 0600.
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw unwritten(path, errno) }
        let new = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var code = writeAll(bytes, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, unsafe rename(new, path) != 0 { code = errno }
        guard code == 0 else {
            _ = unsafe unlink(new)
            throw unwritten(path, code)
        }
        synchronize(folder)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Lets the new name reach the disk. Some file systems cannot; the file is in place all the same.
    private static func synchronize(_ folder: String) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func unwritten(_ path: String, _ code: Int32) -> Failure {
        var failure = Failure(SettingsError(.storageFailed, "\(path) could not be written: \(systemMessage(code))"))
        if code == ENOENT || code == ENOTDIR { failure.hint = "there is no folder \(folder(of: path)); make it or name another" }
        return failure
    }
}
