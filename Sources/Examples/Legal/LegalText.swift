import ExampleSupport
import SettingsCommand
import Spelling

/// What a publisher has to tell; each is a setting of its own, so that an administrator replaces one and leaves the others.
enum LegalKind: String, CaseIterable, Encodable {
    case imprint
    case privacy
    case licence

    var words: String {
        switch self {
        case .imprint: "imprint"
        case .privacy: "privacy policy"
        case .licence: "licence agreement"
        }
    }

    /// - Throws: `Usage`, naming those that there are.
    init(named text: String) throws(Failure) {
        guard let kind = LegalKind(rawValue: text == "license" ? "licence" : text) else {
            let hint = Suggestion.nearest(to: text, among: Self.names).map { "did you mean \($0)?" }
            throw .usage(
                "\(text) is nothing that is published", hint: hint ?? "one of: \(Self.names.joined(separator: ", "))")
        }
        self = kind
    }

    static let names = allCases.map(\.rawValue)
}

/// One of them in one language: a record of the setting. A field that a publisher has left out is empty.
struct LegalText: Codable, Hashable {
    var language: String?
    var version: String?
    var date: String?
    var title: String?
    var body: String?

    /// `version 1.2 of 2026-02-01`, as far as the publisher says so.
    var edition: String {
        [version.map { "version \($0)" }, date.map { "of \($0)" }].compactMap { $0 }.joined(separator: " ")
    }
}

extension [LegalText] {
    /// The languages, each once.
    var languages: [String] {
        let all = compactMap(\.language)
        return all.enumerated().filter { all.firstIndex(of: $1) == $0 }.map(\.element)
    }

    /// The text in the first of these languages that there is one in; else the publisher's own first.
    func best(_ languages: [String]) -> LegalText? {
        for language in languages {
            if let text = first(where: { $0.language == language }) { return text }
            // de_CH does for de, when there is nothing nearer.
            if let text = first(where: { $0.language?.hasPrefix("\(language)_") ?? false }) { return text }
        }
        return first
    }
}

/// All that is published: the settings as the schema has them.
struct Publication: Codable, Hashable {
    var imprint: [LegalText]
    var privacy: [LegalText]
    var licence: [LegalText]

    subscript(kind: LegalKind) -> [LegalText] {
        switch kind {
        case .imprint: imprint
        case .privacy: privacy
        case .licence: licence
        }
    }
}
