internal import Glibc

/// A file for an editor, in a folder of its own that only this account can enter: editors put further files beside it.
struct PrivateCopy {
    let path: String
    private let folder: String
    private let original: [UInt8]

    /// Makes the file.
    ///
    /// - Throws: `Failed` where there is no room for it.
    init(_ text: [UInt8]) throws(Failure) {
        var template = Array("\(Self.base)/settingsctl-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .failed("cannot make a folder in \(Self.base): \(systemMessage(errno))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/settings.json"
        original = text
        try UserFile.write(text, to: path)
    }

    /// The folder for files that need not outlive the session, else the one for temporary files.
    private static var base: String {
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            guard let folder = Environment.variable(name), folder.utf8.first == UInt8(ascii: "/") else { continue }
            if unsafe access(folder, W_OK | X_OK) == 0 { return folder }
        }
        return "/tmp"
    }

    /// What the file says now.
    ///
    /// - Throws: `Failed` where it is gone.
    func read() throws(Failure) -> [UInt8] { try UserFile.read(path) }

    /// Whether somebody has written something else into it.
    var isEdited: Bool {
        do throws(Failure) { return try read() != original } catch { return false }
    }

    /// Removes the file and what an editor has left beside it.
    func remove() {
        // What cannot be removed is in a folder that the system empties.
        if let entries = unsafe opendir(folder) {
            defer { unsafe closedir(entries) }
            while let entry = unsafe readdir(entries) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { _ = unsafe unlink("\(folder)/\(name)") }
            }
        }
        _ = unsafe rmdir(folder)
    }
}
