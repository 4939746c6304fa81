import Foundation
import JSON
import SettingsClient
import SettingsCommand
import SettingsSchemas

/// The user's home folder: `HOME`, or what the account has where that is no absolute path.
public var homeFolder: String {
    if let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") { return home }
    return getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
}

extension Invocation {
    private var folders: SchemaFolders {
        SchemaFolders(environment: ProcessInfo.processInfo.environment, home: homeFolder)
    }

    /// The schema file that is installed; nil where none is.
    func schemaFile() -> String? { folders.path(of: program.application) }

    /// The first thing that is wrong with a schema file, with its place.
    func firstFault(of file: String) -> String? {
        SchemaFile.faults(ofFile: file, application: program.application).first.map { fault in
            let place = fault.position.map { ", line \($0.line), column \($0.column)" } ?? ""
            return "\(file)\(place): \(fault.message)"
        }
    }

    /// The failure, with what helps where the schema that is installed is another version's.
    func hinted(_ failure: Failure) -> Failure {
        guard failure.hint == nil, [.unknownName, .refused].contains(failure.status), let file = schemaFile(),
            FileManager.default.contents(atPath: file) != Data(program.schema)
        else { return failure }
        var failure = failure
        failure.hint = "\(file) is not this program's own schema, which \(program.name) --install puts in its place"
        return failure
    }

    /// Installs the schema for the user, and returns when a daemon that runs serves its settings.
    func install() throws {
        let path = "\(folders.paths[0])/\(program.application).json"
        try makeFolder((path as NSString).deletingLastPathComponent, mode: 0o755)
        let old = FileManager.default.contents(atPath: path)
        let new = "\(path).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        let code = descriptor < 0 ? errno : replaceFile(path, by: new, descriptor, with: program.schema, mode: 0o644)
        close(descriptor)
        if code != 0 { throw Failure("cannot write \(path): \(systemMessage(code))", status: .storage) }
        print(Installed(schema: path, replaced: old.map { $0 != Data(program.schema) } ?? false))
        for _ in 0..<100 {
            do throws(Failure) {
                return try connect(startsDaemon: false).close()
            } catch {
                // Without a daemon there is nobody to wait for: it will find the file when it starts.
                if error.status == .unavailable { return }
            }
            // It hears of the file by itself, within about a tenth of a second.
            usleep(20_000)
        }
        try connect(startsDaemon: false).close()
    }
}

private struct Installed: Report {
    var schema: String
    /// Whether another version was there, or one that somebody has edited.
    var replaced: Bool

    func lines(width: Int) -> [Line] { [Line(replaced ? "replaced by this program's: \(schema)" : "installed: \(schema)")] }
}
