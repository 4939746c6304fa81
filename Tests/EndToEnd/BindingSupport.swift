import TestSupport

/// The Python that the system's bindings are for.
enum Python {
    static let path = "/usr/bin/python3"

    /// Whether a module can be imported.
    ///
    /// - Parameter version: of a namespace of gi.repository, where several may be installed.
    static func has(_ module: String, version: String? = nil) -> Bool {
        let namespace = module.split(separator: ".").last ?? ""
        let choice = version.map { "import gi; gi.require_version('\(namespace)', '\($0)'); " } ?? ""
        let process = try? RunningProcess(path, ["-c", "\(choice)import \(module)"], environment: ["PATH": "/usr/bin:/bin"])
        return (try? process?.waitForExit()) == .exited(0)
    }
}
