/// The rule for a line of text that people write: a name, a label.
enum TextRule {
    /// Says what is wrong with `text`, or nil when nothing is.
    static func fault(in text: String, maximumLength: Int, maximumBytes: Int) -> String? {
        for (index, character) in text.enumerated() {
            if let bad = character.unicodeScalars.first(where: \.isControlOrBidi) {
                return "\(bad.reference) at character \(index + 1) is not allowed; remove it"
            }
        }
        if text.utf8.count > maximumBytes {
            return "it has \(text.utf8.count) bytes; at most \(maximumBytes) are allowed"
        }
        if text.count > maximumLength {
            return "it has \(text.count) characters; at most \(maximumLength) are allowed"
        }
        return nil
    }
}
