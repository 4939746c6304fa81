internal import Spelling

/// The rule for a setting that takes one of a list of values.
enum ChoiceRule {
    /// The regular expression of a custom choice, for `describe`.
    static func pattern(customPrefix: String) -> String { customPrefix + "[a-z0-9][a-z0-9-]{0,62}" }

    /// Says what is wrong with `text`, or nil when nothing is.
    static func fault(in text: String, choices: [Choice], customPrefix: String?) -> String? {
        if choices.contains(where: { $0.id.utf8.elementsEqual(text.utf8) }) { return nil }
        if let customPrefix, text.utf8.starts(with: customPrefix.utf8) {
            let name = text.utf8.dropFirst(customPrefix.utf8.count)
            if isCustomName(Array(name)) { return nil }
            return "after \(customPrefix) come 1 to 63 of a-z, 0-9 and -, the first no hyphen"
        }
        let known = choices.map(\.id)
        return Suggestion.nearest(to: text, among: known).map { "did you mean \"\($0)\"?" }
            ?? "it takes one of: \(Suggestion.list(known))\(customPrefix.map { ", or \($0)NAME" } ?? "")"
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

extension StringRule {
    /// The regular expression that texts match, or that further ones match beside the known choices; nil: there is none.
    public var patternSource: String? { choices?.customPrefix.map(ChoiceRule.pattern) ?? pattern?.source }
}
