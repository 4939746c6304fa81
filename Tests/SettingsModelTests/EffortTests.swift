import Testing

@testable import SettingsModel

/// What the values of one request, file or schema may cost together.
@Suite struct EffortTests {
    /// Takes as many steps as the text says: `good 300` matches, `bad 300` does not.
    private static let pattern = Pattern(source: "costly") { text, limit in
        let steps = text.split(separator: " ").last.flatMap { Int($0) } ?? 0
        if steps >= limit { return (.undecided("no end"), limit) }
        return (text.hasPrefix("good") ? .matches : .differs, steps)
    }
    private static let rule = ValueRule.string(StringRule(pattern: pattern))
    private static let schema = Schema(
        application: "org.example.Patterns",
        settings: [
            Setting("texts", .list(ListRule(of: rule)), default: .strings([]), ""),
            Setting("text", rule, default: "good 1", ""),
        ],
        actions: [ActionDeclaration("Set", "", arguments: [.init("text", rule, "")], [.set(.key("text"), to: .argument("text"))])]
    )

    private func refusal(_ actions: Action..., from values: [String: SettingValue] = [:]) -> SettingsError? {
        Fixture(values, schema: Self.schema).refusal(of: actions)
    }

    private func texts(_ steps: Int, _ count: Int) -> SettingValue { .strings(Array(repeating: "good \(steps)", count: count)) }

    @Test func theStepsThatMatchesTakeInARequestAreBounded() throws {
        #expect(refusal(.setValues(["texts": texts(20_000, 100)])) == nil)
        let refusal = try #require(self.refusal(.setValues(["texts": texts(20_000, 102)])))
        #expect(
            refusal
                == SettingsError(
                    .tooLarge,
                    "texts: item 101: \"good 20000\" is refused: whether it matches the pattern \"costly\" cannot be told: too many "
                        + "steps are taken for the values of this request; give fewer at once"))
    }

    @Test func theyAreCountedWhateverTheActionsAre() {
        let many = (0..<102).map { _ in Action("Set", ["text": "good 20000"]) }
        #expect(Fixture(schema: Self.schema).refusal(of: Array(many.prefix(50))) == nil)
        #expect(Fixture(schema: Self.schema).refusal(of: many)?.name == .tooLarge)
        let items = (0..<102).map { Action.insertValue(.string("good 2000\($0 % 10)"), into: "texts") }
        #expect(Fixture(schema: Self.schema).refusal(of: items)?.name == .tooLarge)
    }

    @Test func whatOrdinaryTextsTakeIsFree() {
        #expect(refusal(.setValues(["texts": texts(38, 200_000)])) == nil)
        let long = SettingValue.strings(Array(repeating: "good" + String(repeating: " ", count: 1000) + "1000", count: 5000))
        #expect(refusal(.setValues(["texts": long])) == nil)
    }

    @Test func theMatchOfOneTextIsBoundedByItself() throws {
        let refusal = try #require(self.refusal(.setValues(["text": "good 30000"])))
        #expect(refusal.name == .invalidValue && refusal.message.hasSuffix("cannot be told: it takes too many steps"))
    }

    /// What was taken by one request after the other stands in one document.
    @Test func aFileIsNotRefusedForWhatMatches() {
        var effort = Effort.file
        let costly = texts(20_000, 1000)
        guard let list = Self.schema.setting(named: "texts")?.rule else { return }
        #expect(list.fault(in: costly, &effort) == nil)
        #expect(!effort.isSpent)
        for _ in 0..<401 { #expect(Self.rule.fault(in: "bad 20000", &effort) != nil) }
        #expect(effort.isSpent)
        #expect(Self.rule.fault(in: "good 20000", &effort)?.hasSuffix("for the values of this file") == true)
        #expect(Self.rule.fault(in: "good 38", &effort) == nil)
    }
}
