import Foundation
import TestSupport
import Testing

/// What is wrong in a list is told with the place of the item, or of the field, wherever somebody has written it.
@Suite(.logsOnFailure) struct FaultPlaceTests {
    static let application = "org.example.Lists"

    private static func schema(default value: String = "[]") -> String {
        """
        { "type": "object", "properties": {
          "words": { "type": "array", "items": { "type": "string", "maxLength": 5 }, "uniqueItems": true, "default":
        \(value)
          },
          "notes": { "type": "array", "default": [], "items": { "type": "object", "required": ["id"], "properties": {
            "id": { "type": "string" }, "count": { "type": "integer", "maximum": 9 } } } } } }
        """
    }

    struct Case: CustomTestStringConvertible {
        /// A value of a list; `*` stands before the part at fault.
        let key: String
        let marked: String
        let says: String

        var testDescription: String { marked }
        var text: String { marked.replacingOccurrences(of: "*", with: "") }

        /// A file with the value, and the line and column of the mark.
        func file() -> (text: String, place: String) {
            let lines = "{\n  \"\(key)\": \(marked)\n}\n".split(separator: "\n", omittingEmptySubsequences: false)
            let line = lines.firstIndex { $0.contains("*") } ?? 0
            let column = lines[line].unicodeScalars.prefix { $0 != "*" }.count
            return (
                lines.joined(separator: "\n").replacingOccurrences(of: "*", with: ""), "line \(line + 1), column \(column + 1)"
            )
        }
    }

    static let cases = [
        Case(key: "words", marked: "[\"a\",\n *\"toolong\"]", says: "item 2: \"toolong\" is refused"),
        Case(key: "words", marked: "[\"a\",\n *7]", says: "item 2, takes a string"),
        Case(key: "words", marked: "[\"a\", \"b\",\n *\"a\"]", says: "item 3 is the same as item 1"),
        Case(
            key: "notes", marked: "[{\"id\": \"x\"},\n {\"id\": \"y\",\n  \"count\": *12}]", says: "item 2: count: 12 is refused"),
        Case(key: "notes", marked: "[{\"id\": \"x\"},\n {\"id\": *true}]", says: "item 2, id, takes a string"),
        Case(key: "notes", marked: "[{\"id\": \"x\"},\n  *{\"count\": 1}]", says: "item 2: it lacks the field id"),
    ]

    @Test(arguments: cases) func theItemIsNamedWithItsPlace(test: Case) throws {
        let session = try TestSession()
        try session.install(Self.schema(), as: Self.application)
        let (text, place) = test.file()
        let document = try session.folder.write(text, to: "home/.config/settingsd/apps/\(Self.application).json")
        let layer = try session.folder.write(text, to: "etc/settingsd/apps/\(Self.application).json")
        let daemon = try session.startDaemon()
        let problems = try #require(try session.object(["-a", Self.application, "status", "--json"])["problems"] as? [String])
        for file in [document, layer] {
            #expect(
                problems.contains { $0.hasPrefix("\(file), \(place): \(test.key)") && $0.contains(test.says) },
                "\(place): \(problems)")
        }
        let file = try session.folder.write(text, to: "import.json")
        let result = try session.control("-a", Self.application, "import", file)
        #expect(result.status == .exited(4))
        #expect(result.stderr.hasPrefix("settingsctl: import: \(file), \(place): \(test.key)"), "\(result)")
        #expect(result.stderr.contains(test.says), "\(result)")
        try daemon.end()
    }

    @Test func aDefaultOfASchemaIsNamedWithThePlaceOfItsItem() throws {
        let session = try TestSession()
        let file = try session.folder.write(Self.schema(default: "[\"a\",\n    \"toolong\"]"), to: "\(Self.application).json")
        let result = try session.control("check", file)
        #expect(result.stdout.contains("\(file):4:5: ") && result.stdout.contains("item 2: \"toolong\""), "\(result)")
    }
}
