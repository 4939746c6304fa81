import SettingsModel
import Testing

@testable import SettingsSchemas

@Suite struct PatternTests {
    private func judge(_ source: String, _ text: String) throws -> Pattern.Verdict {
        try CompiledPattern(source).judge(text, 2_000_000).0
    }

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

    /// An item of the expression may pass over all that is left of a text, or look at all of it and stay where it is.
    @Test(arguments: [
        ("[ab]*+[cd]", "ab", 30_000, ""), ("(\\w*+\\s*+)[cd]", "a", 60_000, ""), ("(?=(a*))*(?=(a*))*[bc]", "a", 60_000, ""),
        ("(?:a{30000}|x)[bc]", "a", 60_000, ""), ("(?:a{29999}?|x)[bc]", "a", 60_000, ""),
        ("(?:(?:a{30000})+|x)[bc]", "a", 60_000, ""), ("(?:\\X{5}|x)[bc]", "\u{301}", 30_000, ""),
        ("^(a{300}b).*(?:\\1{90}|x)[cd]", String(repeating: "a", count: 300) + "b", 200, ""),
        ("[\(String(repeating: "\\p{Lu}", count: 500))]*+[cd]", "A", 3000, ""),
    ])
    func whatAMatchPassesOverCounts(_ source: String, _ part: String, _ count: Int, _ end: String) throws {
        let (verdict, steps) = try CompiledPattern(source).judge(String(repeating: part, count: count) + end, 2_000_000)
        #expect(verdict == .undecided("callout error code"), "\(steps) steps")
        #expect((2_000_000..<2_100_000).contains(steps))
    }

    @Test func aMatchThatIsGivenUpSaysSo() throws {
        let rule = ValueRule.string(StringRule(pattern: try Pattern(compiling: "^(a+)+$")))
        let fault = rule.fault(in: .string(String(repeating: "a", count: 100) + "!"))
        #expect(fault?.hasSuffix("cannot be told: it takes too many steps") == true)
    }

    /// One call, document or schema may have thousands of them.
    @Test(arguments: [14, 20, 200]) func aShortTextTakesFewSteps(_ count: Int) throws {
        let rule = ValueRule.string(StringRule(pattern: try Pattern(compiling: "^(?:(a+)+b|a*c)$")))
        let fault = rule.fault(in: .string(String(repeating: "a", count: count) + "c"))
        #expect(fault?.hasSuffix("cannot be told: it takes too many steps") == true)
    }

    /// Each of them in each of ten thousand records.
    @Test(arguments: [
        ("^\\d{4}-\\d{2}-\\d{2}$", "2026-11-30"),
        ("^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$", "7d444840-9dc0-11d1-b245-5ffdce74fad2"),
        ("^[^@\\s]+@[^@\\s]+\\.[a-z]+$", "ada.lovelace@mail.example.org"),
        (
            "^[\\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
            "ada.lovelace@mail.example.org"
        ),
        ("^(https?|ftp)://[^\\s/$.?#].[^\\s]*$", "https://www.example.org/some/path?x=1"),
        ("^#?([a-f0-9]{6}|[a-f0-9]{3})$", "#ffeedd"), ("^(?=.*[A-Z])(?=.*\\d).{8,}$", "abcdefgh1234XYZ"),
        ("^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$", "192.168.100.200"),
        ("^(?:(?:[a-z0-9]+(?:-[a-z0-9]+)*)\\.)+[a-z]{2,}$", "very-long.sub-domain.example-site.org"),
    ])
    func tenThousandOrdinaryTextsAreTaken(_ source: String, _ text: String) throws {
        let pattern = try CompiledPattern(source)
        let (verdict, steps) = pattern.judge(text, 2_000_000)
        #expect(verdict == .matches && steps <= 32 + text.utf8.count, "\(steps) steps")
        let rule = ValueRule.list(ListRule(of: .string(StringRule(pattern: try Pattern(compiling: source)))))
        #expect(rule.fault(in: .strings(Array(repeating: text, count: 10_000))) == nil)
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
