import Foundation

/// The languages that somebody reads, best first, in the order of gettext: "The LANGUAGE variable" in its manual.
///
/// As there, `LANGUAGE` counts unless the locale is `C`, which is also called `POSIX`. `C.UTF-8` is another locale, the one of
/// many containers: it names no language itself, and leaves the choice to `LANGUAGE`.
enum Languages {
    /// Those of the environment.
    static func preferred(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        if ["C", "POSIX"].contains(locale) { return [] }
        let list = environment["LANGUAGE"] ?? ""
        if list.isEmpty { return withoutCodeset(locale) == "C" ? [] : variants(locale) }
        return list.split(separator: ":").map(String.init).flatMap(variants)
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
