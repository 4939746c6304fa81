import JSON
import Testing

@Suite struct ParsingTests {
    @Test func everyKindOfValueIsReadInOrder() throws {
        let text = #"{"null": null, "yes": true, "no": false, "n": -1.5e3, "s": "é", "a": [1, [], {}], "o": {"k": "v"}}"#
        let object = try #require(try parse(text).root.object)
        #expect(object.members.map(\.key) == ["null", "yes", "no", "n", "s", "a", "o"])
        #expect(object["null"] == .null)
        #expect(object["yes"]?.boolean == true)
        #expect(object["no"]?.boolean == false)
        #expect(object["n"]?.number?.text == "-1.5e3")
        #expect(object["s"] == "é")
        #expect(object["a"]?.array?.count == 3)
        #expect(object["o"]?.object?["k"]?.string == "v")
        #expect(object["missing"] == nil)
    }

    @Test(arguments: ["null", "true", "0", "\"text\"", "[]", "{}", " \n\t\r 7 \n"])
    func anyValueMayBeTheRoot(_ text: String) throws {
        let trimmed = text.filter { !$0.isWhitespace }
        #expect(JSONWriter.line(try parse(text).root) == Array(trimmed.utf8))
    }

    @Test(arguments: [
        "9007199254740993", "1.0", "1e400", "-1E-400", "3.14159265358979323846", "-0", "0.0", "18446744073709551616",
        "123456789012345678901234567890", "1E+2", "0e0",
    ])
    func aNumberSurvivesARewriteAsItWasWritten(_ literal: String) throws {
        let text = #"{"deep":[[\#(literal)],{"n":\#(literal)},"\#(literal)"],"last":\#(literal)}"#
        let root = try parse(text).root
        #expect(JSONWriter.line(root) == Array(text.utf8))
        #expect(try JSONParser.parse(JSONWriter.pretty(root)).root == root)
    }

    @Test func integersAreReadWhereTheyFit() throws {
        let numbers = try #require(
            try parse("[-9223372036854775808, 9223372036854775807, 9223372036854775808, 18446744073709551615, 1.0, 1e2, -0, -1]")
                .root.array
        ).compactMap(\.number)
        #expect(numbers.map(\.int64) == [.min, .max, nil, nil, nil, nil, 0, -1])
        #expect(numbers.map(\.uint64) == [nil, 9_223_372_036_854_775_807, 9_223_372_036_854_775_808, .max, nil, nil, 0, nil])
        #expect(numbers[4].double == 1)
        #expect(numbers[5].double == 100)
    }

    @Test func aByteOrderMarkAndCarriageReturnsLoad() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array("{\r\n  \"name\": \"Ada\",\r\n  \"n\": 12\r\n}\r\n".utf8)
        let document = try JSONParser.parse(bytes)
        #expect(document.root == ["name": "Ada", "n": .number(JSONNumber(Int64(12)))])
        #expect(document.position(of: []) == JSONPosition(line: 1, column: 1))
        #expect(document.position(of: ["name"]) == JSONPosition(line: 2, column: 11))
        #expect(document.position(of: ["n"]) == JSONPosition(line: 3, column: 8))
    }

    @Test func escapesAreDecoded() throws {
        let text = #"["\" \\ \/ \b \f \n \r \t \u0041 \u00e9 \ud83d\udc69 \u0000 end", "\u00E9\u0301"]"#
        let root = try parse(text).root
        #expect(root == .array(["\" \\ / \u{8} \u{C} \n \r \t A é 👩 \u{0} end", "\u{E9}\u{301}"]))
    }

    @Test func textsThatUnicodeCallsEquivalentAreTwoTexts() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let root = try parse("{\"\(composed)\": 1, \"\(decomposed)\": 2}").root
        let object = try #require(root.object)
        #expect(object.count == 2)
        #expect(object[composed]?.number?.text == "1")
        #expect(object[decomposed]?.number?.text == "2")
        #expect(JSONValue.string(composed) != .string(decomposed))
        #expect(JSONValue.string(composed).hashValue != JSONValue.string(decomposed).hashValue)
        #expect([composed: "1"] as JSONValue != [decomposed: "1"])
    }

    @Test func positionsOfValuesAreFoundByTheirPaths() throws {
        let document = try parse(
            """
            { "a": [10, {"b": "x", "c": [true, null]}, "👩‍👩‍👧‍👦", 3],
              "é": {"d": -1},
            \t"last": "end" }
            """)
        let expected: [([String], Int, Int)] = [
            ([], 1, 1), (["a"], 1, 8), (["a", "0"], 1, 9), (["a", "1"], 1, 13), (["a", "1", "b"], 1, 19),
            (["a", "1", "c", "1"], 1, 36), (["a", "2"], 1, 44), (["a", "3"], 1, 49), (["é"], 2, 8), (["é", "d"], 2, 14),
            (["last"], 3, 10),
        ]
        for (path, line, column) in expected {
            #expect(document.position(of: path) == JSONPosition(line: line, column: column), "\(path)")
        }
        for path in [["b"], ["a", "4"], ["a", "-1"], ["a", "x"], ["last", "0"], ["e\u{301}"]] {
            #expect(document.position(of: path) == nil, "\(path)")
        }
    }

    @Test func aTextOfThreeMegabytesIsReadAndWrittenInLinearTime() throws {
        var object = JSONObject()
        for number in 0..<50_000 {
            object["section\(number % 100).key\(number)"] = .string("a value that is long enough \(number) to fill the line")
        }
        let bytes = JSONWriter.pretty(.object(object))
        #expect(bytes.count > 3_000_000)
        var document: JSONDocument?
        let elapsed = try ContinuousClock().measure {
            document = try JSONParser.parse(bytes)
            #expect(document?.root == .object(object))
            #expect(JSONWriter.pretty(.object(object)) == bytes)
            for number in stride(from: 49_999, through: 0, by: -1) {
                object["section\(number % 100).key\(number)"] = .null
            }
        }
        #expect(document?.position(of: ["section99.key49999"]) == JSONPosition(line: 50_001, column: 25))
        // Quadratic work would take minutes, even in an optimised build.
        #expect(elapsed < .seconds(20))
    }
}

func parse(_ text: String) throws(JSONError) -> JSONDocument { try JSONParser.parse(Array(text.utf8)) }
