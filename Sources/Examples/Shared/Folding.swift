import Foundation

extension String {
    /// The text without what a search passes over: case, accents, and how wide a character is.
    public var folded: String {
        // Most texts need no look into tables.
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The words of a text to look for.
    public var searchWords: [String] { split(whereSeparator: \.isWhitespace).map { String($0).folded } }
}
