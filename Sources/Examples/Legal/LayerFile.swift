import ExampleSupport
import Foundation
import JSON
import SettingsCommand

/// A layer's file that is being written by this program alone: nobody else changes it between the reading and the writing.
///
/// The new content is written to a file beside it, which is locked as long and becomes the layer's file then.
struct LayerFile {
    let path: String
    private let newPath: String
    private let new: Int32

    /// Waits for whoever else publishes in the file, and reads it.
    ///
    /// - Parameter path: of a file; what a link there leads to.
    /// - Throws: `storage` where it cannot be written, or is not to be had for five seconds.
    init(_ path: String) throws(Failure) {
        var status = stat()
        if path.hasSuffix("/") || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR {
            throw .usage("--to takes a file, and \(path) is a folder")
        }
        self.path = Self.resolved(path)
        newPath = "\(self.path).new"
        do throws(Failure) {
            try makeFolder((self.path as NSString).deletingLastPathComponent, mode: 0o755)
        } catch {
            throw Failure(error.message, hint: Self.remedy, status: error.status)
        }
        new = try Self.lock(newPath, for: self.path)
    }

    static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    private static func lock(_ newPath: String, for path: String) throws(Failure) -> Int32 {
        // Five seconds.
        for _ in 0..<250 {
            // Others cannot open it, and so not lock it either.
            let file = open(newPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw unwritten(path, errno) }
            if flock(file, LOCK_EX | LOCK_NB) == 0, isStillThere(file, newPath) { return file }
            Foundation.close(file)
            usleep(20_000)
        }
        throw Failure("somebody else is publishing in \(path)", hint: "try again in a moment", status: .storage)
    }

    /// Whether the open file has not become the layer's file meanwhile.
    private static func isStillThere(_ file: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
    }

    private static let remedy = "as an administrator, or --to another file"

    private static func unwritten(_ path: String, _ code: Int32) -> Failure {
        Failure("cannot write \(path): \(systemMessage(code))", hint: remedy, status: .storage)
    }

    /// What the file says; nothing where there is none.
    func content() throws(Failure) -> JSONObject {
        guard let data = FileManager.default.contents(atPath: path) else {
            if access(path, F_OK) != 0 { return JSONObject() }
            throw Failure("cannot read \(path): \(systemMessage(errno))", status: .storage)
        }
        do throws(JSONError) {
            if let object = try JSONParser.parse([UInt8](data)).root.object { return object }
        } catch {
            throw Failure("\(path), \(error)", hint: "mend it first; nothing was published", status: .storage)
        }
        throw Failure("\(path) is no JSON object", hint: "mend it first; nothing was published", status: .storage)
    }

    /// Replaces the content, for every account to read.
    func write(_ content: JSONObject) throws(Failure) {
        guard ftruncate(new, 0) == 0 else { throw Self.unwritten(path, errno) }
        let code = replaceFile(path, by: newPath, new, with: JSONWriter.pretty(.object(content)), mode: 0o644)
        if code != 0 { throw Self.unwritten(path, code) }
    }

    /// Lets others write it.
    func close() {
        if Self.isStillThere(new, newPath) { unlink(newPath) }
        Foundation.close(new)
    }
}
