import Foundation
import SettingsCommand
import SettingsModel
import SettingsService
import TestSupport
import Testing

@Suite struct ManualTests {
    static let pages = ["settingsctl.1", "settingsd.5", "settingsd.8"]

    @Test(arguments: pages) func theCommittedPageIsWhatTheTablesSay(page: String) throws {
        let made = try Project.output(of: "Generator", ["manual"], input: Project.text(of: "man/\(page).in"))
        #expect(try Project.text(of: "man/\(page)") == made, "Run `make generate`.")
    }

    /// The terms that a page explains, as a reader sees them.
    private func terms(of page: String) throws -> Set<String> {
        let terms = try Project.text(of: "man/\(page)").split(separator: "\n").filter { $0.hasPrefix(".It ") }.map { line in
            var text = String(line)
            for (escape, shown) in ["\\-": "-", "\\(aq": "'", "\\[u2026]": "…"] {
                text = text.replacingOccurrences(of: escape, with: shown)
            }
            guard let quote = text.firstIndex(of: "\"") else { return text }
            return text[quote...].dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
        }
        return Set(terms)
    }

    @Test func everyCommandAndOptionIsExplained() throws {
        let terms = try terms(of: "settingsctl.1")
        for command in CommandTable.all {
            #expect(terms.contains(command.usage), "\(command.name)")
            for example in command.examples { #expect(terms.contains("settingsctl \(example.line)".trimmed), "\(example.line)") }
        }
        for option in OptionTable.all { #expect(terms.contains(option.listed.trimmed), "\(option.name)") }
        for status in ExitStatus.allCases { #expect(terms.contains(".It \(status.rawValue)"), "\(status)") }
    }

    @Test func everyOptionAndErrorOfTheDaemonIsExplained() throws {
        let terms = try terms(of: "settingsd.8")
        for option in DaemonArguments.declarations { #expect(terms.contains { $0.hasPrefix(option.name) }, "\(option.name)") }
        for status in Daemon.Status.allCases { #expect(terms.contains(".It \(status.rawValue)"), "\(status)") }
        for error in SettingsError.Name.allCases { #expect(terms.contains(error.rawValue), "\(error)") }
    }

    @Test func everySettingAndActionIsExplained() throws {
        let terms = try terms(of: "settingsd.5")
        for setting in Schema.builtIn.settings {
            #expect(terms.contains(setting.alias.map { "\(setting.key) or \($0)" } ?? setting.key), "\(setting.key)")
        }
        for action in Schema.builtIn.actions {
            #expect(terms.contains(action.name), "\(action.name)")
            for argument in action.arguments { #expect(terms.contains(argument.name), "\(action.name) \(argument.name)") }
        }
    }

    @Test(arguments: pages) func theFormattersFindNoFault(page: String) throws {
        let path = Project.root.appending(path: "man/\(page)").path
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"]
        let lint = try RunningProcess("mandoc", ["-Tlint", "-Wwarning", path], environment: environment).result()
        #expect(lint.status == .exited(0) && lint.stdout.isEmpty && lint.stderr.isEmpty, "\(lint)")
        let shown = try RunningProcess("man", ["--warnings", "-E", "UTF-8", "-l", path], environment: environment).result()
        #expect(shown.status == .exited(0) && shown.stderr.isEmpty && shown.stdout.contains("SEE ALSO"), "\(shown.stderr)")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
