import Foundation
import TestSupport
import Testing

/// What settingsctl tells people about the settings and actions of an application, and about a slip of the finger.
@Suite(.logsOnFailure) struct CommandLineDescriptionTests {
    static let id = "org.example.Shelf"
    static let schema = """
        { "title": "Book Shelf", "type": "object",
          "properties": {
            "plain": { "type": "string", "default": "" },
            "letter": { "type": "string", "minLength": 1, "maxLength": 1, "default": "x" },
            "order": { "type": "string", "enum": ["price", "name"], "default": "price" },
            "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 1, "default": [] },
            "words": { "type": "array", "items": { "type": "string" }, "default": [] },
            "books": { "type": "array", "default": [], "items": { "type": "object", "required": ["title"], "properties": {
              "title": { "type": "string", "minLength": 1 },
              "marks": { "type": "array", "items": { "type": "object", "properties": { "page": { "type": "integer" } } } } } } }
          },
          "actions": {
            "AddTag": { "arguments": { "tag": { "type": "string" }, "at": { "type": "integer", "optional": true } },
              "edits": [ { "insert": "tags", "value": { "argument": "tag" }, "at": { "argument": "at" } } ] }
          }
        }
        """
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.install(Self.schema, as: Self.id)
        daemon = try session.startDaemon()
    }

    private func run(_ words: String..., as application: String = id) throws -> CommandResult {
        try session.startControl(["-a", application] + words).result()
    }

    @Test func describeSaysNothingTwiceAndNothingEmpty() throws {
        #expect(
            try run("describe").stdout == """
                plain
                    value    "" (default)
                    default  ""
                    kind     string

                letter
                    value    x (default)
                    default  x
                    kind     string
                    length   exactly 1 character

                order
                    value    price (default)
                    default  price
                    kind     choice
                    choices  price
                             name

                tags
                    value    [] (default)
                    default  []
                    kind     array
                    length   at most 1 item
                    items    string

                words
                    value    [] (default)
                    default  []
                    kind     array
                    items    string

                books
                    value    [] (default)
                    default  []
                    kind     array
                    items    object
                    fields   title  string, at least 1 character, required
                             marks  array of object (page: integer)

                """)
        #expect(try run("set", "letter", "").stderr.contains("it has 0 characters; at least 1 is needed"))
        #expect(try run("set", "tags", #"["a","b"]"#).stderr.contains("it has 2 items; at most 1 is allowed"))
    }

    @Test func argumentsThatMayBeLeftOutStandInBrackets() throws {
        #expect(try run("actions").stdout.hasSuffix("\nAddTag\ttag=TEXT [at=NUMBER]\t\n"))
        let own = try session.control("actions").stdout
        #expect(own.contains("\nUpdateProfile\t[name=TEXT] [email=TEXT] [avatar=TEXT]\t"))
        let arguments = try session.object(["-a", Self.id, "actions", "--json"])["AddTag"] as? [String: Any]
        #expect(arguments?["arguments"] as? [String: String] == ["tag": "s", "at": "x"])
    }

    @Test(arguments: [
        ["insert", "tags"], ["get"], ["get", "plain", "--zzz"], ["get", "plain", "-Z"], ["reset"], ["get", "plain", "--timeout"],
        ["undo", "--all"], ["list", "--quiet=1"],
    ])
    func aUsageLineIsAboutTheSameApplication(words: [String]) throws {
        let refusal = try session.startControl(["-a", Self.id] + words).result()
        #expect(refusal.status == .exited(2), "\(refusal)")
        #expect(refusal.stderr.contains("hint: usage: settingsctl -a \(Self.id) \(words[0])"), "\(refusal)")
    }

    @Test func whoLeavesTheCommandOutLearnsWhichWasMeant() throws {
        for (words, meant) in [
            (["order"], "get order"), (["order", "name"], "set order name"), (["order=name"], "set order=name"),
        ] {
            let refusal = try session.startControl(["-a", Self.id] + words).result()
            #expect(refusal.status == .exited(2) && refusal.stderr.contains("did you mean \"\(meant)\"?"), "\(refusal)")
        }
        let refusal = try run("order", as: "org.example.Nobody")
        #expect(refusal.stderr.contains(#"there is no command "order""#), "\(refusal)")
    }

    @Test func jsonTextThatIsNotCompleteIsNotTakenForAnItem() throws {
        for text in [#"["a""#, #"{"a""#, #" [a"#, #""a"#] {
            let refusal = try run("set", "words", text)
            #expect(refusal.status == .exited(4) && refusal.stderr.contains("words takes JSON text, such as"), "\(refusal)")
            #expect(!refusal.stderr.contains("hint:"), "\(refusal)")
        }
        #expect(try run("set", "words", "a").stderr.contains(#"set words '["a"]'"#))
    }

    @Test func whoNamesAnApplicationByItsTitleLearnsItsID() throws {
        for name in ["Book Shelf", "book shelf", "Shelf", "bookshelf", "org.example.shelf"] {
            let refusal = try run("list", as: name)
            #expect(refusal.status == .exited(3), "\(refusal)")
            #expect(refusal.stderr.contains(#"there is no application "\#(name)"; did you mean "\#(Self.id)"?"#), "\(refusal)")
        }
    }

    @Test func aSchemaFileThatIsALinkToNowhereIsNamed() throws {
        let file = session.folder.path("\(TestSession.userSchemas)/org.example.Moved.json")
        #expect(symlink("/nowhere", file) == 0)
        let refusal = try run("list", as: "org.example.Moved")
        #expect(refusal.status == .exited(3), "\(refusal)")
        #expect(refusal.stderr.contains("\(file), it cannot be read: No such file or directory"), "\(refusal)")
    }

    @Test func noFileIsNamedForWhatIsNoIDOfAnApplication() throws {
        for name in ["../x", "org", "a b.c", "org..x", "1.2"] {
            let refusal = try run("list", as: name)
            #expect(refusal.status == .exited(3) && !refusal.stderr.contains(".json"), "\(refusal)")
            #expect(refusal.stderr.contains("an application is named by its id, such as org.example.WorldClock; "), "\(refusal)")
        }
    }
}
