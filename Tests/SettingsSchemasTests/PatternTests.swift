import SettingsModel
import Testing

@testable import SettingsSchemas

@Suite struct PatternTests {
    private func judge(_ source: String, _ text: String) throws -> Pattern.Verdict { try CompiledPattern(source).judge(text) }

    @Test(arguments: [
        ("^[a-z]+$", "abc", true), ("^[a-z]+$", "abc\n", false), ("b", "abc", true), ("^\\u0041$", "A", true),
        ("^.$", "\u{1F4A9}", true),
        ("^\\d+$", "12", true), ("^\\d+$", "\u{0661}", false), ("^(a)?b\\1$", "b", true), ("[]", "a", false),
        ("^\\w\\s$", "a ", true),
        ("^a.b$", "a\nb", false), ("", "", true), ("^\u{E9}$", "\u{E9}", true), ("^\u{E9}$", "e\u{301}", false),
        ("^\\x41$", "A", true),
        ("^\\p{Lu}$", "\u{C4}", true), ("^\\u{1F4A9}$", "\u{1F4A9}", true), ("^(?=.*x)y", "yx", true), ("a|^$", "", true),
    ])
    func aPatternMeansWhatItMeansInJavaScript(_ source: String, _ text: String, _ matches: Bool) throws {
        #expect(try judge(source, text) == (matches ? .matches : .differs))
    }

    @Test(arguments: [
        ("^(a+)+$", "a", 60_000), ("(a|a)*b", "a", 60_000), ("(x+x+)+y", "x", 60_000), ("[ab]*+c", "ab", 30_000),
        ("(.*)*(.*)*(.*)*z", "a", 1000), ("^(?:(?1))?((?:a|(?1))*)*$", "a", 5000), ("(?=(a*))*(?=(a*))*b", "a", 60_000),
    ])
    func aMatchThatWouldTakeForEverIsGivenUp(_ source: String, _ part: String, _ count: Int) throws {
        let verdict = try judge(source, String(repeating: part, count: count) + "!")
        #expect(verdict != .matches)
    }

    @Test func aMatchThatIsGivenUpSaysSo() throws {
        #expect(try judge("^(a+)+$", String(repeating: "a", count: 100) + "!") == .undecided("it takes too many steps"))
    }

    /// One call, document or schema may have thousands of them.
    @Test(arguments: [14, 20, 200]) func aShortTextTakesFewSteps(_ count: Int) throws {
        let text = String(repeating: "a", count: count) + "c"
        #expect(try judge("^(?:(a+)+b|a*c)$", text) == .undecided("it takes too many steps"))
    }

    @Test(arguments: [1, 10, 100, 1000, 10_000]) func anOrdinaryPatternMatchesTextsOfEachLength(_ count: Int) throws {
        let words = String(repeating: "word ", count: count)
        #expect(try judge("^(\\w+\\s?)*$", words) == .matches)
        #expect(try judge("[a-z]+@[a-z]+\\.[a-z]+$", words + "ada@example.org") == .matches)
    }

    @Test func anOrdinaryPatternMatchesTheLongestText() throws {
        let words = String(repeating: "word-", count: 13_000) + "end"
        #expect(try judge("^[a-z-]+$", words) == .matches)
        #expect(try judge("^([a-z]+-)*[a-z]+$", words) == .matches)
        #expect(try judge("^[^\\n]*$", words) == .matches)
    }

    @Test(arguments: ["(", "[a", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "\\C", "(?<=a*)b", "*a", String(repeating: "(", count: 300)])
    func whatIsNoPatternIsRefusedWithItsPlace(_ source: String) {
        #expect(throws: CompiledPattern.Fault.self) { try CompiledPattern(source) }
    }

    @Test func aFaultSaysWhereItIs() {
        do {
            _ = try CompiledPattern("\u{E9}\u{E9}[a")
            Issue.record("It was compiled")
        } catch {
            #expect(error.place == 5)
            #expect(error.message == "missing terminating ] for character class")
        }
    }
}
