import Foundation
import TestSupport
import Testing

/// The program as a person uses it.
@Suite(.logsOnFailure) struct NotesProgramTests {
    let bed: NotesBed

    init() throws { bed = try NotesBed() }

    @Test func aNoteIsMadeShownMovedAndDeleted() throws {
        #expect(try bed.run("list") == "no notes yet; to make one: notes new Shopping\n")
        let made = try bed.run("new", "Buy", "milk", "--content", "two\nlitres")
        #expect(made.hasPrefix("made note 1, ") && made.hasSuffix(": Buy milk\n"))
        try bed.run("new", "Lines\nof one\targument", "--content", "more")
        #expect(try bed.texts()[0] == "Lines|of one\targument|more")
        try bed.run("undo")
        try bed.run("new", "-", input: "From a file\n\nline\n")
        try bed.run("new", "Titled", "-", input: "line 1\nline 2\n", editor: "false")
        try bed.run("new", input: "From a pipe")
        try bed.run("new", "Star", "--favourite")
        #expect(try bed.texts() == ["Star", "From a pipe", "Titled|line 1|line 2", "From a file|line", "Buy milk|two|litres"])
        #expect(try bed.notes().map(\.position) == [1, 2, 3, 4, 5])
        #expect(try bed.notes().map(\.favourite) == [true, false, false, false, false])
        #expect(Set(try bed.notes().map(\.id)).count == 5)

        #expect(try bed.run("show", "buy").hasSuffix("\n\ntwo\nlitres\n"))
        #expect(try bed.run("favourite", "5", "titled") == "Buy milk, Titled: a favourite now\n")
        #expect(try bed.run("unfavourite", "star") == "Star: no favourite now\n")
        #expect(try bed.texts().prefix(3) == ["Titled|line 1|line 2", "Buy milk|two|litres", "Star"])
        #expect(try bed.run("search", "LITRES", "milk").contains("Buy milk"))
        #expect(try bed.run("search", "litres", "star") == "no note has all of: litres star\n")

        #expect(try bed.run("delete", "1", "buy", "1") == "deleted: Titled, Buy milk\nto bring them back: notes undo\n")
        #expect(try bed.notes().count == 3)
        #expect(try bed.run("undo") == "undone: Buy milk is back, Titled is back\n")
        #expect(try bed.notes().count == 5)
        #expect(try bed.run("redo") == "done again: Buy milk is gone, Titled is gone\n")
        try bed.control("undo")
        #expect(try bed.notes().count == 5)
    }

    @Test func theAnswersAreJSONWhereThatIsWanted() throws {
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let made = try object(bed.run("new", "A \"title\"", "--json"))
        let notes = try #require(made["notes"] as? [[String: Any]])
        #expect(notes[0]["id"] as? String == (try bed.notes()[0].id))
        #expect(try object(bed.run("show", "1", "--json"))["title"] as? String == "A \"title\"")
        let refused = try object(bed.failure("show", "9", "--json", status: 3))
        #expect((refused["error"] as? [String: String])?["message"] == "there is no note \"9\"")
    }

    @Test func whatIsWrongIsSaidWithWhatToDo() throws {
        try bed.run("new", "one")
        #expect(try bed.failure("edit", "two", editor: "true", status: 3).contains("there is no note \"two\"\nhint: notes list"))
        #expect(try bed.failure("delete", "1", "two", status: 3).contains("\"two\""))
        #expect(try bed.failure("new", status: 4).contains("no text"))
        #expect(try bed.failure("new", "a", "-", "--content", "b", status: 2).contains("given twice"))
        #expect(try bed.failure("new", "--content", "b", status: 4).contains("a note needs a title\nhint: notes new TITLE"))
        #expect(try bed.failure("new", " ", status: 4).contains("a note needs a title"))
        #expect(try bed.failure("edit", "one", "b", status: 2).contains("usage: notes edit NOTE"))
        #expect(try bed.failure("undo", "--all", status: 2).contains("no option --all"))
        #expect(try bed.texts() == ["one"])
        #expect(try bed.drafts() == [])
        try bed.run("undo")
        #expect(try bed.failure("undo", status: 1).contains("no transaction to undo"))
    }

    @Test(arguments: ["new <&-", "new - <&-", "edit one - <&-"])
    func aStandardInputThatIsClosedIsSaidToBe(_ arguments: String) throws {
        try bed.run("new", "one")
        let result = try RunningProcess(
            "bash", ["-c", "exec '\(try Products.path("notes"))' \(arguments)"], environment: bed.environment
        ).result()
        #expect(result.status == .exited(1) && result.stderr.hasPrefix("notes: the standard input is closed\n"), "\(result)")
    }

