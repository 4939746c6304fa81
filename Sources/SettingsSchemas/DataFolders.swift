/// The folders for files that are no settings, by the XDG Base Directory Specification 0.8; they need not be there.
public struct DataFolders: Hashable, Sendable {
    /// The user's own; nil where nothing tells their home.
    public let own: String?
    /// The machine's, the most important first.
    public let shared: [String]

    /// Finds the folders: a variable that is unset, empty or relative counts as its default, a relative element of a list is
    /// dropped.
    ///
    /// - Parameters:
    ///   - environment: the process's environment variables.
    ///   - home: the user's home folder, where `HOME` does not tell it.
    public init(environment: [String: String], home: String? = nil) {
        let home = [environment["HOME"], home].compactMap { $0 }.first(where: Self.isAbsolute)
        let given = environment["XDG_DATA_HOME"].flatMap { Self.isAbsolute($0) ? $0 : nil }
        own = (given ?? home.map { "\($0)/.local/share" }).map(Self.trimmed)
        let listed = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map { String($0) }.filter(Self.isAbsolute)
        shared = listed.isEmpty ? ["/usr/local/share", "/usr/share"] : listed.map(Self.trimmed)
    }

    private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    private static func trimmed(_ path: String) -> String { String(path.reversed().drop { $0 == "/" }.reversed()) }
}
