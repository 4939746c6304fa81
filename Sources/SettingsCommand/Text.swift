extension String {
    /// The text with control characters and those that change the direction of writing as escapes, so that a terminal
    /// shows them and does not obey them.
    package var withControlsEscaped: String {
        guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.controlsTerminal {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text in quotes where it begins or ends with a blank, which nobody would see.
    var withBlanksQuoted: String { first?.isWhitespace == true || last?.isWhitespace == true ? "\"\(self)\"" : self }

    /// How many cells of a terminal the text takes.
    package var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// The text with spaces behind it up to a width in cells.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }
}

extension Character {
    /// 2 for wide East Asian characters and emoji (Unicode Standard Annexes 11 and 51), 0 where only marks stand.
    var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // The emoji presentation of a character that is text by default.
            if scalar == "\u{FE0F}", width == 1 { return 2 }
            width = max(width, scalar.displayWidth)
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Hangul vowels and final consonants join the syllable before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return isWide || properties.isEmojiPresentation ? 2 : 1
    }

    /// East Asian Width W or F; emoji are told by their property.
    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// C0, DEL, C1, the line and paragraph separators, and the bidirectional embeddings, overrides and isolates.
    fileprivate var controlsTerminal: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
