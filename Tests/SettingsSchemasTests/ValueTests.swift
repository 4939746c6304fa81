import JSON
import SettingsJSON
import SettingsModel
import TestSupport
import Testing

/// Values as JSON, whose types come from the schema.
@Suite struct ValueTests {
    private func read(_ text: String, _ rule: ValueRule) throws -> SettingValue? {
        SettingValue(try JSONParser.parse(Array(text.utf8)).root, maybe: rule)
    }

    @Test func aNumberHasTheTypeThatItsRuleSays() throws {
        for (text, number) in [
            ("5", 5), ("5.0", 5), ("5e0", 5), ("50e-1", 5), ("0.5E1", 5), ("-0", 0), ("0e999999999999999999999", 0),
            ("-1.20e1", -12),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("9223372036854775807.0", .max),
            ("1e18", 1_000_000_000_000_000_000),
        ] { #expect(try read(text, .integer(Bounds())) == .integer(number), "\(text)") }
        for text in ["0.5", "1e19", "9223372036854775808", "1e-1", "1e999999999999999999999", "10e-2", "\"5\"", "true", "null"] {
            #expect(try read(text, .integer(Bounds())) == nil, "\(text)")
        }
        #expect(try read("5", .number(Bounds())) == .number(5))
        #expect(try read("1e999", .number(Bounds())) == nil)
    }

    private static let record = ValueRule.record(
        RecordRule([
            .init("n", .number(Bounds())), .init("i", .integer(Bounds())),
            .init("list", .list(ListRule(of: .list(ListRule(of: .boolean))))),
        ]))

    @Test func fieldsAndItemsHaveTheirTypes() throws {
        let rule = ValueRule.list(ListRule(of: Self.record))
        #expect(
            try read(#"[{"n": 1, "i": 1.0, "list": [[], [true]]}, {}]"#, rule)
                == .list(
                    element: .record,
                    [
                        .record([
                            "n": .number(1), "i": .integer(1),
                            "list": .list(
                                element: .list(.boolean),
                                [.list(element: .boolean, []), .list(element: .boolean, [.boolean(true)])]),
                        ]), .record([:]),
                    ]))
        #expect(try read("[]", rule) == .list(element: .record, []))
        #expect(try read(#"[{"n": "x"}]"#, rule) == nil)
    }

    @Test(arguments: 0..<50)
    func aValueIsTheSameWhenItIsReadAgain(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let rule = random.rule(depth: 3)
            let value = random.value(of: rule)
            let json = try JSONParser.parse(JSONWriter.line(value.json)).root
            #expect(SettingValue(json, maybe: rule) == value)
        }
    }
}
