import Foundation

/// The languages that somebody reads, best first, in the order of gettext: "The LANGUAGE variable" in its manual.
enum Languages {
    /// Those of the environment.
    static func preferred(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        // Who asks for no language gets none, whatever LANGUAGE says.
        if ["C", "POSIX"].contains(withoutCodeset(locale)) { return [] }
        let list = environment["LANGUAGE"] ?? ""
        return (list.isEmpty ? [locale] : list.split(separator: ":").map(String.init)).flatMap(variants)
    }

    /// A language, then what it is a variant of: `de_AT`, `de` for `de_AT.UTF-8@euro` or `de-AT`.
    static func variants(_ locale: String) -> [String] {
        let parts = withoutCodeset(locale).split { $0 == "_" || $0 == "-" }
        guard let language = parts.first?.lowercased() else { return [] }
        return (parts.count > 1 ? ["\(language)_\(parts[1].uppercased())"] : []) + [language]
    }

    private static func withoutCodeset(_ locale: String) -> String {
        String(locale.prefix { $0 != "." && $0 != "@" })
    }
}
