public import Foundation
package import SettingsCommand

/// Makes a folder and what is missing above it.
///
/// - Parameter mode: of each folder that is made, whatever the umask takes away: 0755 for what all accounts read.
/// - Throws: `storage`, naming the folder that could not be made.
package func makeFolder(_ path: String, mode: mode_t) throws(Failure) {
    var status = stat()
    if path.isEmpty || path == "/" || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR { return }
    try makeFolder((path as NSString).deletingLastPathComponent, mode: mode)
    if mkdir(path, mode) == 0 {
        // mkdir(2) leaves out what the umask has.
        chmod(path, mode)
    } else if errno != EEXIST || stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
        throw Failure("cannot make the folder \(path): \(systemMessage(errno))", status: .storage)
    }
}

/// Replaces a file's content, or makes the file; all of it or nothing.
///
/// - Parameters:
///   - file: a new one beside the path, open for writing.
///   - newPath: the new file's.
///   - mode: of the file.
/// - Returns: 0, or the `errno` of what went wrong.
public func replaceFile(_ path: String, by newPath: String, _ file: Int32, with bytes: [UInt8], mode: mode_t) -> Int32 {
    let code = writeAll(bytes, to: file)
    if code != 0 { return code }
    return fchmod(file, mode) == 0 && fsync(file) == 0 && rename(newPath, path) == 0 ? 0 : errno
}
