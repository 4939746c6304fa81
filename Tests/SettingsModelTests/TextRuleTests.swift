import SettingsModel
import Testing

/// The rule of `profile.name` and `provider.account`.
@Suite struct TextRuleTests {
    private static let family = "👩‍👩‍👧‍👦"

    @Test(arguments: [
        "", " ", "Ada Lovelace", " not trimmed ", "Zoë", "Zoe\u{308}", "山田太郎", "محمد", "👩‍👩‍👧‍👦", String(repeating: "👩‍👩‍👧‍👦", count: 100),
        "\u{200E}\u{200F}\u{61C}marks", "a\u{200C}b\u{200D}c", "\u{FEFF}", "\u{A0}", "\"quoted\" \\ <b>",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
        String(repeating: "x", count: 100), String(repeating: "é", count: 100), String(repeating: "e\u{301}", count: 100),
    ])
    func aNameIsStoredExactly(_ name: String) throws {
        for key in ["profile.name", "provider.account"] {
            let outcome = try Fixture([key: "before"]).outcome(.setValues([key: .string(name)]))
            let stored = outcome.edits.first?.after?.string
            #expect(stored.map { Array($0.utf8) } == Array(name.utf8))
        }
    }

    @Test func aNameHasAtMostAHundredCharacters() {
        for character in ["x", "é", "e\u{301}", Self.family, "山"] {
            let error = fault("profile.name", String(repeating: character, count: 101))
            #expect(error?.contains("it has 101 characters; at most 100 are allowed") == true, "\(character)")
        }
    }

    @Test func aNameHasAtMost4096Bytes() {
        // One character of 4,096 bytes, and one of 4,097 and more.
        let full = "ab" + String(repeating: "\u{301}", count: 2047)
        #expect(full.utf8.count == 4096)
        #expect(full.count == 2)
        #expect(fault("profile.name", full) == nil)
        #expect(fault("profile.name", "c" + full)?.contains("it has 4097 bytes; at most 4096 are allowed") == true)
        #expect(fault("profile.name", String(repeating: Self.family, count: 100)) == nil)
    }

    private static let forbidden: [UInt32] =
        Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029] + Array(0x202A...0x202E) + Array(0x2066...0x2069)

    @Test(arguments: forbidden)
    func aForbiddenCharacterIsNamedWithItsPlace(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let hex = String(value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        for (text, place) in [("\(scalar)", 1), ("ab\(scalar)", 3), ("\(Self.family)é\(scalar)x", 3)] {
            let message = try #require(fault("profile.name", text), "\(name)")
            #expect(message.hasPrefix("profile.name: "))
            #expect(message.contains(name) && message.contains("at character \(place) is not allowed"), "\(message)")
            #expect(!message.unicodeScalars.contains(scalar), "the message itself holds \(name)")
        }
    }

    @Test func theNeighboursOfForbiddenCharactersAreFine() throws {
        for value: UInt32 in [0x20, 0x7E, 0xA0, 0x2027, 0x202F, 0x2065, 0x206A, 0x200E, 0x200F, 0x200D] where value != 0x2065 {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(fault("profile.name", "a\(scalar)b") == nil, "\(value)")
        }
    }

    @Test(arguments: [
        ("Ada\nLovelace", "U+000A control character at character 4"), ("\u{1B}[31m", "U+001B control character at character 1"),
        ("x\u{202E}y", "U+202E RIGHT-TO-LEFT OVERRIDE at character 2"),
        ("\u{2066}x", "U+2066 LEFT-TO-RIGHT ISOLATE at character 1"),
        ("a\r\nb", "U+000D control character at character 2"),
    ])
    func aMessageSaysWhichCharacterStandsWhere(_ text: String, _ expected: String) {
        #expect(fault("profile.name", text)?.hasSuffix("\(expected) is not allowed; remove it") == true)
    }

    @Test func aControlCharacterInsideACharacterIsFound() {
        // A joiner does not bind a control character, but a variation selector follows one in a text.
        #expect(fault("profile.name", "a\u{202E}\u{301}")?.contains("U+202E") == true)
        #expect(fault("profile.name", "👩\u{200D}\u{85}")?.contains("U+0085") == true)
    }
}

/// What is wrong with a value of a setting: the message of the refusal, or nil.
func fault(_ key: String, _ text: String) -> String? {
    guard let error = Fixture().refusal(.setValues([key: .string(text)])) else { return nil }
    #expect(error.name == .invalidValue)
    return error.message
}
