import SettingsModel
import Testing

@testable import SettingsSchemas

/// What a schema file is read as.
@Suite struct SchemaFileTests {
    static let worldClock = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "World Clock", "type": "object",
          "properties": {
            "zones": { "type": "array", "items": { "type": "string", "format": "time-zone" }, "uniqueItems": true, "default": [], "description": "Selected time zones" },
            "meeting": { "type": "object", "properties": {
              "start": { "type": "integer", "minimum": 0, "maximum": 23, "default": 8, "description": "First working hour" } } }
          },
          "actions": {
            "AddZone": { "summary": "Selects a time zone", "arguments": { "zone": { "type": "string", "format": "time-zone" } },
              "edits": [ { "insert": "zones", "value": { "argument": "zone" } } ] }
          }
        }
        """

    private func schema(_ text: String, _ application: String = "org.example.WorldClock") throws -> Schema {
        try SchemaFile.parse(Array(text.utf8), application: application)
    }

    private func rule(_ leaf: String) throws -> ValueRule? {
        try schema(#"{"type":"object","properties":{"a":\#(leaf)}}"#).settings.first?.rule
    }

    @Test func theWorldClockLoadsAndWorks() throws {
        let schema = try schema(Self.worldClock)
        #expect(schema.application == "org.example.WorldClock" && schema.title == "World Clock")
        #expect(
            schema.settings == [
                Setting(
                    "zones", .list(ListRule(of: .string(StringRule(format: .timeZone)), isUnique: true)), default: .strings([]),
                    "Selected time zones"),
                Setting("meeting.start", .integer(Bounds(minimum: 0, maximum: 23)), default: .integer(8), "First working hour"),
            ])
        #expect(schema.settings.map(\.propertyName) == ["Zones", "MeetingStart"])
        let reducer = Reducer(schema: schema, layers: Layers())
        let facts = Facts(time: 0, seed: (0, 0))
        let add = Action("AddZone", ["zone": "Europe/Berlin"])
        let outcome = try reducer.reduce(Document(), history: History(), [add, add], facts: facts)
        #expect(outcome.edits == [Edit(key: "zones", before: nil, after: .strings(["Europe/Berlin"]))])
        #expect(try self.schema(Self.worldClock) == schema)
    }

    @Test func everyKindOfLeafIsRead() throws {
        #expect(try rule(#"{"type":"boolean","default":false}"#) == .boolean)
        #expect(try rule(#"{"type":"integer","enum":[12,24.0],"default":12}"#) == .integer(Bounds(choices: [12, 24])))
        #expect(
            try rule(#"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"default":0}"#)
                == .integer(Bounds(minimum: .min, maximum: .max)))
        #expect(try rule(#"{"type":"number","minimum":0.5,"default":1}"#) == .number(Bounds(minimum: 0.5)))
        #expect(
            try rule(#"{"type":"string","minLength":1,"maxLength":3,"default":"x"}"#)
                == .string(StringRule(minimumLength: 1, maximumLength: 3)))
        #expect(try rule(#"{"type":"string","enum":["a","b"],"default":"a"}"#) == .choice([Choice("a", "a"), Choice("b", "b")]))
        #expect(try rule(##"{"type":"string","pattern":"^#[0-9a-f]{6}$","default":"#000000"}"##)?.fault(in: "#00000g") != nil)
        for format in StringFormat.named {
            let texts = [
                "uuid": "7d444840-9dc0-11d1-b245-5ffdce74fad2", "date": "2026-02-28", "date-time": "2026-02-28T17:30:00Z",
                "time-zone": "UTC",
            ]
            let leaf = #"{"type":"string","format":"\#(format.name)","default":"\#(texts[format.name] ?? "")"}"#
            #expect(try rule(leaf) == .string(StringRule(format: format)))
        }
        let record =
            #"{"type":"object","properties":{"id":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"]}"#
        #expect(
            try rule(#"{"type":"array","items":\#(record),"minItems":0,"maxItems":9,"default":[{"id":5.0,"tags":[]}]}"#)
                == .list(
                    ListRule(
                        of: .record(
                            RecordRule([
                                .init("id", .integer(Bounds()), required: true),
                                .init("tags", .list(ListRule(of: .string(StringRule())))),
                            ])),
                        maximumCount: 9)))
    }

    @Test func everyEditIsRead() throws {
        let text = """
            {"type": "object", "properties": {
              "on": {"type": "boolean", "default": true}, "n": {"type": "integer", "minimum": 0, "default": 0},
              "when": {"type": "string", "default": ""}, "tags": {"type": "array", "items": {"type": "string"}, "default": []},
              "marks": {"type": "array", "default": [], "items": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string", "format": "uuid"}, "name": {"type": "string"}, "done": {"type": "boolean"}}}}},
             "actions": {"All": {"arguments": {
                "id": {"type": "string"}, "name": {"type": "string", "optional": true, "description": "A name."}},
              "edits": [
                {"set": "n", "to": 5}, {"set": "when", "to": {"now": true}}, {"set": "tags", "to": ["a", {"argument": "name"}]},
                {"reset": "on"}, {"insert": "tags", "value": "x", "at": 0},
                {"insert": "marks", "value": {"id": {"uuid": true}, "name": {"argument": "name"}, "done": false}},
                {"remove": "tags", "value": {"argument": "id"}}, {"remove": "marks", "where": {"id": {"argument": "id"}}},
                {"update": "marks", "where": {"id": {"argument": "id"}}, "with": {"name": {"argument": "name"}}},
                {"toggle": "on"}, {"toggle": "marks", "where": {"id": {"argument": "id"}}, "field": "done"},
                {"add": "n", "value": -1}]},
              "Ping": {"summary": "Only announces."}}}
            """
        let schema = try schema(text)
        let id = ["id": Operand.argument("id")]
        let all = try schema.action("All")
        #expect(
            all.steps == [
                .set(.key("n"), to: .literal(.integer(5))), .set(.key("when"), to: .now),
                .set(.key("tags"), to: .list([.literal("a"), .argument("name")])), .reset("on"),
                .insert(.key("tags"), .literal("x"), at: .literal(.integer(0))),
                .insert(
                    .key("marks"), .record(["id": .uuid, "name": .argument("name"), "done": .literal(.boolean(false))]), at: nil),
                .remove(.key("tags"), .value(.argument("id"))), .remove(.key("marks"), .matching(id)),
                .update(.key("marks"), where: id, with: ["name": .argument("name")]), .toggle(.key("on")),
                .toggleField(.key("marks"), where: id, field: "done"), .add(.key("n"), .literal(.integer(-1))),
            ])
        #expect(all.arguments.map { "\($0.name) \($0.isOptional) \($0.summary)" } == ["id false ", "name true A name"])
        #expect(try schema.action("Ping").summary == "Only announces" && schema.action("Ping").onlyAnnounces)
    }

    @Test func formerKeysAreRead() throws {
        let schema = try schema(
            #"{"type":"object","properties":{"a":{"type":"boolean","default":true,"renamedFrom":["x.y","z"]}}}"#)
        #expect(schema.setting(formerly: "x.y")?.key == "a" && schema.setting(formerly: "z")?.key == "a")
        #expect(schema.setting(named: "z") == nil)
    }

    @Test func annotationsSayNothingAboutValues() throws {
        let text = #"""
            {"$schema":"x","$id":"y","$comment":"c","type":"object","examples":[1],"description":"About\u0000 it.\n\nMore.",
             "properties":{"a":{"type":"boolean","default":true,"title":"A","examples":[0],"$comment":"","deprecated":true,"x-own":1}}}
            """#
        let schema = try schema(text)
        #expect(schema.summary == "About it. More" && schema.settings[0].summary == "A")
    }

    @Test(arguments: ["org.example.Clock", "org.example.world-clock", "a.b_", "_a.B9"])
    func anIdOfAnApplicationIsABusName(_ id: String) throws { #expect(try schema(Self.worldClock, id).application == id) }

    @Test(arguments: [
        "", "clock", "org..x", "org.example.", ".org.x", "org.1x", "org.ex/ample", "org.exämple.x", "org.settingsd.Settings1",
        "a.\(String(repeating: "b", count: 250))",
    ])
    func whatIsNoIdOfAnApplicationIsRefused(_ id: String) {
        #expect(throws: SchemaFaults.self) { try schema(Self.worldClock, id) }
    }
}
