internal import Glibc

/// Where a store's files lie (XDG Base Directory Specification 0.8).
public struct StorePaths: Hashable, Sendable {
    public var document: String
    public var journal: String
    public var lock: String
    /// The files of the admin layer, the most important first.
    public var admin: [String]
    /// The files of the vendor layer, the most important first.
    public var vendor: [String]

    public init(document: String, journal: String, lock: String, admin: [String] = [], vendor: [String] = []) {
        self.document = document
        self.journal = journal
        self.lock = lock
        self.admin = admin
        self.vendor = vendor
    }

    /// Finds the files of the daemon's own account; makes none of them.
    ///
    /// A variable that is unset, empty or relative counts as its default, a relative element of a list is dropped.
    ///
    /// - Parameters:
    ///   - environment: the process's environment variables.
    ///   - configDirectory: the folder of the document, in place of `$XDG_CONFIG_HOME/settingsd`.
    ///   - stateDirectory: the folder of journal and lock, in place of `$XDG_STATE_HOME/settingsd`.
    /// - Throws: `foreignHome` where one of these folders, or the home that a default is taken from, belongs to another
    ///   account; `noHome` where there is none.
    public static func standard(
        environment: [String: String], configDirectory: String? = nil, stateDirectory: String? = nil
    ) throws(StoreError) -> StorePaths {
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"] {
            try checkText(environment[name] ?? "", name)
        }
        let config = try folder(
            given: configDirectory, variable: "XDG_CONFIG_HOME", default: ".config", environment: environment)
        let state = try folder(
            given: stateDirectory, variable: "XDG_STATE_HOME", default: ".local/state", environment: environment)
        return StorePaths(
            document: config + "/settings.json", journal: state + "/journal.jsonl", lock: state + "/lock",
            admin: layer("XDG_CONFIG_DIRS", default: ["/etc/xdg"], environment),
            vendor: layer("XDG_DATA_DIRS", default: ["/usr/local/share", "/usr/share"], environment))
    }

    /// Where an application's files lie: in the folder `apps` beside those of the daemon's own settings.
    ///
    /// - Parameters:
    ///   - id: the application's, as in `org.example.WorldClock`.
    ///   - own: where the daemon's own settings lie.
    public static func application(_ id: String, beside own: StorePaths) -> StorePaths {
        func path(beside path: String, _ suffix: String) -> String { Folder.path(Folder.of(path), "apps/\(id)\(suffix)") }
        return StorePaths(
            document: path(beside: own.document, ".json"), journal: path(beside: own.journal, ".jsonl"),
            lock: path(beside: own.lock, ".lock"), admin: own.admin.map { path(beside: $0, ".json") },
            vendor: own.vendor.map { path(beside: $0, ".json") })
    }

    private static func folder(
        given: String?, variable: String, default suffix: String, environment: [String: String]
    ) throws(StoreError) -> String {
        if let given {
            let path = absolute(given)
            try checkText(path, "the given folder")
            try checkOwner(path)
            return path
        }
        let base: String
        if let value = environment[variable], value.utf8.first == UInt8(ascii: "/") {
            base = trimmed(value)
        } else {
            let home = try home(environment)
            try checkOwner(home)
            base = (home == "/" ? "" : home) + "/" + suffix
        }
        try checkOwner(base)
        try checkOwner(base + "/settingsd")
        return base + "/settingsd"
    }

    /// What is no UTF-8 is not what its bytes were any more.
    private static func checkText(_ path: String, _ name: String) throws(StoreError) {
        guard path.unicodeScalars.contains("\u{FFFD}") else { return }
        throw .unavailable("\(name), \(path), is not valid UTF-8; rename the folder, or set another one")
    }

    private static func layer(_ variable: String, default folders: [String], _ environment: [String: String]) -> [String] {
        let given = (environment[variable] ?? "").split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }
        return (given.isEmpty ? folders : given.map { trimmed(String($0)) }).map { $0 + "/settingsd/settings.json" }
    }

    /// The user's home folder: `HOME`, or what the account has.
    ///
    /// - Throws: `noHome`.
    public static func home(_ environment: [String: String]) throws(StoreError) -> String {
        if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") { return trimmed(home) }
        let user = String(geteuid())
        // getpwuid(3) needs shared libraries, which a statically linked daemon has not.
        let accounts: [UInt8]
        do {
            accounts = try File.open("/etc/passwd", O_RDONLY).readToEnd(limit: 64 << 20)
        } catch {
            throw .noHome("HOME is not set and \(error); set HOME to your home folder")
        }
        for line in accounts.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count > 5, fields[2].elementsEqual(user.utf8), fields[5].first == UInt8(ascii: "/") else { continue }
            return trimmed(String(decoding: fields[5], as: UTF8.self))
        }
        throw .noHome("HOME is not set and /etc/passwd names no home for uid \(user); set HOME to your home folder")
    }

    /// A folder that is a link of this account's own may lead to another's, as into a read-only store.
    static func checkOwner(_ path: String) throws(StoreError) {
        let status: FileStatus?
        let link: FileStatus?
        do {
            status = try FileStatus.of(path)
            link = try FileStatus.of(path, followingLinks: false)
        } catch {
            throw .unavailable("\(error); make the folder accessible to uid \(geteuid())")
        }
        guard let status, status.owner != geteuid(), link?.owner != geteuid() else { return }
        throw .foreignHome(
            "\(path) belongs to uid \(status.owner), but this process runs as uid \(geteuid()); "
                + "run it as the owner, without sudo, or set HOME and the XDG variables to folders of your own")
    }

    private static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return trimmed(path) }
        guard let here = getcwd(nil, 0) else { return trimmed(path) }
        defer { free(here) }
        return trimmed(String(cString: here) + "/" + path)
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }
}
