import JSON
import Testing

@Suite struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let message: String

        init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            self.text = text
            self.line = line
            self.column = column
            self.message = message
        }

        var testDescription: String { text }
    }

    static let faults: [Fault] = [
        // Where a text ends too early, it says what is not closed.
        Fault("", 1, 1, "the text is empty; expected an object or another JSON value"),
        Fault(" \n ", 2, 2, "the text is empty; expected an object or another JSON value"),
        Fault(
            "{\n  \"a\": {\n", 3, 1,
            "the text ends, but the object that begins at line 2, column 8 is not closed; "
                + "expected a key in quotation marks or \"}\""),
        Fault(
            "{\"a\": [1, 2", 1, 12,
            "the text ends, but the array that begins at line 1, column 7 is not closed; expected \",\" or \"]\""),
        Fault(
            "{\"a\"", 1, 5,
            "the text ends, but the object that begins at line 1, column 1 is not closed; expected \":\" after the key"),
        Fault(
            "{\"a\": 1,", 1, 9,
            "the text ends, but the object that begins at line 1, column 1 is not closed; expected a key in quotation marks"),
        Fault("{\"a\": \"b", 1, 7, "the text ends, but this string is not closed; expected a quotation mark"),
        Fault(
            "{}\n\0\0", 2, 1, "found U+0000 control character; expected nothing after the end of the value"),
        Fault("\"\\", 1, 1, "the text ends, but this string is not closed; expected a quotation mark"),

        // Comments and stray commas are named as such.
        Fault("// hello\n{}", 1, 1, "a comment; JSON has none, remove it"),
        Fault("{\n  # hello\n}", 2, 3, "a comment; JSON has none, remove it"),
        Fault("{\"a\": /* hello */ 1}", 1, 7, "a comment; JSON has none, remove it"),
        Fault("{\"a\": 1} // done", 1, 10, "a comment; JSON has none, remove it"),
        Fault("{\"a\": 1, // one\n\"b\": 2}", 1, 10, "a comment; JSON has none, remove it"),
        Fault("{\n  \"a\": 1,\n}", 2, 9, "a stray comma before \"}\"; remove it"),
        Fault("[1,\n2,\n]", 2, 2, "a stray comma before \"]\"; remove it"),
        Fault("[1,,2]", 1, 4, "a stray comma; expected a value"),
        Fault("{,\"a\": 1}", 1, 2, "a stray comma; expected a key in quotation marks or \"}\""),
        Fault("{\"a\": 1},", 1, 9, "a stray comma; expected nothing after the end of the value"),
        Fault("{\"a\": ,}", 1, 7, "a stray comma; expected a value"),

        // Tokens out of place.
        Fault("{\n\"a\": 1\n\"b\": 2}", 3, 1, "found \"b\" without a comma before it; expected \",\" or \"}\""),
        Fault("[1 2]", 1, 4, "found 2 without a comma before it; expected \",\" or \"]\""),
        Fault("{\"a\" 1}", 1, 6, "found 1; expected \":\" after the key"),
        Fault("{\"a\", 1}", 1, 5, "a stray comma; expected \":\" after the key"),
        Fault("{a: 1}", 1, 2, "found a; expected a key in quotation marks or \"}\""),
        Fault("{1: 1}", 1, 2, "found 1; expected a key in quotation marks or \"}\""),
        Fault("{\"a\": }", 1, 7, "found \"}\"; expected a value"),
        Fault("[1}", 1, 3, "found \"}\"; expected \",\" or \"]\""),
        Fault("{\"a\": 1]", 1, 8, "found \"]\"; expected \",\" or \"}\""),
        Fault("{} {}", 1, 4, "found \"{\"; expected nothing after the end of the value"),
        Fault("1 2", 1, 3, "found 2; expected nothing after the end of the value"),
        Fault(":", 1, 1, "found \":\"; expected an object or another JSON value"),
        Fault("[\"a\": 1]", 1, 5, "found \":\"; expected \",\" or \"]\""),

        // What is no value.
        Fault("{\"a\": True}", 1, 7, "found True, which is written true; expected a value"),
        Fault("{\"a\": None}", 1, 7, "found None, which is no JSON value (text must be in quotes); expected a value"),
        Fault("[NaN]", 1, 2, "found NaN, which is no JSON value (text must be in quotes); expected a value or \"]\""),
        Fault("[trueish]", 1, 2, "found trueish, which is no JSON value (text must be in quotes); expected a value or \"]\""),
        Fault("[01]", 1, 2, "found 01, which is no JSON number; expected a value or \"]\""),
        Fault("[1.]", 1, 2, "found 1., which is no JSON number; expected a value or \"]\""),
        Fault("[.5]", 1, 2, "found .5, which is no JSON number; expected a value or \"]\""),
        Fault("[+1]", 1, 2, "found +1, which is no JSON number; expected a value or \"]\""),
        Fault("[-]", 1, 2, "found -, which is no JSON number; expected a value or \"]\""),
        Fault("[1e]", 1, 2, "found 1e, which is no JSON number; expected a value or \"]\""),
        Fault("[0x1F]", 1, 2, "found 0x1F, which is no JSON number; expected a value or \"]\""),
        Fault("[1-2]", 1, 2, "found 1-2, which is no JSON number; expected a value or \"]\""),
        Fault("[1.5.2]", 1, 2, "found 1.5.2, which is no JSON number; expected a value or \"]\""),
        Fault(
            "[12345678901234567890123x]", 1, 2,
            "found 12345678901234567890123x, which is no JSON number; expected a value or \"]\""),
        Fault(
            "{'a': 1}", 1, 2, "found \"'\", but the only quotation mark of JSON is \"; expected a key in quotation marks or \"}\""
        ),
        Fault(
            "[\u{201C}a\u{201D}]", 1, 2,
            "found U+201C LEFT DOUBLE QUOTATION MARK, but the only quotation mark of JSON is \"; expected a value or \"]\""),
        Fault("{\u{A0}\"a\": 1}", 1, 2, "found U+00A0 NO-BREAK SPACE; expected a key in quotation marks or \"}\""),
        Fault("[\u{0}]", 1, 2, "found U+0000 control character; expected a value or \"]\""),
        Fault("[\u{FEFF}1]", 1, 2, "found U+FEFF ZERO WIDTH NO-BREAK SPACE; expected a value or \"]\""),

        // Inside strings.
        Fault(
            "{\n\"a\": \"b\n}", 2, 6, "the string is not closed on its line; expected a quotation mark, or \\n for a line break"),
        Fault("[\"a\tb\"]", 1, 4, "U+0009 control character in a string; expected its escape \\u0009"),
        Fault("[\"\u{0}\"]", 1, 3, "U+0000 control character in a string; expected its escape \\u0000"),
        Fault(
            #"["C:\Users"]"#, 1, 5,
            #"a backslash with nothing to escape; expected one of \" \\ \/ \b \f \n \r \t \u"#),
        Fault(#"["\u12"]"#, 1, 3, #"\u is not followed by four hexadecimal digits"#),
        Fault(#"["\u+123"]"#, 1, 3, #"\u is not followed by four hexadecimal digits"#),
        Fault(#"["\ud800"]"#, 1, 3, "the first half of a surrogate pair without its second half after it"),
        Fault(#"["\ud800\ud800"]"#, 1, 3, "the first half of a surrogate pair without its second half after it"),
        Fault(#"["\ud83d\udc69\udc69"]"#, 1, 15, "the second half of a surrogate pair without its first half before it"),
        Fault(#"{"a\u0000b": 1}"#, 1, 4, "the key holds U+0000, which cannot be read"),
    ]

    @Test(arguments: faults)
    func aFaultIsToldWithItsPlaceAndWhatWasExpected(_ fault: Fault) {
        #expect(throws: JSONError(position: JSONPosition(line: fault.line, column: fault.column), message: fault.message)) {
            try parse(fault.text)
        }
    }

    @Test(arguments: [
        ("{\"a\": 1, \"b\": {\"a\": 2}, \"a\": 3}", 1, 25, "\"a\"", 1, 2),
        ("{\n  \"name\": \"x\",\n  \"na\\u006de\": \"y\"\n}", 3, 3, "\"na\\u006de\"", 2, 3),
        ("[{}, {\"é\": {\"x\": [\"é\"]}, \"ü\": 1,\n\"é\": 2}]", 2, 1, "\"é\"", 1, 7),
    ])
    func aDuplicateKeyIsToldWithBothPlaces(
        _ text: String, _ line: Int, _ column: Int, _ key: String, _ firstLine: Int, _ firstColumn: Int
    ) {
        let first = JSONPosition(line: firstLine, column: firstColumn)
        let error = JSONError(
            position: JSONPosition(line: line, column: column),
            message: "the key \(key) was given before at \(first); give it once", otherPosition: first)
        #expect(throws: error) { try parse(text) }
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 2, "0xFF"), ([0x22, 0x61, 0xC3, 0x22], 3, "0xC3"), ([0x22, 0xC0, 0x80, 0x22], 2, "0xC0"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 2, "0xED"), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2, "0xF4"),
            ([0x5B, 0xE9], 2, "0xE9"),
            ([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], 1, "0xFF"),
        ] as [([UInt8], Int, String)])
    func bytesThatAreNotUTF8AreToldWithTheirPlace(_ bytes: [UInt8], _ column: Int, _ byte: String) {
        let message = "the byte \(byte) is no UTF-8 here; save the text as UTF-8"
        #expect(throws: JSONError(position: JSONPosition(line: 1, column: column), message: message)) {
            try JSONParser.parse(bytes)
        }
    }

    @Test func columnsCountCharactersAsPeopleSeeThem() {
        let error = JSONError(
            position: JSONPosition(line: 2, column: 10),
            message: "found nope, which is no JSON value (text must be in quotes); expected a value")
        #expect(throws: error) { try parse("{\r\n  \"👩‍👩‍👧‍👦e\u{301}😀\": nope}") }
    }

    @Test func aByteOrderMarkMovesNoPosition() {
        let error = JSONError(position: JSONPosition(line: 1, column: 4), message: "a stray comma; expected a value")
        #expect(throws: error) { try parse("\u{FEFF}[1,,2]") }
    }

    @Test func nestingHasALimitThatIsToldWithItsPlace() throws {
        let deepest = String(repeating: "[", count: 2048) + String(repeating: "]", count: 2048)
        #expect(JSONWriter.line(try parse(deepest).root) == Array(deepest.utf8))
        let error = JSONError(
            position: JSONPosition(line: 1, column: 2049), message: "arrays and objects are nested more than 2048 levels deep")
        for depth in [2049, 1_000_000] {
            #expect(throws: error) { try parse(String(repeating: "[", count: depth)) }
        }
    }

    @Test func aLongTokenIsCutInTheMessage() {
        let long = String(repeating: "x", count: 100_000)
        for text in ["{\"a\": \(long)}", "{\"a\": 1 \"\(long)\"}", "{\"a\": 1\(long)}"] {
            let error = #expect(throws: JSONError.self) { try parse(text) }
            #expect((error?.message.count ?? .max) < 120)
        }
    }
}
