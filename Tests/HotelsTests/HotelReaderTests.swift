import ExampleSupport
import Foundation
import SettingsCommand
import TestSupport
import Testing

@testable import hotels

/// What is read of files, whatever is in them.
@Suite struct HotelReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> (hotels: [Hotel], summary: ReadSummary) {
        try read(Array(text.utf8))
    }

    private func read(_ bytes: [UInt8]) throws -> (hotels: [Hotel], summary: ReadSummary) {
        let path = folder.path("hotels.json")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var hotels: [Hotel] = []
        var reader = try HotelReader(path)
        let summary = try reader.read { hotels.append($0) }
        return (hotels, summary)
    }

    private static let whole =
        #"{"id": "a", "name": "A", "city": "B", "price": 1.5, "rating": 3.5, "distance": 0, "vacant": false}"#
    private static let hotel = Hotel(id: "a", name: "A", city: "B", price: 1.5, rating: 3.5, distance: 0, vacant: false)

    @Test func everyFieldIsRead() throws {
        #expect(try read("[\(Self.whole)]").hotels == [Self.hotel])
        #expect(try read("\u{FEFF} [\r\n\(Self.whole)\t, \(Self.whole) ]\n\n").hotels == [Self.hotel, Self.hotel])
        #expect(try read("[]").hotels == [])
        #expect(try read(#"[{"id": 17, "NAME": "x", "further": [{"name": "]}\"\\"}]}]"#).hotels == [Hotel(id: "17")])
    }

    @Test func hotelsMayStandOneOnEachLine() throws {
        #expect(try read("\(Self.whole)\n").hotels == [Self.hotel])
        #expect(
            try read("\u{FEFF}\(Self.whole)\r\n\n\(Self.whole)\(Self.whole) \n").hotels == [Self.hotel, Self.hotel, Self.hotel])
        #expect(try read("{\n  \"id\": 1\n}\n{\n  \"stars\": []\n}").hotels == [Hotel(id: "1"), Hotel()])
        let (hotels, summary) = try read("{\"id\": 1}\n{\"id\": 2, \"price\": \"7\"}")
        #expect(hotels.count == 2 && summary.remark == "line 2, column 20: price is \"7\", and not a number from 0 on")
    }

    /// Every field left out, null, and of every wrong type: the others are read all the same.
    @Test(arguments: ["id", "name", "city", "price", "rating", "distance", "vacant"])
    func anyFieldMayBeMissingOrNullOrOfAnotherType(field: String) throws {
        let object = try #require(JSONSerialization.jsonObject(with: Data(Self.whole.utf8)) as? [String: Any])
        func read(_ value: String?) throws -> (hotel: Hotel?, misfits: Int) {
            let others = object.filter { $0.key != field }.map { key, value in
                let text = (value as? String).map { "\"\($0)\"" } ?? (key == "vacant" ? "false" : "\(value)")
                return "\"\(key)\": \(text)"
            }
            let fields = others + (value.map { ["\"\(field)\": \($0)"] } ?? [])
            let (hotels, summary) = try self.read("[{\(fields.joined(separator: ", "))}]")
            #expect(hotels.count == 1)
            return (hotels.first, summary.misfits)
        }
        let lacking = try read(nil)
        #expect(lacking.misfits == 0)
        #expect(lacking.hotel != Self.hotel)
        #expect(try read("null").hotel == lacking.hotel)
        #expect(try read("null").misfits == 0)
        let texts = ["id", "name", "city"]
        for value in ["[]", "{}", "true", "\"x\"", "-1", "1e999", "[null]"] {
            let fits =
                texts.contains(field) && value == "\"x\"" || field == "vacant" && value == "true"
                || field == "id" && value == "-1"
            let (hotel, misfits) = try read(value)
            #expect(misfits == (fits ? 0 : 1), "\(field): \(value)")
            if !fits { #expect(hotel == lacking.hotel, "\(field): \(value)") }
        }
    }

    @Test func ratingsAreFromZeroToFive() throws {
        #expect(
            try read(#"[{"rating": 0}, {"rating": 5}, {"rating": 5.5}, {"rating": "5"}]"#).hotels.map(\.rating) == [
                0, 5, nil, nil,
            ])
    }

    @Test func whatIsNoHotelIsPassedOverAndToldOf() throws {
        let (hotels, summary) = try read("[null, 1, \"x, ]\", [], [[{}]], true, \n  {\"price\": \"120\"}, {}]")
        #expect(hotels == [Hotel(), Hotel()])
        #expect(summary.strangers == 6)
        #expect(summary.misfits == 1)
        #expect(summary.remark == "line 1, column 2: an entry is no hotel, which would be an object: { … }")
        #expect(
            try read("[{},\n  {\"é\": 1, \"price\": \"120\"}]").summary.remark
                == "line 2, column 21: price is \"120\", and not a number from 0 on")
    }

    @Test(arguments: [
        ("", "is empty"), (" \n", "is empty"), ("nonsense", "line 1, column 1: expected an array"),
        ("{}", "line 1, column 1: expected an array"), (" {\"hotels\": [{}]}", "line 1, column 2: expected an array"),
        ("{\"id\": 1},\n{\"id\": 2}", "line 1, column 10: expected another hotel"),
        ("{\"id\": 1}\n{\"id\" 2}", "line 2, column 7: "), ("{\"id\": 1}\n[]", "line 2, column 1: expected another hotel"),
        ("{\"id\": 1}\n{\"id\": ", "line 2, column 8: "),
        ("[", "line 1, column 2: the text ends"), ("[{}", "line 1, column 4: the text ends within the array"),
        ("[{},", "line 1, column 5: the text ends"), ("[{},]", "line 1, column 5: expected another entry"),
        ("[,]", "line 1, column 2: "), ("[{} {}]", "line 1, column 5: expected a comma"),
        ("[]]", "line 1, column 3: expected nothing"),
        ("[{},\n{\"a\": }]", "line 2, column 7: "), ("[{},\n{\"a\" 1}]", "line 2, column 6: "),
        ("[{\"é\": 1]", "line 1, column 9: "),
        ("[\n\n {\"name\": \"a", "line 3, column "), ("[{\"a\": 1, \"a\": 2}]", "line 1, column 11: "),
        ("[{},\n {\"a\": 1,\n\"a\": 2}]", "line 3, column 1: the key \"a\" was given before at line 2, column 3"),
        ("[nul]", "line 1, column 2: "),
        ("[{'a': 1}]", "line 1, column 3: "), ("[{}}]", "line 1, column 4: expected a comma"),
        ("[{\"a\": 01}]", "line 1, column 8: "),
    ])
    func brokenTextIsRefusedWithItsPlace(text: String, message: String) throws {
        let failure = #expect(throws: Failure.self) { try read(text) }
        #expect(failure?.status == .refused)
        #expect(
            failure?.message.contains("hotels.json") == true && failure?.message.contains(message) == true,
            "\(failure?.message ?? "")")
    }

    @Test func bytesThatAreNoTextAreRefusedWithTheirPlace() throws {
        let failure = #expect(throws: Failure.self) { try read(Array("[{},\n{\"name\": \"".utf8) + [0xFF] + Array("\"}]".utf8)) }
        #expect(failure?.message.contains("line 2, column 11") == true, "\(failure?.message ?? "")")
    }

    /// Wherever the pieces in which it is read end, on one line and on many.
    @Test(arguments: ["", "\n  "]) func aLongFileIsReadPieceByPiece(separator: String) throws {
        let name = "Zoë \u{1F3E8} \\\" \\\\ ]},[{"
        let entries = (0..<9000).map { number in
            "{\"id\": \"\(number)\", \"name\": \"\(name)\(String(repeating: "é", count: number % 97))\", \"price\": \(number)}"
        }
        let text = "[" + entries.joined(separator: ",\(separator)") + "]"
        #expect(text.utf8.count > 3 * 256 * 1024)
        let (hotels, summary) = try read(text)
        #expect(hotels.count == 9000)
        #expect(hotels.enumerated().allSatisfy { $0.element.id == String($0.offset) && $0.element.price == Double($0.offset) })
        #expect(summary.misfits == 0)
        let broken = #expect(throws: Failure.self) { try read(text.dropLast() + ",\(separator)oops]") }
        let column = separator.isEmpty ? text.unicodeScalars.count + 1 : 3
        let line = separator.isEmpty ? 1 : 9001
        #expect(broken?.message.contains("line \(line), column \(column): ") == true, "\(broken?.message ?? "")")
    }

    @Test func anEndlessEntryIsRefusedAndNotKept() throws {
        let failure = #expect(throws: Failure.self) { try read("[{\"name\": \"" + String(repeating: "x", count: 5_000_000)) }
        #expect(failure?.message.contains("line 1, column 2: an entry has more than 4 MiB") == true)
    }
}
