/// The rules for texts as such.
enum TextRule {
    /// Says what keeps `text` from being one line that people read, or nil when nothing does.
    static func labelFault(in text: String) -> String? {
        // Characters are taken apart only where there may be something: that costs a hundred times as much.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return nil }
        for (index, character) in text.enumerated() {
            if let bad = character.unicodeScalars.first(where: \.isControlOrBidi) {
                return "\(bad.reference) at character \(index + 1) is not allowed; remove it"
            }
        }
        return nil
    }

    /// Says what is wrong with the size of `text`, or nil when nothing is.
    static func sizeFault(in text: String, _ minimumLength: Int, _ maximumLength: Int?, maximumBytes: Int) -> String? {
        if let fault = text.utf8.count.fault(as: "byte", most: maximumBytes) { return fault }
        // A character has at least one byte.
        guard minimumLength > 0 || maximumLength.map({ text.utf8.count > $0 }) ?? false else { return nil }
        return text.count.fault(as: "character", least: minimumLength, most: maximumLength)
    }

    /// Says what keeps `text` from going over the bus, or nil when nothing does: a D-Bus string has no NUL (D-Bus
    /// Specification, basic types).
    static func wireFault(in text: String) -> String? {
        text.utf8.contains(0) ? "\(("\0" as Unicode.Scalar).reference) is not allowed; remove it" : nil
    }
}
