package import SettingsModel

/// A shell that completes our command lines, by a script that holds all that it offers.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    /// The script for a schema: a function that prints the words of a topic, and one that says which topic it is.
    package func script(for schema: Schema) -> String {
        let topics = CompletionTopic.all(schema).filter { !$0.words.isEmpty }
        switch self {
        case .bash: return note + words(of: topics, open: "() {\n    case $1 in", close: "    esac\n}") + Self.bashDriver
        case .zsh:
            let words = words(of: topics, open: "() {\n    case $1 in", close: "    esac\n}")
            return "#compdef settingsctl\n" + note + words + Self.zshDriver
        case .fish:
            return note + words(of: topics, open: "\n    switch $argv[1]", close: "    end\nend") + Self.fishDriver
        }
    }

    private var note: String { "# Completes settingsctl in \(rawValue); \"settingsctl completions \(rawValue)\" prints it.\n\n" }

    /// The function that prints the words of a topic, one a line, where there is a use for it with a tab and the summary.
    private func words(of topics: [CompletionTopic], open: String, close: String) -> String {
        let cases = topics.flatMap { topic in
            let words = topic.words.map { quoted(self == .bash ? $0.text : "\($0.text)\t\($0.summary)") }
            return [self == .fish ? "    case \(quoted(topic.name))" : "    \(quoted(topic.name)))"]
                + [([#"        printf '%s\n'"#] + words).joined(separator: " \\\n            ")]
                + (self == .fish ? [] : ["        ;;"])
        }
        let opening = self == .fish ? "function _settingsctl_words" : "_settingsctl_words"
        return ([opening + open] + cases + [close]).joined(separator: "\n") + "\n\n"
    }

    /// The text as one word of the shell.
    private func quoted(_ text: String) -> String {
        let escape = self == .fish ? "\\'" : "'\\''"
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: escape) + "'"
    }
}
