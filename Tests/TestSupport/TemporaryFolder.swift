import Foundation

/// A new folder (with a path short enough for sockets), removed with everything in it when this object goes.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter parent: the folder to make it in.
    public init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/settingsd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(String(cString: strerror(errno)))") }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        // A test may have left folders without the permission to empty them.
        if let names = FileManager.default.enumerator(atPath: path) {
            for case let name as String in names {
                var information = stat()
                if lstat("\(path)/\(name)", &information) == 0, information.st_mode & S_IFMT == S_IFDIR {
                    chmod("\(path)/\(name)", 0o700)
                }
            }
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder in the folder, parents included, and returns its path.
    @discardableResult
    public func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Writes a file, making its folder, in one step that watchers see as one; returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (path(name) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
        return path(name)
    }

    /// Writes a script that can be run at once, making its folder; returns its path.
    @discardableResult
    public func program(_ script: String, to name: String) throws -> String {
        let text = try write(script, to: name + ".text")
        try program(copying: text, to: name)
        try FileManager.default.removeItem(atPath: text)
        return path(name)
    }

    /// Copies a program, making its folder; the copy can be run at once.
    ///
    /// Another process writes it: the kernel refuses to run what is open for writing, and a process that begins elsewhere in
    /// this one holds what is open here until it runs its own program.
    public func program(copying file: String, to name: String) throws {
        let copy = try RunningProcess("install", ["-D", "-m", "755", file, path(name)], environment: ["PATH": "/usr/bin:/bin"])
        guard try copy.waitForExit() == .exited(0) else { throw TestFailure("install \(name)\n\(copy.log)") }
    }

    /// A file's text; nil without the file.
    public func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
}
