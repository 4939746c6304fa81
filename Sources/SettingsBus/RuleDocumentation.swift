internal import SettingsModel
internal import Spelling

/// What values are allowed, in sentences, for the interface's documentation.
extension Bounds {
    func documentation(of subject: String) -> String {
        if !choices.isEmpty { return "One of \(Suggestion.list(choices.map { "\($0)" }))." }
        let parts = [minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" }].compactMap { $0 }
        return parts.isEmpty ? "\(subject)." : "\(subject): \(parts.joined(separator: ", "))."
    }
}

extension StringRule {
    var documentation: String {
        var sentences: [String] = []
        if let choices { sentences.append(choices.documentation) }
        if let format { sentences.append(format.documentation) }
        if isLabel {
            let length = maximumLength.map { "\($0) characters (grapheme clusters) and " } ?? ""
            sentences.append(
                "One line of text: at most \(length)\(maximumBytes) bytes of UTF-8, no control or bidirectional formatting characters."
            )
        } else {
            let length = Int.range(minimumLength > 0 ? minimumLength : nil, maximumLength, of: "character")
            if let length { sentences.append("It has \(length).") }
        }
        if let pattern { sentences.append("It matches \(pattern.source).") }
        return sentences.isEmpty ? "A text." : sentences.joined(separator: " ")
    }
}

extension Choices {
    fileprivate var documentation: String {
        let list = "One of \(Suggestion.list(known.map(\.id)))"
        guard let customPrefix else { return list + "." }
        return list
            + ", or \(customPrefix)NAME with NAME 1 to 63 of a-z, 0-9 and -. A newer daemon may know more: treat an unknown value like \(customPrefix)NAME."
    }
}

extension StringFormat {
    fileprivate var documentation: String {
        switch self {
        case .email: "Empty, or an e-mail address."
        case .uri(let schemes):
            "Empty, or a link\(schemes.isEmpty ? "" : " with the scheme \(schemes.joined(separator: ", "))"); spaces and control characters must be percent-encoded."
        case .uuid: "A UUID."
        case .date: "A date, as in 2026-02-28."
        case .dateTime: "A date with its time, as in 2026-02-28T17:30:00Z."
        case .timeZone: "The name of a time zone, as in Europe/Berlin."
        }
    }
}

extension ListRule {
    var documentation: String {
        var sentences = ["A list of items: \(item.documentation)"]
        let count = Int.range(minimumCount > 0 ? minimumCount : nil, maximumCount, of: "item")
        if let count { sentences.append("It has \(count).") }
        if isUnique { sentences.append("No two items are equal.") }
        return sentences.joined(separator: " ")
    }
}

extension RecordRule {
    var documentation: String {
        let described = fields.map { field in
            "\(field.name)\(field.isRequired ? "" : " (may be absent)"): \(field.rule.documentation)"
        }
        return "Named values. \(described.joined(separator: " "))"
    }
}
