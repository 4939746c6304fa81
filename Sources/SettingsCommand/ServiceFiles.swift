internal import Glibc
internal import SettingsBus
internal import SettingsModel
internal import SettingsSchemas
internal import Spelling

/// The activation file, by which a bus starts the daemon, and the folders that the bus of a session looks for it in
/// (dbus-daemon(1), `standard_session_servicedirs`).
package enum ServiceFiles {
    private static let file = "\(SettingsNames.busName).service"
    private static let place = "dbus-1/services"

    /// What to do where the bus does not know how to start the daemon, in a clause.
    ///
    /// A bus goes by its own environment. That is ours where this program runs below it, as under dbus-run-session(1).
    package static var remedy: String {
        let folders = DataFolders(environment: ProcessEnvironment.current, home: InstalledSchemas.home)
        // The bus looks into this one whatever the variables say.
        let always = folders.shared.contains("/usr/share") ? [] : ["/usr/share"]
        let read = [folders.own].compactMap { $0 } + folders.shared + always
        if let folder = read.first(where: hasFile) {
            return "\(folder)/\(place)/\(file) is there; a bus that was running before takes it in by `gdbus call --session "
                + "-d org.freedesktop.DBus -o / -m org.freedesktop.DBus.ReloadConfig`; or run settingsd"
        }
        let places = "\(Suggestion.list(read.map { "\($0)/\(place)" })) (by HOME, XDG_DATA_HOME and XDG_DATA_DIRS)"
        guard let folder = ([besideProgram].compactMap { $0 } + ["/usr/local/share"]).first(where: hasFile) else {
            return "install \(file) where the bus looks: \(places); or run settingsd"
        }
        let list = ([folder] + folders.shared).joined(separator: ":")
        return "\(file) is in \(folder)/\(place), and this session's bus looks in \(places); start the session with "
            + "XDG_DATA_DIRS=\(list.quotedForShell), or run settingsd"
    }

    private static func hasFile(_ folder: String) -> Bool { unsafe access("\(folder)/\(place)/\(file)", R_OK) == 0 }

    /// The data folder that was installed along with this program: `PREFIX/share` of `PREFIX/bin/settingsctl`.
    private static var besideProgram: String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        let parts = unsafe String(cString: path).split(separator: "/").dropLast(2)
        return (parts.map { "/\($0)" } + ["/share"]).joined()
    }
}
