import JSON
import Testing

@Suite struct WritingTests {
    private let value: JSONValue = [
        "b": ["x": "y", "a": .array([])], "a": .array([.null, .boolean(true), [:]]), "é": "ü", "Z": ["k": "v"],
    ]

    @Test func prettyTextHasTwoSpacesALevelAndOneNewline() {
        let expected = """
            {
              "b": {
                "x": "y",
                "a": []
              },
              "a": [
                null,
                true,
                {}
              ],
              "é": "ü",
              "Z": {
                "k": "v"
              }
            }

            """
        #expect(String(decoding: JSONWriter.pretty(value), as: UTF8.self) == expected)
        #expect(JSONWriter.pretty([:]) == Array("{}\n".utf8))
    }

    @Test func aLineKeepsTheOrderAndASortedLineDoesNot() {
        #expect(
            String(decoding: JSONWriter.line(value), as: UTF8.self)
                == #"{"b":{"x":"y","a":[]},"a":[null,true,{}],"é":"ü","Z":{"k":"v"}}"#)
        #expect(
            String(decoding: JSONWriter.sortedLine(value), as: UTF8.self)
                == #"{"Z":{"k":"v"},"a":[null,true,{}],"b":{"a":[],"x":"y"},"é":"ü"}"#)
    }

    @Test func aLineWrittenPieceByPieceIsTheValuesOwn() throws {
        let text = #"{"a":{},"b":[],"c":[1,[],{"d":"\""}],"e":18446744073709551615,"f":0,"g":null}"#
        var line = JSONLine()
        line.object { line in
            line.key("a")
            line.object { _ in }
            line.key("b")
            line.array { _ in }
            line.key("c")
            line.array { line in
                line.integer(1)
                line.array { _ in }
                line.object { line in
                    line.key("d")
                    line.string("\"")
                }
            }
            line.key("e")
            line.integer(.max)
            line.key("f")
            line.integer(0)
            line.key("g")
            line.value(.null)
        }
        line.lineFeed()
        #expect(line.bytes == Array((text + "\n").utf8))
        #expect(try JSONWriter.line(JSONParser.parse(Array(text.utf8)).root) == Array(text.utf8))
    }

    @Test func everyControlCharacterIsEscapedAndNothingElse() throws {
        let scalars = (0..<0x2100).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{202E}", "\u{10FFFF}", "😀"]
        let text = scalars.map(String.init).joined()
        let line = JSONWriter.line(.string(text))
        #expect(!line.contains { $0 < 0x20 })
        #expect(line.starts(with: #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e"#.utf8))
        #expect(String(decoding: line, as: UTF8.self).hasSuffix("\u{202E}\u{10FFFF}😀\""))
        #expect(try JSONParser.parse(line).root == .string(text))
        #expect(JSONWriter.line("a\"b\\c/d") == Array(#""a\"b\\c/d""#.utf8))
    }

    @Test(arguments: [
        (0.0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"), (100, "100.0"),
        (9_007_199_254_740_992, "9007199254740992.0"), (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
    ])
    func aDoubleIsWrittenSoThatItReadsTheSame(_ number: Double, _ literal: String) throws {
        let written = JSONNumber(number)
        #expect(written.text == literal)
        if number.isFinite {
            #expect(try JSONParser.parse(JSONWriter.line(.number(written))).root.number?.double.bitPattern == number.bitPattern)
        }
    }
}
