import Foundation

/// The programs that were built together with the running tests.
public enum Products {
    /// The path of a built program, such as `settingsd`; it lies beside the test program.
    ///
    /// - Throws: `TestFailure` when it is not there: its test target must depend on it.
    public static func path(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let besideTests = (tests as NSString).deletingLastPathComponent
        let fromArguments = CommandLine.arguments.compactMap { argument in
            argument.range(of: ".xctest").map { _ in (argument as NSString).deletingLastPathComponent }
        }
        for folder in [besideTests] + fromArguments {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw TestFailure("\(name) was not built beside \(tests).")
    }
}
