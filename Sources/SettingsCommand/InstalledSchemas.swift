internal import SettingsBus
internal import SettingsClient
internal import SettingsModel
internal import SettingsSchemas
internal import SettingsStore
internal import Spelling

/// The schema files of applications that are found here, by the environment: for what needs no daemon.
enum InstalledSchemas {
    static var folders: SchemaFolders { SchemaFolders(environment: ProcessEnvironment.current, home: home) }

    /// The user's home folder; nil where nothing tells it: there are the machine's files all the same.
    static var home: String? {
        do throws(StoreError) {
            return try StorePaths.home(ProcessEnvironment.current)
        } catch {
            return nil
        }
    }

    /// The settings of an application by its schema file; the daemon's own need none.
    ///
    /// - Parameter application: an id; empty: the daemon's own settings.
    /// - Throws: an unknown name where there is no such file, `Failed` with all that is wrong with it where it is no schema.
    static func schema(of application: String) throws(Failure) -> Schema {
        if application.isEmpty { return .builtIn }
        guard let path = folders.path(of: application) else { throw .unknown(application) }
        do throws(SchemaFaults) {
            return try SchemaFile.read(path, application: application)
        } catch {
            throw .broken(path, error)
        }
    }
}

extension Failure {
    /// What the bus calls an object that is not there; the name for programs of an application that nobody knows.
    private static let unknownApplication = "org.freedesktop.DBus.Error.UnknownObject"

    /// An application that has no schema file.
    fileprivate static func unknown(_ application: String) -> Failure {
        let folders = InstalledSchemas.folders
        let place =
            SchemaFolders.isApplication(application)
            ? folders.paths.first.map { "its schema file would be \($0)/\(application).json" }
            : "an application is named by its id, such as org.example.WorldClock"
        return Failure(
            name: unknownApplication,
            message: "there is no application \(application.quoted())\(meant(by: application, folders.listing().entries))",
            hint: place.map { "\($0); settingsctl apps lists what there is" }, status: .unknownName)
    }

    /// A sentence's tail that offers the application whose id or title is nearest.
    private static func meant(by name: String, _ entries: [SchemaFolders.Entry]) -> String {
        let byID = Suggestion.hint(for: name, among: entries.map(\.application))
        guard byID.isEmpty else { return byID }
        let applications = entries.map { InstalledApplication($0) }
        let title = Suggestion.nearest(to: name, among: applications.map(\.title))
        return applications.first { $0.title == title }.map { "; did you mean \"\($0.id)\"?" } ?? ""
    }

    fileprivate static func broken(_ path: String, _ faults: SchemaFaults) -> Failure {
        var failure = Failure.failed("\(path), \(faults.faults[0])", hint: "settingsctl check \(path) names all that is wrong")
        failure.further = faults.faults.dropFirst().map { "\(path), \($0)" }
        return failure
    }

    /// An application whose settings the daemon has not got.
    static func unserved(_ application: String, _ error: ClientError) -> Failure {
        guard let path = InstalledSchemas.folders.path(of: application) else { return unknown(application) }
        var failure = Failure(name: error.name, message: error.message, status: .unknownName)
        do throws(SchemaFaults) {
            _ = try SchemaFile.read(path, application: application)
            failure.hint = "\(path) is in order, so the daemon may look elsewhere: by its own XDG_DATA_HOME and XDG_DATA_DIRS"
        } catch {
            // The daemon may not have looked at the file yet.
            failure.message = "\(path), \(error.faults[0])"
            failure.hint = "settingsctl check \(path.quotedForShell) names all that is wrong with its schema file"
        }
        return failure
    }

    /// The same with a hint whose commands are about the application, too.
    func hinting(at application: String) -> Failure {
        guard !application.isEmpty, let hint, status != .unknownName || name != Self.unknownApplication else { return self }
        var failure = self
        failure.hint = hint.naming(application)
        return failure
    }
}

extension String {
    /// The text with `-a APP` in the first command line that it names.
    fileprivate func naming(_ application: String) -> String {
        let program = Array("settingsctl ".utf8)
        let bytes = Array(utf8)
        for start in bytes.indices where bytes[start...].starts(with: program) {
            let end = start + program.count
            return String(decoding: bytes[..<end], as: UTF8.self) + "-a \(application.quotedForShell) "
                + String(decoding: bytes[end...], as: UTF8.self)
        }
        return self
    }
}
