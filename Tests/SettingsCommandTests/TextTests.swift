import Testing

@testable import SettingsCommand

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Ada", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("山田太郎", 8), ("محمد", 4), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1),
        ("1️⃣", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1), ("Ａ", 2), ("€", 1), ("a\u{200B}b", 2), ("\u{200E}", 0),
        ("…", 1),
        ("é→ö", 3), ("𝄞", 1), ("𠮷", 2), ("⌚", 2),
    ])
    func aTextTakesItsCells(text: String, cells: Int) {
        #expect(text.displayWidth == cells)
    }

    @Test func aColumnIsPaddedByCells() {
        #expect("山".padded(to: 4) == "山  ")
        #expect("abcd".padded(to: 2) == "abcd")
    }
}

@Suite struct EscapingTests {
    @Test(arguments: [
        ("plain é 山", "plain é 山"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb", "a\\nb"), ("\u{202E}x", "\\u{202E}x"),
        ("\u{9B}x", "\\u{009B}x"), ("\u{7F}", "\\u{7F}"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("\u{200F}", "\u{200F}"),
    ])
    func whatWouldSteerATerminalIsEscaped(text: String, shown: String) {
        #expect(text.withControlsEscaped.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }
}

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("plain", "plain"), ("a=b", "a=b"), ("Ada Lovelace", "'Ada Lovelace'"), ("", "''"), ("it's", "'it'\\''s'"),
        ("$x", "'$x'"),
        ("山", "山"), ("a\u{301}", "a\u{301}"), ("'", "''\\'''"), ("*", "'*'"), ("~/x", "'~/x'"), ("a\u{A0}b", "'a\u{A0}b'"),
    ])
    func aWordIsQuotedAsAShellWantsIt(text: String, word: String) {
        #expect(text.quotedForShell.unicodeScalars.elementsEqual(word.unicodeScalars))
    }
}

@Suite struct TextTableTests {
    @Test func columnsAreAlignedByWhatATerminalShows() {
        let table = TextTable([
            .init(cells: ["k", "山田", "user"]), .init(cells: ["key", "Ada", ""]), .init(cells: ["x", "a\tb", "u"]),
        ])
        #expect(table.aligned() == ["k    山田  user", "key  Ada", "x    a\\tb  u"])
    }

    @Test func colourSurroundsTheWholeLine() {
        let table = TextTable([.init(cells: ["a", "b"], style: .bold), .init(cells: ["c", "d"])])
        #expect(table.aligned(isColoured: true) == ["\u{1B}[1ma  b\u{1B}[0m", "c  d"])
    }
}
