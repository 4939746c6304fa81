import SettingsModel
import Testing

@testable import SettingsCommand

/// The values that messages give as examples.
@Suite struct ExampleValueTests {
    static let rules: [ValueRule] =
        [.boolean, .integer(Bounds()), .integer(Bounds(maximum: -5)), .integer(Bounds(choices: [7, 8])), .number(Bounds())]
        + [.number(Bounds(minimum: 20)), .string(StringRule()), .string(StringRule(minimumLength: 40))]
        + [
            .string(StringRule(maximumLength: 1)), .choice([Choice("it's", "")]), .uri(schemes: ["mailto"]),
            .uri(schemes: ["ftp"]),
        ]
        + StringFormat.named.map { .string(StringRule(format: $0)) }

    @Test(arguments: rules) func anExampleIsTakenWhenItIsTyped(rule: ValueRule) throws {
        let record = ValueRule.record(RecordRule([.init("a", rule, required: true), .init("b", rule)]))
        let optional = ValueRule.record(RecordRule([.init("a", rule)]))
        let lists = [rule, record, optional].map { ValueRule.list(ListRule(of: $0)) }
        let long = ValueRule.list(ListRule(of: rule, minimumCount: 3))
        for rule in [rule, record, optional, long] + lists {
            let example = try #require(rule.example)
            #expect(try SettingValue(typed: example.text, for: rule) == example)
            #expect(rule.fault(in: example) == nil)
        }
    }

    @Test func whatNoExampleIsFoundForHasNone() {
        let pattern = Pattern(source: "x") { text, _ in (text == "x" ? .matches : .differs, 1) }
        #expect(ValueRule.string(StringRule(pattern: pattern)).example == nil)
        #expect(ValueRule.list(ListRule(of: .boolean, minimumCount: 2, isUnique: true)).example == nil)
    }
}
