internal import SettingsModel

/// The daemon's command line.
package struct DaemonArguments: Equatable {
    /// What to print in place of serving.
    enum Printed: Equatable {
        case help
        case version
        case interface
    }

    /// One option of the command line.
    package struct Declaration: Sendable {
        package let name: String
        /// The name of the value in the help; nil: it takes none.
        package let value: String?
        /// What it does, in one line without a full stop.
        package let summary: String
        fileprivate let apply: @Sendable (inout DaemonArguments, String) -> Void
    }

    var configDirectory: String?
    var stateDirectory: String?
    var printed: Printed?

    init() {}

    /// Why a command line is refused, for people.
    struct Fault: Error, Equatable {
        let message: String
    }

    package static let declarations = [
        Declaration(name: "--config-dir", value: "DIR", summary: "keep the document in DIR, not in $XDG_CONFIG_HOME/settingsd") {
            $0.configDirectory = $1
        },
        Declaration(
            name: "--state-dir", value: "DIR", summary: "keep journal and lock in DIR, not in $XDG_STATE_HOME/settingsd"
        ) { $0.stateDirectory = $1 },
        Declaration(name: "--print-interface", value: nil, summary: "print the D-Bus interface as XML and exit") { arguments, _ in
            arguments.printed = .interface
        },
        Declaration(name: "--version", value: nil, summary: "print the version and exit") { arguments, _ in
            arguments.printed = .version
        },
        Declaration(name: "--help", value: nil, summary: "print this help and exit") { arguments, _ in
            arguments.printed = .help
        },
    ]

    static let usage: String = {
        let shown = declarations.map { declaration in
            ([declaration.name, declaration.value ?? ""].joined(separator: " "), declaration.summary)
        }
        let width = shown.map(\.0.count).max() ?? 0
        let lines = shown.map { name, summary in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
        }
        return """
            Usage: settingsd [--config-dir DIR] [--state-dir DIR]
            Serves the settings of one user on the session bus until it is told to end.

            \(lines.joined(separator: "\n"))

            """
    }()

    /// Parses a command line.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: what is wrong with it.
    init(_ arguments: [String]) throws(Fault) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = word == "-h" ? "--help" : parts[0]
            guard let declaration = Self.declarations.first(where: { $0.name == name }) else {
                throw Fault(message: word.hasPrefix("-") ? "unknown option \(name.quoted())" : "unexpected \(word.quoted())")
            }
            var given = parts.count == 2 ? parts[1] : nil
            if declaration.value == nil, given != nil { throw Fault(message: "\(name) takes no value") }
            if let value = declaration.value {
                given = given ?? rest.popFirst()
                if given?.isEmpty ?? true { throw Fault(message: "\(name) needs a value, \(value)") }
            }
            declaration.apply(&self, given ?? "")
        }
    }
}
