import Testing

@testable import notes

/// Texts of notes, and what becomes of two changes of one.
@Suite struct NoteTextTests {
    @Test(arguments: [
        ("", "", ""), ("\n \n", "", ""), ("Title", "Title", ""), ("Title\n", "Title", ""),
        ("\n  Title \n\nbody", "Title", "body"),
        ("Title\nbody\n", "Title", "body"), ("Title\r\n\r\none\r\ntwo\r\n", "Title", "one\ntwo"), ("\u{FEFF}Title", "Title", ""),
        ("Title\n\n\none\n\n", "Title", "\none\n"), ("\tTi\ttle\t\n\tbody", "Ti tle", "\tbody"),
    ])
    func theFirstLineIsTheTitle(text: String, title: String, content: String) {
        #expect(NoteText(text) == NoteText(title: title, content: content))
    }

    @Test(arguments: ["", "one", "one\n", "\none", "one\n\n\ntwo\n\n", "e\u{301}"]) func aTextComesBackAsItWas(content: String) {
        let text = NoteText(title: "Title", content: content)
        #expect(NoteText(text.text) == text)
    }

    @Test func anAccentWrittenAnotherWayIsAChange() {
        #expect(NoteText("\u{E9}") != NoteText("e\u{301}"))
    }

    @Test(arguments: [
        // Lines with others between them.
        ("1\n2\n3", "one\n2\n3", "1\n2\nthree", "one\n2\nthree"),
        ("1\n2\n3", "0\n1\n2\n3", "1\n2\n3\n4", "0\n1\n2\n3\n4"),
        ("1\n2\n3\n4\n5", "1\n3\n4\n5", "1\n2\n3\n4\nfive", "1\n3\n4\nfive"),
        // One side alone, and both in the same way.
        ("1\n2", "1\n2", "1\ntwo", "1\ntwo"), ("1\n2", "1\ntwo", "1\n2", "1\ntwo"), ("1\n2\n3", "1\nx\n3", "1\nx\n3", "1\nx\n3"),
        ("1\n2\n3\n4", "one\n2\n3\nx", "1\n2\n3\nx", "one\n2\n3\nx"),
        // Lines that touch.
        ("1\n2\n3", "1\nmine\n3", "1\ntheirs\n3", nil), ("1\n2", "one\n2", "1\ntwo", nil), ("1", "1\nmine", "1\ntheirs", nil),
        ("1\n2\n3", "1\n3", "1\ntwo\n3", nil), ("", "mine", "theirs", nil),
        // The same to people, and not the same.
        ("\u{E9}", "e\u{301}", "\u{E9}\nmore", nil),
    ])
    func changesOfLinesThatDoNotTouchAreJoined(base: String, mine: String, theirs: String, both: String?) {
        func text(_ content: String) -> NoteText { NoteText(title: "Title", content: content) }
        #expect(NoteText.merge(base: text(base), mine: text(mine), theirs: text(theirs)) == both.map(text))
        #expect(NoteText.merge(base: text(base), mine: text(theirs), theirs: text(mine)) == both.map(text))
    }

    @Test func aTitleIsOneLine() {
        let base = NoteText(title: "a", content: "1")
        let renamed = NoteText(title: "b", content: "1")
        #expect(NoteText.merge(base: base, mine: renamed, theirs: NoteText(title: "a", content: "2")) == NoteText("b\n2"))
        #expect(NoteText.merge(base: base, mine: renamed, theirs: NoteText(title: "c", content: "1")) == nil)
    }

    /// Whatever two people do to a text: what is joined has every line of theirs that is new.
    @Test func nothingThatSomebodyHasWrittenIsLost() {
        var random = SystemRandomNumberGenerator()
        var joined = 0
        for _ in 0..<500 {
            let base = (0..<Int.random(in: 0...8, using: &random)).map { "line \($0)" }
            func changed(by name: String) -> [String] {
                var lines = base
                for number in 0..<Int.random(in: 0...2, using: &random) {
                    let place = Int.random(in: 0...lines.count, using: &random)
                    lines.insert("\(name) \(number)", at: place)
                    if place > 0, Bool.random(using: &random) { lines.remove(at: place - 1) }
                }
                return lines
            }
            let (mine, theirs) = (changed(by: "mine"), changed(by: "theirs"))
            func text(_ lines: [String]) -> NoteText { NoteText(title: "", content: lines.joined(separator: "\n")) }
            guard let both = NoteText.merge(base: text(base), mine: text(mine), theirs: text(theirs)) else { continue }
            joined += 1
            let lines = NoteText.lines(both.content)
            #expect(Set(mine + theirs).subtracting(base).isSubset(of: lines), "\(base) \(mine) \(theirs) \(lines)")
            #expect(Set(base).intersection(mine).intersection(theirs).isSubset(of: lines), "\(base) \(mine) \(theirs) \(lines)")
        }
        #expect(joined > 100)
    }

    @Test func veryLongTextsAreNotComparedForever() {
        func text(_ word: String) -> NoteText {
            NoteText(title: "", content: (0..<20_000).map { "\(word) \($0)" }.joined(separator: "\n"))
        }
        #expect(NoteText.merge(base: text("a"), mine: text("b"), theirs: text("c")) == nil)
    }
}