    @Test func controlCharactersDoNotReachATerminal() throws {
        try bed.control("insert", "notes", #"{"title": "a\u001b[2Jb", "content": "\u001b]0;x\u0007"}"#)
        for line in ["notes", "notes show 1"] {
            let shown = try bed.terminal(line, editor: "true").stdout
            #expect(shown.contains("\\u{1B}[2Jb") && !shown.contains("\u{1B}[2J") && !shown.contains("\u{7}"), "\(shown)")
        }
    }

    @Test func notesWrittenByHandGetWhatTheyLack() throws {
        let id = "0e984725-c51c-4bf4-9960-e1c80e27aba0"
        try bed.session.folder.write(
            """
            {"notes": [{"title": "no id"}, {"id": "\(id)", "title": "first"}, {"id": "\(id)", "title": "copy"}, {}]}
            """, to: NotesBed.document)
        try within(.seconds(20), "the edit") { try bed.run("list").contains("copy") }
        #expect(try bed.run("list").contains("(no title)"))
        try bed.run("delete", "copy")
        try bed.run("favourite", "no id")
        #expect(try bed.notes().map(\.title) == ["no id", "", "first"])
        #expect(try bed.notes().last?.id == id)
    }

    /// One bad field takes the whole list out of force; that is not said to be an empty list.
    @Test func aListThatIsRefusedIsNoEmptyOne() throws {
        try bed.session.folder.write(
            #"{"notes": [{"title": "Shopping"}, {"title": 7}]}"#, to: NotesBed.document)
        try within(.seconds(20), "the edit") { try bed.start(["list"]).result().status != .exited(0) }
        for arguments in [["list"], ["show", "shopping"], ["edit", "1"], ["delete", "1"], ["search", "shopping"]] {
            let result = try bed.start(arguments, editor: "true").result()
            #expect(result.status == .exited(8), "\(result)")
            #expect(result.stdout.isEmpty)
            let file = bed.session.folder.path(NotesBed.document)
            let lines = result.stderr.split(separator: "\n")
            #expect(lines.first?.hasPrefix("notes: the notes cannot be shown: \(file), line ") == true, "\(result)")
            #expect(lines.first?.contains("found the number 7") == true, "\(result)")
            #expect(
                lines.dropFirst() == ["hint: mend \(file); the notes stay in it meanwhile, and nothing is written over them"])
        }
        let forPrograms = try bed.start(["list", "--json"]).result().stderr
        let error = try JSONDecoder().decode([String: [String: String]].self, from: Data(forPrograms.utf8))
        #expect(error["error"]?["message"]?.contains("found the number 7") == true)
        // Nothing takes their place meanwhile, and what was to be stored is not lost.
        #expect(try bed.failure("new", "Another", status: 8).contains("found the number 7"))
        #expect(try bed.failure("new", input: "Another", status: 8).contains("what you have written is in "))
        let opened = bed.session.folder.path("opened")
        #expect(try bed.terminal("notes new", editor: bed.script("touch '\(opened)'")).status == .exited(8))
        #expect(!FileManager.default.fileExists(atPath: opened))
        #expect(try bed.drafts() == ["Another"])
        #expect(bed.session.folder.read(NotesBed.document)?.contains("Shopping") == true)
    }

    @Test func aDamagedDocumentIsToldWithTheCommandThatPutsItAside() throws {
        try bed.run("new", "one")
        try bed.session.folder.write(#"{"notes": ["#, to: NotesBed.document)
        try within(.seconds(20), "the edit") { try bed.start(["list"]).result().stderr.contains(" is damaged: ") }
        let told = try bed.start(["list"]).result()
        #expect(told.status == .exited(0) && told.stdout.contains("one"), "\(told)")
        #expect(told.stderr.contains("or let `settingsctl -a org.settingsd.Notes doctor --repair` put it aside"), "\(told)")
        let refused = try bed.failure("new", "two", status: 8)
        #expect(refused.contains("settingsctl -a org.settingsd.Notes doctor --repair"))
        #expect(refused.split(separator: "\n").count == 1, "\(refused)")
        try bed.control("doctor", "--repair")
        try bed.run("new", "two")
    }

    @Test func aLockedListIsSaidToBeLockedBeforeAnybodyWrites() throws {
        try bed.run("new", "one")
        let layer = "etc/settingsd/apps/org.settingsd.Notes.json"
        try bed.session.folder.write(#"{"locked": ["notes"]}"#, to: layer)
        try within(.seconds(20), "the lock") { try bed.run("list").hasPrefix("no notes, since the list is locked") }
        #expect(
            try bed.run("list")
                == "no notes, since the list is locked; your own stay in the document until whoever administers this machine frees it\n"
        )
        let opened = bed.session.folder.path("opened")
        let editor = try bed.script("touch '\(opened)'")
        #expect(try bed.terminal("notes new", editor: editor).stdout.contains("notes is locked by"))
        try bed.session.folder.write(
            #"{"locked": ["notes"], "notes": [{"id": "0e984725-c51c-4bf4-9960-e1c80e27aba0", "title": "Hers"}]}"#, to: layer)
        try within(.seconds(20), "the value") { try bed.run("list").contains("Hers") }
        #expect(try bed.failure("edit", "1", editor: editor, status: 7).contains("notes is locked by"))
        #expect(!FileManager.default.fileExists(atPath: opened))
        #expect(!(try bed.failure("new", input: "text", status: 7)).contains("to store it later"))
    }

    @Test func aTimeTakesItsColumnWhateverItIs() throws {
        try bed.control("set", "notes", #"[{"title": "a", "time": "0001-01-01T00:00:00Z"}, {"title": "b"}]"#)
        let environment = bed.environment.merging(["TZ": "UTC"]) { $1 }
        let result = try RunningProcess(Products.path("notes"), ["list"], environment: environment).result()
        #expect(result.stdout == "1   a  0001-01-01 00:00  \n2   b                    \n", "\(result)")
    }

    @Test func helpSaysWhenTheStandardInputIsRead() throws {
        #expect(try bed.run("--help").contains("reads the standard input for - or if that is no terminal"))
    }

    @Test func whatTwoProcessesMakeAtOnceIsAllThere() throws {
        let loops = try ["a", "b"].map { name in
            try RunningProcess(
                "bash", ["-c", "for i in {1..25}; do notes new \(name) $i --json || exit; done"], environment: bed.environment)
        }
        struct Made: Decodable { var notes: [NotesBed.Note] }
        var made: [String?: String] = [:]
        for loop in loops {
            let result = try loop.result()
            #expect(result.status == .exited(0), "\(result)")
            for line in result.stdout.split(separator: "\n") {
                let note = try #require(try JSONDecoder().decode(Made.self, from: Data(line.utf8)).notes.first)
                made[note.id] = note.title
            }
        }
        let notes = try bed.notes()
        #expect(Set(notes.map(\.title)) == Set(["a", "b"].flatMap { name in (1...25).map { "\(name) \($0)" } }))
        // Each process was told the id of its own note.
        #expect(Dictionary(notes.map { ($0.id, $0.title) }) { first, _ in first } == made)
    }

    @Test func watchShowsWhateverChangesTheNotes() throws {
        try bed.session.folder.write(
            #"{"notes": [{"title": "For everybody"}]}"#, to: "etc/settingsd/apps/org.settingsd.Notes.json")
        let watch = try bed.start(["watch"])
        try watch.waitForOutput("For everybody")
        try bed.run("new", "From here")
        try watch.waitForOutput("From here")
        try bed.control("insert", "notes", #"{"title": "From settingsctl"}"#)
        try watch.waitForOutput("From settingsctl")
        try within(.seconds(20), "the document") {
            bed.session.folder.read(NotesBed.document)?.contains("From settingsctl") == true
        }
        let document = try #require(bed.session.folder.read(NotesBed.document))
        try bed.session.folder.write(document.replacingOccurrences(of: "From here", with: "By hand"), to: NotesBed.document)
        try watch.waitForOutput("By hand")
        #expect(try watch.end(SIGINT) == .exited(0))
    }

    @Test func whoWatchesIsNotToldThatThereAreNoNotesWhereTheyAreRefused() throws {
        try bed.run("new", "Shopping")
        let watch = try bed.start(["watch"])
        let terminal = try RunningProcess(
            "script", ["-qec", "notes watch", "/dev/null"], environment: bed.environment.merging(["TERM": "xterm"]) { $1 })
        for process in [watch, terminal] { try process.waitForOutput("Shopping") }
        try bed.session.folder.write(#"{"notes": [{"title": "Shopping"}, {"title": 7}]}"#, to: NotesBed.document)
        try watch.waitForLog("found the number 7")
        try terminal.waitForOutput("number 7")
        try watch.end()
        try terminal.end()
        #expect(!watch.stdout.contains("no notes") && !terminal.stdout.contains("no notes"))
    }

    @Test func watchIsDrawnAnewOnATerminal() throws {
        let watch = try RunningProcess(
            "script", ["-qec", "notes watch star", "/dev/null"], environment: bed.environment.merging(["TERM": "xterm"]) { $1 })
        try watch.waitForOutput("no note has all of: star")
        try bed.run("new", "A star")
        try watch.waitForOutput("\u{1B}[H\u{1B}[K1   A star")
        try bed.run("favourite", "1")
        try watch.waitForOutput("1 ★ A star")
        try watch.end()
    }

    @Test func aTerminalWithoutUTF8GetsASCII() throws {
        try bed.run("new", "star", "--favourite")
        let environment = bed.environment.merging(["LC_ALL": "C"]) { $1 }
        for arguments in [["list"], ["show", "1"]] {
            let result = try RunningProcess(Products.path("notes"), arguments, environment: environment).result()
            #expect(result.stdout.contains("star") && result.stdout.utf8.allSatisfy { $0 < 0x80 }, "\(result)")
        }
    }

    @Test func withoutItsSchemaItSaysWhatToDo() throws {
        let bed = try NotesBed(installs: false)
        #expect(
            try bed.failure("list", status: 1)
                == "notes: the schema of org.settingsd.Notes is not installed\nhint: to install it for you: notes --install\n")
        try bed.run("--install")
        try bed.run("new", "works")
    }

    @Test func theSchemaIsRight() throws {
        let file = bed.session.folder.path("home/.local/share/settingsd/schemas/org.settingsd.Notes.json")
        #expect(try bed.session.control("check", file).status == .exited(0))
    }
}
