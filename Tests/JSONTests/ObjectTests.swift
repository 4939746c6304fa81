import JSON
import Testing

@Suite struct ObjectTests {
    @Test(arguments: [3, 8, 9, 100])
    func settingReplacesInPlaceAppendsOrRemoves(_ count: Int) {
        var object = JSONObject((0..<count).map { (key: "k\($0)", value: JSONValue.null) })
        object["k1"] = "one"
        object["new"] = "last"
        object["k0"] = nil
        object["unknown"] = nil
        #expect(object.members.map(\.key) == (1..<count).map { "k\($0)" } + ["new"])
        #expect(object["k1"] == "one")
        #expect(object["k\(count - 1)"] == .null)
        #expect(object["new"] == "last")
        #expect(object["k0"] == nil)
        for key in object.members.map(\.key) { object[key] = nil }
        #expect(object.isEmpty)
        #expect(object == [:])
    }

    @Test func orderCountsInComparison() {
        #expect(JSONObject([("a", .null), ("b", .null)]) == JSONObject([("a", .null), ("b", .null)]))
        #expect(JSONObject([("a", .null), ("b", .null)]) != JSONObject([("b", .null), ("a", .null)]))
        #expect(JSONObject([("a", "1"), ("a", "2")]) == ["a": "2"])
    }

    @Test func anObjectThatWasBuiltEqualsOneThatWasRead() throws {
        var built = JSONObject()
        for number in 0..<20 { built["key\(number)"] = .number(JSONNumber(Int64(number))) }
        built["key3"] = nil
        let read = try JSONParser.parse(JSONWriter.line(.object(built))).root
        #expect(read == .object(built))
        #expect(read.hashValue == JSONValue.object(built).hashValue)
    }
}
