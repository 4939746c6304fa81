internal import Spelling

/// The rule for a setting that takes one of a list of values.
enum ChoiceRule {
    /// The regular expression of a custom choice, for `describe`.
    static func pattern(customPrefix: String) -> String { customPrefix + "[a-z0-9][a-z0-9-]{0,62}" }

    /// Says what is wrong with `text`, or nil when nothing is.
    static func fault(in text: String, choices: [Choice], customPrefix: String) -> String? {
        if choices.contains(where: { $0.id.utf8.elementsEqual(text.utf8) }) { return nil }
        if text.utf8.starts(with: customPrefix.utf8) {
            let name = text.utf8.dropFirst(customPrefix.utf8.count)
            if isCustomName(Array(name)) { return nil }
            return "after \(customPrefix) come 1 to 63 of a-z, 0-9 and -, the first no hyphen"
        }
        let known = choices.map(\.id)
        return Suggestion.nearest(to: text, among: known).map { "did you mean \"\($0)\"?" }
            ?? "it takes one of: \(known.joined(separator: ", ")), or \(customPrefix)NAME"
    }

    private static func isCustomName(_ name: [UInt8]) -> Bool {
        guard (1...63).contains(name.count), name[0] != UInt8(ascii: "-") else { return false }
        return name.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "0"..."9", "-": true
            default: false
            }
        }
    }
}

extension ValueRule {
    /// The regular expression that further values match, where there is one.
    public var pattern: String? {
        if case .choice(_, let prefix) = self { ChoiceRule.pattern(customPrefix: prefix) } else { nil }
    }
}
