import JSON
import SettingsModel
import Testing

@testable import SettingsSchemas

/// Every fault with its place: in the texts, ‹ stands before what the fault is about.
@Suite struct FaultTests {
    private func faults(_ text: String) -> [SchemaFault] {
        do {
            _ = try SchemaFile.parse(Array(text.utf8), application: "org.example.Test")
            return []
        } catch {
            return error.faults
        }
    }

    private func check(_ marked: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let before = marked.prefix { $0 != "‹" }
        let line = before.count { $0 == "\n" } + 1
        let column = (before.split(separator: "\n", omittingEmptySubsequences: false).last?.count ?? 0) + 1
        let faults = faults(marked.filter { $0 != "‹" })
        #expect(faults.map(\.message) == [message], sourceLocation: sourceLocation)
        #expect(faults.first?.position == JSONPosition(line: line, column: column), sourceLocation: sourceLocation)
    }

    private func leaf(_ leaf: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
        check("{\"type\": \"object\",\n \"properties\": {\"a\": \(leaf)}}", message, sourceLocation: sourceLocation)
    }

    private func edit(
        _ edit: String, _ message: String,
        arguments: String = #"{"x": {"type": "string", "optional": true}, "i": {"type": "integer"}}"#,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = """
            {"type": "object", "properties": {
              "on": {"type": "boolean", "default": true}, "n": {"type": "integer", "minimum": 0, "default": 0},
              "tags": {"type": "array", "items": {"type": "string", "maxLength": 3}, "default": []},
              "marks": {"type": "array", "default": [], "items": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string"}, "done": {"type": "boolean"}}}}},
             "actions": {"Act": {"arguments": \(arguments),
              "edits": [\(edit)]}}}
            """
        check(text, message, sourceLocation: sourceLocation)
    }

    @Test func syntaxIsRefusedWhereItBreaks() {
        check("{\"type\": \"object\"‹,}", "a stray comma before \"}\"; remove it")
        check("‹[]", "expected an object with type, properties and actions, found an array")
        check("‹", "the text is empty; expected an object or another JSON value")
    }

    @Test func theRootAndSectionsAreObjectsWithProperties() {
        check(#"‹{"properties": {}}"#, #""type" is missing; write "type": "object""#)
        check(#"{"type": ‹"array", "properties": {}}"#, "there is no type \"array\" here; expected object")
        check(#"‹{"type": "object"}"#, #""properties" is missing; it holds the settings of the schema"#)
        leaf(#"‹{"type": "object"}"#, #""properties" is missing; it holds the settings of the section"#)
        #expect(
            faults("{}").map(\.message) == [
                #""type" is missing; write "type": "object""#,
                #""properties" is missing; it holds the settings of the schema"#,
            ])
        leaf("‹5", "expected an object, found the number 5")
        leaf(#"{"type": "object", "properties": ‹[]}"#, "expected an object, found an array")
    }

    @Test func sectionsAreFourDeepAtMost() {
        func nested(_ depth: Int) -> String {
            var text = #"{"type": "boolean", "default": true}"#
            for level in (1...depth).reversed() {
                text = #"{"type": "object", "properties": {"# + (level == 5 ? "‹" : "") + "\"s\(level)\": \(text)}}"
            }
            return text
        }
        #expect(faults(nested(5).filter { $0 != "‹" }) == [])
        check(nested(6), "sections are nested more than 4 deep")
    }

    @Test func leavesAreChecked() {
        leaf(
            #"‹{"default": 1}"#,
            #""type" is missing; it is one of boolean, integer, number, string, array, such as "type": "boolean""#)
        leaf(#"{"type": ‹"int", "default": 1}"#, "there is no type \"int\" here; did you mean \"integer\"?")
        leaf(#"{"type": ‹["string", "null"], "default": 1}"#, "expected one type as a string, found an array")
        leaf(#"‹{"type": "boolean"}"#, "a has no default; every setting needs one")
        leaf(#"{"type": "integer", "default": ‹"5"}"#, "the default takes a whole number, found the string \"5\"")
        leaf(#"{"type": "integer", "maximum": 4, "default": ‹5}"#, "the default is not allowed: 5 is refused: it is at most 4")
        leaf(
            #"{"type": "integer", "default": ‹9223372036854775808}"#,
            "the default takes a whole number, found the number 9223372036854775808")
        leaf(#"{"type": "integer", "default": ‹0.5}"#, "the default takes a whole number, found the number 0.5")
        leaf(#"{"type": "number", "default": ‹1e999}"#, "the default takes a number, found the number 1e999")
        leaf(#"{"type": "string", "default": ‹null}"#, "the default takes a string, found null")
        leaf(
            #"{"type": "array", "items": {"type": "string"}, "default": ["a", ‹1]}"#,
            "the default, item 2, takes a string, found the number 1")
        leaf(#"‹{"type": "array", "default": []}"#, #""items" is missing; it says what the array holds"#)
        leaf(
            #"{"type": "array", "items": ‹{"type": "object"}, "default": []}"#,
            #""properties" is missing; it holds the fields of the record"#)
        leaf(
            #"{"type": "integer", "minimum": ‹"0", "default": 1}"#, "minimum takes an integer of 64 bits, found the string \"0\"")
        leaf(#"{"type": "integer", "minimum": 3, "maximum": ‹2, "default": 1}"#, "the maximum, 2, is below the minimum, 3")
        leaf(#"{"type": "string", "minLength": 3, "maxLength": ‹2, "default": "abc"}"#, "maxLength, 2, is below minLength, 3")
        leaf(
            #"{"type": "string", "maxLength": ‹-1, "default": ""}"#,
            "maxLength takes a whole number from 0 on, found the number -1")
        leaf(#"{"type": "string", "enum": ‹[], "default": ""}"#, "enum takes an array of one value at least, found none")
        leaf(#"{"type": "string", "enum": ["a", ‹"a"], "default": "a"}"#, "the value was given before; give it once")
        leaf(#"{"type": "string", "enum": ["a", ‹1], "default": "a"}"#, "enum takes strings here, found the number 1")
        leaf(
            #"{"type": "string", "format": ‹"timezone", "default": ""}"#,
            "there is no format \"timezone\"; did you mean \"time-zone\"?")
        leaf(
            #"{"type": "string", "pattern": ‹"[a", "default": ""}"#,
            "the pattern is no regular expression: missing terminating ] for character class, at its character 3")
        leaf(
            #"{"type": "array", "items": {"type": "string"}, "uniqueItems": ‹1, "default": []}"#,
            "uniqueItems takes true or false, found the number 1")
    }

    @Test func aVeryLongEnumIsReadAndItsFaultsAreShort() throws {
        func text(_ last: String) -> String {
            let values = (0..<100_000).map { "\"\($0)\"" }.joined(separator: ",")
            return
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"0\",\"enum\":[\(values)\(last)]}}}"
        }
        #expect(faults(text(",\"7\"")).map(\.message) == ["the value was given before; give it once"])
        let schema = try SchemaFile.parse(Array(text("").utf8), application: "org.example.Long")
        let setting = try #require(schema.settings.first)
        #expect(setting.rule.fault(in: "99999") == nil)
        let fault = try #require(setting.rule.fault(in: "none of them"))
        #expect(fault.hasPrefix("it takes one of: 0, 1, ") && fault.hasSuffix(", 39 and 99960 more"))
    }

    @Test func keywordsThatAreNotSupportedAreRefused() {
        leaf(
            #"{"type": "string", ‹"maxLenght": 5, "default": ""}"#,
            "there is no keyword \"maxLenght\"; did you mean \"maxLength\"?")
        leaf(
            #"{"type": "integer", ‹"maxLength": 5, "default": 1}"#,
            "maxLength is not for a setting that is an integer; a setting that is an integer takes type, minimum, maximum, enum, default, renamedFrom"
        )
        leaf(#"{"type": "integer", ‹"exclusiveMinimum": 5, "default": 7}"#, "exclusiveMinimum is not supported; use minimum")
        leaf(
            #"{"type": "string", "default": "", ‹"\"": 5}"#,
            "there is no keyword \"\\\"\"; a setting that is a string takes type, minLength, maxLength, pattern, format, enum, default, renamedFrom"
        )
        for keyword in Keywords.unsupported.keys.sorted() {
            let text =
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"boolean\", \"default\": true, \"\(keyword)\": 1}}}"
            let found = faults(text)
            #expect(found.count == 1 && found[0].message.hasPrefix("\(keyword) is not supported"))
            #expect(found.first?.position == JSONPosition(line: 1, column: 77))
        }
    }

    @Test func settingsAloneHaveADefault() {
        let reason = "a setting has one; what a record or a call leaves out stays absent"
        leaf(
            #"{"type": "array", "items": {"type": "integer", ‹"default": 1}, "default": []}"#,
            "default is not for an item that is an integer; \(reason)")
        leaf(
            #"{"type": "array", "default": [], "items": {"type": "object", "properties": {}, ‹"default": {}}}"#,
            "default is not for an item that is an object; \(reason)")
        let fields = #"{"id": {"type": "string"}, "done": {"type": "boolean", ‹"default": false}}"#
        leaf(
            #"{"type": "array", "default": [], "items": {"type": "object", "properties": \#(fields)}}"#,
            "default is not for a field that is a boolean; \(reason)")
        leaf(#"{"type": "object", "properties": {}, ‹"default": {}}"#, "default is not for a section; \(reason)")
        check(
            "{\"type\": \"object\", \"properties\": {}, \"actions\": {\"A\": {\"arguments\": {\"z\": {\"type\": \"string\", ‹\"default\": \"\"}}}}}",
            "default is not for an argument that is a string; \(reason)")
    }

    @Test func keysHaveOneNameOnTheBusAndInTheFile() {
        func schema(_ properties: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
            check("{\"type\": \"object\", \"properties\": {\(properties)}}", message, sourceLocation: sourceLocation)
        }
        let flag = #"{"type": "boolean", "default": true}"#
        schema(#""a-b": \#(flag), ‹"a_b": \#(flag)"#, "a_b and a-b have one name on the bus, AB; rename one")
        schema(
            #""m": {"type": "object", "properties": {"start": \#(flag)}}, ‹"m-start": \#(flag)"#,
            "m-start and m.start have one name on the bus, MStart; rename one")
        schema(
            #"‹"startHour": \#(flag)"#,
            "\"startHour\" is no key: a key begins with a-z and has a-z, 0-9, - and _; did you mean \"start-hour\"?")
        schema(#"‹"a.b": \#(flag)"#, "\"a.b\" is no key: a key begins with a-z and has a-z, 0-9, - and _")
        schema(#"‹"": \#(flag)"#, "\"\" is no key: a key begins with a-z and has a-z, 0-9, - and _")
        for key in Names.reservedKeys {
            schema(
                #"‹"\#(key)": \#(flag)"#, "\(key) stands for something else at the top of a settings file; choose another name")
        }
    }

    @Test func formerKeysAreNoOthersKeys() {
        func schema(_ former: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let text = """
                {"type": "object", "properties": {"b": {"type": "boolean", "default": true, "renamedFrom": ["old"]},
                 "s": {"type": "object", "properties": {"c": {"type": "boolean", "default": true}}},
                 "a": {"type": "boolean", "default": true, "renamedFrom": \(former)}}}
                """
            check(text, message, sourceLocation: sourceLocation)
        }
        schema(#"[‹"b"]"#, "b is a setting of this schema; it cannot be a's former key")
        schema(#"[‹"a"]"#, "a is a setting of this schema; it cannot be a's former key")
        schema(#"[‹"s"]"#, "s cannot stand in a settings file beside this schema's settings")
        schema(#"[‹"b.x"]"#, "b.x cannot stand in a settings file beside this schema's settings")
        schema(#"[‹"old"]"#, "old is b's former key, too; one setting gets its value")
        schema(#"[‹"format"]"#, "format stands for something else at the top of a settings file")
        schema(#"[‹"Old"]"#, "\"Old\" is no key: a key begins with a-z and has a-z, 0-9, - and _; did you mean \"old\"?")
        schema(#"‹"x""#, "renamedFrom takes an array of keys, found the string \"x\"")
    }

    @Test func aBadNameHidesNothingThatIsBehindIt() {
        let found = faults(
            """
            {"type": "object", "properties": {"Zone": {"type": "strin", "default": ""}},
             "actions": {"add": {"edit": []}, "Undo": {"arguments": {"Bad": {"type": "tex"}}}}}
            """
        ).map(\.message)
        for text in [
            "\"Zone\" is no key", "\"strin\"", "\"add\" is no name of an action", "there is no keyword \"edit\"",
            "every application has Undo", "\"Bad\" is no name of an argument", "\"tex\"",
        ] { #expect(found.contains { $0.contains(text) }, "\(text): \(found)") }
        #expect(found.count == 7)
    }

    @Test func namesOfActionsAndArgumentsGoOverTheBus() {
        func actions(_ actions: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
            check(
                "{\"type\": \"object\", \"properties\": {}, \"actions\": {\(actions)}}", message, sourceLocation: sourceLocation)
        }
        actions(
            #"‹"add-zone": {}"#,
            "\"add-zone\" is no name of an action: an action begins with A-Z and has a-z, A-Z and 0-9, as in AddZone")
        actions(#"‹"Undo": {}"#, "every application has Undo; choose another name")
        actions(#""A": ‹1"#, "expected an object, found the number 1")
        actions(#""A": {‹"edit": []}"#, "there is no keyword \"edit\"; did you mean \"edits\"?")
        actions(#""A": {"edits": ‹{}}"#, "edits takes an array of edits, found an object")
        actions(
            #""A": {"arguments": {‹"Zone": {"type": "string"}}}"#,
            "\"Zone\" is no name of an argument: an argument begins with a-z and has a-z, 0-9 and _, as in start_hour")
        actions(
            #""A": {"arguments": {"z": {"type": "string", "optional": ‹"yes"}}}"#,
            "optional takes true or false, found the string \"yes\"")
    }

    @Test func editsAreChecked() {
        edit(#"‹{}"#, "expected one of set, reset, insert, remove, update, toggle, add, found none")
        edit(
            #"‹{"inset": "tags", "value": "x"}"#,
            "expected one of set, reset, insert, remove, update, toggle, add, found none; did you mean \"insert\"?")
        edit(
            #"‹{"set": "n", "add": "n", "to": 1}"#,
            "expected one of set, reset, insert, remove, update, toggle, add, found set and add")
        edit(#"{"insert": ‹"tag", "value": "x"}"#, "there is no setting \"tag\"; did you mean \"tags\"?")
        edit(#"{"reset": ‹5}"#, "expected a key as a string, found the number 5")
        edit(#"‹{"insert": "tags"}"#, "insert needs value")
        edit(#"{"insert": "tags", ‹"vlaue": "x", "value": "x"}"#, "insert has no \"vlaue\"; did you mean \"value\"?")
        edit(#"{"reset": "tags", ‹"to": 1}"#, "reset has no \"to\"; it takes the key alone")
        edit(#"{"insert": ‹"n", "value": 1}"#, "insert takes a list; n takes an integer")
        edit(#"{"add": ‹"on", "value": 1}"#, "add takes a number; on takes a boolean")
        edit(#"{"toggle": ‹"n"}"#, "toggle takes a boolean or a list of records; n takes an integer")
        edit(#"{"toggle": "on", ‹"field": "x"}"#, "on is a boolean and has no field")
        edit(
            #"{"toggle": "marks", "where": {"id": "a"}, "field": ‹"dne"}"#,
            "field takes the name of a boolean field of marks, found the string \"dne\"; did you mean \"done\"?")
        edit(#"{"remove": "tags", "value": "a", ‹"where": {}}"#, "remove takes value or where, not both")
        edit(#"‹{"remove": "tags"}"#, "remove needs value or where")
        edit(#"{"remove": "tags", ‹"where": {"id": "a"}}"#, "where takes fields of records; the items of tags have none")
        edit(#"{"remove": "marks", "where": ‹{}}"#, "where takes one field at least")
        edit(#"{"remove": "marks", "where": {‹"idd": "a"}}"#, "the records of marks have no field \"idd\"; did you mean \"id\"?")
        edit(
            #"{"remove": "marks", "where": {"id": ‹{"argument": "x"}}}"#,
            "the argument x is optional; where needs one that is always given")
    }

    @Test func operandsAreChecked() {
        edit(#"{"set": "n", "to": ‹"5"}"#, "the value takes a whole number, found the string \"5\"")
        edit(#"{"set": "n", "to": ‹-5}"#, "the value is not allowed: -5 is refused: it is at least 0")
        edit(
            #"{"insert": "tags", "value": ‹"abcd"}"#,
            "the value is not allowed: \"abcd\" is refused: it has 4 characters; at most 3 are allowed")
        edit(#"{"insert": "tags", "value": {"argument": ‹"zone"}}"#, "there is no argument \"zone\"; there are x, i")
        edit(
            #"{"insert": "tags", "value": {"argument": ‹"y"}}"#, "there is no argument \"y\"; the action has none",
            arguments: "{}")
        edit(#"{"insert": "tags", "value": {"argument": ‹"i"}}"#, "the argument i is an integer, but a string is needed here")
        edit(#"{"insert": "tags", "value": "a", "at": ‹-1}"#, "the value is not allowed: -1 is refused: it is at least 0")
        edit(#"{"insert": "tags", "value": ‹{"argumnet": "x"}}"#, "expected a string; did you mean \"argument\"?")
        edit(#"{"insert": "tags", "value": {"uuid": ‹false}}"#, "uuid takes true, found false")
        edit(#"{"set": "n", "to": ‹{"uuid": true}}"#, "uuid needs a string of no other format to go to, not integer")
        edit(
            #"{"set": "on", "to": ‹{"now": true}}"#,
            "now needs an integer, a number or a string of no other format to go to, not boolean")
        edit(#"{"insert": "marks", "value": ‹{"done": true}}"#, "the value is not allowed: it lacks the field id")
        edit(
            #"{"insert": "marks", "value": ‹{"done": {"argument": "b"}}}"#, "the record lacks the field id",
            arguments: #"{"b": {"type": "boolean"}}"#)
        edit(#"{"insert": "marks", "value": {"id": {"uuid": true}, ‹"nme": ""}}"#, "the records of marks have no field \"nme\"")
        edit(#"{"insert": "marks", "value": ‹"x"}"#, "the value takes an object, found the string \"x\"")
    }

    @Test(arguments: [
        (#"‹{"type": "boolean"}"#, "a has no default; every setting needs one"),
        (#"{"type": "boolean", "default": ‹1}"#, "the default takes true or false, found the number 1"),
    ])
    func aSettingWithAFaultIsNotMissedWhereActionsNameIt(leaf: String, message: String) {
        let actions = #"{"On": {"edits": [{"set": "a", "to": true}]}, "Off": {"edits": [{"reset": "a"}]}}"#
        check("{\"type\": \"object\", \"properties\": {\"a\": \(leaf)}, \"actions\": \(actions)}", message)
    }

    @Test func everythingIsToldAtOnceInTheOrderOfTheText() {
        let text =
            #"{"type": "object", "properties": {"a": {"type": "bool"}, "b": {"type": "integer"}}, "actions": {"a": 1}, "x": 1}"#
        #expect(faults(text).map { $0.position?.column } == [49, 63, 97, 102, 106])
        let many = (0..<500).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        #expect(faults("{\"type\": \"object\", \"properties\": {\(many)}}").count == SchemaFaults.limit)
    }
}
