internal import Glibc

/// Where schema files lie: `settingsd/schemas` under each data folder (XDG Base Directory Specification 0.8).
public struct SchemaFolders: Hashable, Sendable {
    /// A schema file that is there; nobody has looked into it.
    public struct Entry: Hashable, Sendable {
        public let application: String
        public let path: String
    }

    /// What the folders hold.
    public struct Listing: Hashable, Sendable {
        /// One for each application, sorted by it.
        public var entries: [Entry] = []
        /// A sentence for each folder that cannot be listed and each file whose name is no application's id.
        public var problems: [String] = []
        /// Those of folders that could not be listed for a reason that may pass by itself.
        public var missed: [String] = []

        fileprivate mutating func miss(_ folder: String, for code: Int32) {
            let problem = "\(folder) cannot be listed: \(SchemaFile.reason(code)); its schemas are not known"
            if SchemaFile.mayPass(code) { missed.append(problem) }
            problems.append(problem)
        }
    }

    /// The folders, the most important first.
    public let paths: [String]

    public init(paths: [String]) { self.paths = paths }

    /// Finds the folders; they need not be there.
    ///
    /// A variable that is unset, empty or relative counts as its default, a relative element of a list is dropped.
    ///
    /// - Parameters:
    ///   - environment: the process's environment variables.
    ///   - home: the user's home folder, where `HOME` does not tell it.
    public init(environment: [String: String], home: String? = nil) {
        var paths: [String] = []
        let folders = DataFolders(environment: environment, home: home)
        for path in ([folders.own].compactMap { $0 } + folders.shared).map({ "\($0)/settingsd/schemas" })
        where !paths.contains(path) {
            paths.append(path)
        }
        self.paths = paths
    }

    /// Whether a text is an application's id, so that there can be a schema file for it.
    public static func isApplication(_ id: String) -> Bool { Names.applicationFault(id) == nil }

    /// The schema file of an application that counts, whether it can be read or not; nil where there is none.
    ///
    /// - Parameter application: an id; one that is none has no file.
    public func path(of application: String) -> String? {
        guard Self.isApplication(application) else { return nil }
        // A link that leads nowhere is listed, too.
        return paths.map { "\($0)/\(application).json" }.first { faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }
    }

    /// Lists the schema files that are there, at the cost of reading the folders.
    public func listing() -> Listing {
        var listing = Listing()
        var found: [String: String] = [:]
        for folder in paths {
            guard let stream = opendir(folder) else {
                if errno != ENOENT, errno != ENOTDIR { listing.miss(folder, for: errno) }
                continue
            }
            defer { closedir(stream) }
            while true {
                // The end and an error differ by that alone (readdir(3)).
                errno = 0
                guard let entry = readdir(stream) else {
                    if errno != 0 { listing.miss(folder, for: errno) }
                    break
                }
                let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                guard name.hasSuffix(".json"), !name.hasPrefix(".") else { continue }
                let application = String(name.dropLast(".json".count))
                if let fault = Names.applicationFault(application) {
                    listing.problems.append("\(folder)/\(name): \(fault)")
                } else if found[application] == nil {
                    found[application] = "\(folder)/\(name)"
                }
            }
        }
        listing.entries = found.sorted { $0.key < $1.key }.map { Entry(application: $0.key, path: $0.value) }
        listing.problems.sort()
        return listing
    }
}
