import Foundation
import TestSupport
import Testing

/// Editing, with editors that are scripts, and with others who write at the same time.
@Suite(.logsOnFailure) struct NotesEditTests {
    let bed: NotesBed

    init() throws {
        bed = try NotesBed()
        try bed.run("new", "Song", "-", input: "one\ntwo\nthree\n")
    }

    // MARK: The file

    @Test func theEditorGetsAPrivateFile() throws {
        let seen = bed.session.folder.path("seen")
        let editor = try bed.script(
            "cat \"$1\" >'\(seen)'; stat -c %a \"$1\" \"$(dirname \"$1\")\" >>'\(seen)'; touch \"$1.swp\"; echo four >>\"$1\"")
        #expect(try bed.run("edit", "song", editor: editor) == "stored: Song\n")
        #expect(bed.session.folder.read("seen") == "Song\n\none\ntwo\nthree\n600\n700\n")
        #expect(try bed.texts() == ["Song|one|two|three|four"])
        #expect(try bed.drafts() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: bed.session.folder.path(NotesBed.drafts)) == [])
    }

    @Test func visualComesBeforeEditor() throws {
        let environment = bed.environment.merging(["VISUAL": try bed.writing("mine"), "EDITOR": "false"]) { $1 }
        let result = try RunningProcess(Products.path("notes"), ["edit", "1"], environment: environment).result()
        #expect(result.stdout == "stored: mine\n", "\(result)")
    }

    @Test func anEditorThatReplacesTheFileIsUnderstood() throws {
        try bed.run("edit", "1", editor: bed.script("echo new >\"$1.new\"; mv \"$1.new\" \"$1\""))
        #expect(try bed.texts() == ["new"])
    }

    @Test func newWithoutATitleOpensAnEditorOnATerminal() throws {
        let result = try bed.terminal("notes new", editor: bed.writing("Written\n\nhere\n"))
        #expect(result.stdout.contains(": Written"), "\(result)")
        #expect(try bed.texts() == ["Written|here", "Song|one|two|three"])
        let nothing = try bed.terminal("notes new", editor: "true")
        #expect(nothing.status == .exited(1))
        #expect(nothing.stdout.contains("nothing was written"))
        #expect(try bed.notes().count == 2)
        #expect(try bed.drafts() == [])
    }

    @Test func whatIsNotWrittenChangesNothing() throws {
        let before = try bed.notes()
        #expect(try bed.run("edit", "song", editor: "true") == "unchanged: Song\n")
        #expect(try bed.failure("edit", "song", editor: "false", status: 1).contains("exit status 1; nothing was changed"))
        #expect(try bed.failure("edit", "song", editor: "no-such-editor", status: 1).contains("exit status 127"))
        #expect(try bed.failure("edit", "song", editor: bed.script("kill -9 $$"), status: 1).contains("exit status 137"))
        #expect(try bed.failure("edit", "song", editor: "rm", status: 1).contains("left no file behind"))
        #expect(try bed.failure("edit", "song", editor: bed.writing(" \n"), status: 4).contains("notes delete"))
        #expect(try bed.drafts() == [])
        // Somebody who ends the editor with an error has changed their mind, perhaps about the editor.
        let failed = try bed.failure("edit", "song", editor: bed.script("echo mine >\"$1\"; exit 3"), status: 1)
        #expect(failed.contains("exit status 3; nothing was changed; what you have written is in "))
        #expect(try bed.drafts() == ["mine\n"])
        #expect(try bed.notes() == before)
    }

    // MARK: What others do meanwhile

    /// An editor that lets somebody else do something and then writes a text.
    private func meanwhile(_ line: String, writing text: String) throws -> String {
        let editor = try bed.writing(text)
        return try bed.script("\(line) >&2\n\(editor) \"$1\"")
    }

    @Test func linesThatDoNotTouchAreJoined() throws {
        let editor = try meanwhile("printf 'Song\n\none\ntwo\n3\n' | notes edit song -", writing: "Song\n\n1\ntwo\nthree\n")
        #expect(
            try bed.run("edit", "song", editor: editor) == "stored: Song, together with what was changed elsewhere meanwhile\n")
        #expect(try bed.texts() == ["Song|1|two|3"])
    }

    @Test func ofTheSameLinesBothVersionsStay() throws {
        let editor = try meanwhile(
            "printf 'Song\n\none\ntheirs\nthree\n' | notes edit song -", writing: "Song\n\none\nmine\nthree\n")
        #expect(
            try bed.run("edit", "song", editor: editor)
                == "changed elsewhere meanwhile, which stays as it is; yours is a further note: Song (your version)\n")
        #expect(try bed.texts() == ["Song (your version)|one|mine|three", "Song|one|theirs|three"])
    }

    @Test func whatWasDeletedMeanwhileIsANewNote() throws {
        let editor = try meanwhile("notes delete song", writing: "Song\n\nmine\n")
        #expect(try bed.run("edit", "song", editor: editor) == "deleted elsewhere meanwhile; yours is a new note: Song\n")
        #expect(try bed.texts() == ["Song|mine"])
    }

    @Test func whatDoesNotTouchTheTextIsNoConflict() throws {
        let editor = try meanwhile("notes favourite song; notes new Other", writing: "Song\n\nmine\n")
        #expect(try bed.run("edit", "song", editor: editor) == "stored: Song\n")
        #expect(try bed.texts() == ["Song|mine", "Other"])
        #expect(try bed.notes()[0].favourite)
    }

    @Test func theSameWrittenTwiceIsWrittenOnce() throws {
        let editor = try meanwhile("printf 'Song\n\nnew\n' | notes edit song -", writing: "Song\n\nnew\n")
        #expect(try bed.run("edit", "song", editor: editor) == "nothing to store: Song has this text already\n")
        #expect(try bed.texts() == ["Song|new"])
    }

    /// Many editors of one note, which all have the same line: whoever comes first has it, the others are beside.
    @Test func nobodysTextIsLostWhenManySaveAtOnce() throws {
        let folder = try bed.session.folder.folder("open")
        let editors = try (1...6).map { number in
            try bed.start(
                ["edit", "song"],
                editor: bed.script(
                    "touch '\(folder)/\(number)'; \(NotesBed.waiting(for: folder + "/go")); printf 'Song\n\nmine \(number)\n' >\"$1\""
                ))
        }
        try within(.seconds(20), "the editors") { try FileManager.default.contentsOfDirectory(atPath: folder).count == 6 }
        try bed.session.folder.write("", to: "open/go")
        for editor in editors { #expect(try editor.result().status == .exited(0), "\(editor.log)") }
        #expect(Set(try bed.notes().map(\.content)) == Set((1...6).map { "mine \($0)" }))
        #expect(try bed.notes().filter { $0.title == "Song (your version)" }.count == 5)
    }

    // MARK: What cannot be stored

    private func expectKept(_ text: String, status: Int32, _ editor: String, saying words: String) throws {
        let id = try #require(try bed.notes()[0].id)
        let told = try bed.failure("edit", "song", editor: editor, status: status)
        #expect(told.contains(words), "\(told)")
        #expect(told.contains("; what you have written is in \(bed.session.folder.path(NotesBed.drafts))/notes-"), "\(told)")
        #expect(try bed.drafts() == [text])
        // A second attempt goes to the same note, and is offered where it could be stored; first there must be a daemon.
        let later = "to store it later: notes edit \(id.prefix(8)) - <\(bed.session.folder.path(NotesBed.drafts))/notes-"
        #expect(!told.contains("notes new") && told.contains(later) == told.contains("to store it later"), "\(told)")
        if status != 5 { #expect(told.contains(later) == (status == 8), "\(told)") }
    }

    @Test func aRefusedTextIsKept() throws {
        let long = String(repeating: "x", count: 201) + "\n"
        try expectKept(long, status: 4, bed.writing(long), saying: "at most 200 are allowed")
        #expect(try bed.texts() == ["Song|one|two|three"])
        #expect(try bed.failure("new", input: long + "more", status: 4).contains("what you have written is in "))
        #expect(Set(try bed.drafts()) == [long, long + "more"])
    }

    @Test func aTextThatIsTooLongIsKept() throws {
        let long = "Song\n\n" + String(repeating: "x", count: 70_000) + "\n"
        let words = "notes: the note has 68.4 KiB of text, and at most 64 KiB are possible: nothing was stored; what you"
        try expectKept(long, status: 4, bed.writing(long), saying: words)
        for text in ["Title\n\n" + String(repeating: "x\n", count: 1 << 20), String(repeating: "x", count: 2 << 20)] {
            let told = try bed.failure("new", input: text, status: 4)
            #expect(told.hasPrefix("notes: the note has 2 MiB of text, and at most 64 KiB are possible: nothing"), "\(told)")
        }
        #expect(try bed.drafts().count == 3)
        #expect(try bed.texts() == ["Song|one|two|three"])
    }

    @Test func aTextForADamagedDocumentIsKept() throws {
        let document = bed.session.folder.path(NotesBed.document)
        try expectKept("mine\n", status: 8, meanwhile("echo '{' >'\(document)'", writing: "mine\n"), saying: document)
    }

    @Test func aTextIsKeptWhenTheDaemonIsGone() throws {
        try expectKept("mine\n", status: 5, meanwhile("kill -9 \(bed.daemon.pid)", writing: "mine\n"), saying: "daemon")
        let again = try bed.session.startDaemon()
        #expect(try bed.texts() == ["Song|one|two|three"])
        _ = again
    }

    @Test func aTextIsKeptWhenTheBusIsGone() throws {
        try expectKept("mine\n", status: 5, meanwhile("kill \(bed.session.bus.process.pid)", writing: "mine\n"), saying: "bus")
    }

    /// Here by the end of the program in the middle, as when its terminal is closed.
    @Test func whoOpensAnEditorIsToldOfTextsThatWereNeverStored() throws {
        let open = bed.session.folder.path("open")
        let editor = try bed.script("echo mine >\"$1\"; touch '\(open)'; \(NotesBed.waiting(for: open + ".end"))")
        let edit = try bed.start(["edit", "song"], editor: editor)
        try within(.seconds(20), "the editor") { FileManager.default.fileExists(atPath: open) }
        #expect(try bed.start(["edit", "song"], editor: "true").result().stderr == "")
        try edit.end(SIGHUP)
        let told = try bed.start(["edit", "song"], editor: "true").result().stderr
        let draft = try #require(try bed.draftNames().first)
        #expect(
            told == """
                notes: a text was never stored: \(draft) (Song)
                notes: to go on with it: notes resume; to drop it: notes drop

                """)
        #expect(try bed.drafts() == ["mine\n"])
        let listed = try bed.start(["list"]).result()
        #expect(listed.status == .exited(0) && listed.stderr.hasPrefix("notes: a text was never stored: "), "\(listed)")
        try bed.session.folder.write("", to: "open.end")
    }

    @Test func ofSeveralTextsThatWereNeverStoredNoMoreIsSaidThanOfOne() throws {
        for text in ["a", "b", "c"] {
            _ = try bed.failure("edit", "song", editor: bed.script("echo \(text) >\"$1\"; exit 1"), status: 1)
        }
        // One that was left with an error and not changed is none.
        let told = try bed.failure("edit", "song", editor: "false", status: 1).split(separator: "\n")
        let names = try bed.draftNames().map { "\($0) (Song)" }.sorted()
        #expect(told.count == 3 && told[0].hasPrefix("notes: 3 texts were never stored: "), "\(told)")
        #expect(names.allSatisfy(told[0].contains), "\(told)")
        #expect(told[1] == "notes: to go on with one: notes resume DRAFT; to drop one: notes drop DRAFT")
        #expect(try bed.drafts().sorted() == ["a\n", "b\n", "c\n"])
    }

    // MARK: Going on

    @Test func aTextThatWasNeverStoredIsGoneOnWith() throws {
        _ = try bed.failure("edit", "song", editor: bed.script("printf 'Song\n\none\ntwo\n3\n' >\"$1\"; exit 1"), status: 1)
        // What somebody else has written meanwhile stays.
        try bed.run("edit", "song", "-", input: "Song\n\n1\ntwo\nthree\n")
        let seen = bed.session.folder.path("seen")
        #expect(
            try bed.run("resume", editor: bed.script("cp \"$1\" '\(seen)'"))
                == "stored: Song, together with what was changed elsewhere meanwhile\n")
        #expect(bed.session.folder.read("seen") == "Song\n\none\ntwo\n3\n")
        #expect(try bed.texts() == ["Song|1|two|3"] && bed.draftNames() == [])
        #expect(try bed.failure("resume", editor: "true", status: 1).contains("every text was stored"))
    }

    @Test func aNewTextThatWasRefusedIsGoneOnWithOrDropped() throws {
        let long = String(repeating: "x", count: 201)
        for _ in 1...2 { _ = try bed.failure("new", input: long, status: 4) }
        let names = try bed.draftNames()
        #expect(try bed.failure("new", input: long, status: 4).contains("\nhint: to go on with it: notes resume "))
        let line = String(repeating: "x", count: 39) + "…, a new note"
        #expect(try bed.failure("resume", editor: "true", status: 2).contains("\(names[0]) (\(line))"))
        #expect(try bed.failure("resume", names[0], editor: "true", status: 4).contains("at most 200 are allowed"))
        #expect(try bed.run("resume", names[0], editor: bed.writing("short\n")).hasSuffix(": short\n"))
        #expect(try bed.run("drop", names[1]) == "dropped: \(long)\n")
        #expect(try bed.failure("drop", names[1], status: 3).contains("there is no draft \"\(names[1])\""))
        #expect(try bed.run("drop") == "dropped: \(long)\n")
        #expect(try bed.texts() == ["short", "Song|one|two|three"] && bed.draftNames() == [])
    }

    @Test func whoHasAnEditorOpenKeepsNoTextOfOthers() throws {
        for text in ["a", "b"] {
            _ = try bed.failure("edit", "song", editor: bed.script("echo \(text) >\"$1\"; exit 1"), status: 1)
        }
        let open = bed.session.folder.path("open")
        let waits = try bed.script("touch '\(open)'; \(NotesBed.waiting(for: open + ".end")); echo mine >\"$1\"")
        let names = try bed.draftNames()
        let resume = try bed.start(["resume", names[0]], editor: waits)
        try within(.seconds(20), "the editor") { FileManager.default.fileExists(atPath: open) }
        let edit = try bed.start(
            ["edit", "song"], editor: bed.script("touch '\(open).edit'; \(NotesBed.waiting(for: open + ".end"))"))
        try within(.seconds(20), "the other editor") { FileManager.default.fileExists(atPath: open + ".edit") }
        #expect(try bed.start(["list"]).result().stderr.hasPrefix("notes: a text was never stored: \(names[1]) (Song)\n"))
        #expect(try bed.run("drop").hasPrefix("dropped: "))
        try bed.session.folder.write("", to: "open.end")
        for process in [resume, edit] { #expect(try process.result().status == .exited(0), "\(process.log)") }
        #expect(try bed.draftNames() == [])
    }

    @Test func aTextWhoseNoteIsDeletedIsANewNote() throws {
        _ = try bed.failure("edit", "song", editor: bed.script("echo mine >\"$1\"; exit 1"), status: 1)
        try bed.run("delete", "song")
        let draft = try #require(try bed.draftNames().first)
        #expect(try bed.start(["list"]).result().stderr.contains(": \(draft) (mine, whose note is deleted)\n"))
        #expect(try bed.run("resume", editor: "true") == "deleted elsewhere meanwhile; yours is a new note: mine\n")
        #expect(try bed.texts() == ["mine"])
    }

    @Test func aTextThatIsNoUTF8IsKept() throws {
        let told = try bed.failure("edit", "song", editor: bed.script("printf '\\xff' >\"$1\""), status: 4)
        #expect(told.contains("no UTF-8; nothing was changed; what you have written is in "))
    }

    @Test func aDaemonThatWasStartedAnewMeanwhileStoresIt() throws {
        let open = bed.session.folder.path("open")
        let writes = try bed.writing("Song\n\nmine\n")
        let edit = try bed.start(
            ["edit", "song"],
            editor: bed.script("touch '\(open)'; \(NotesBed.waiting(for: open + ".end")); \(writes) \"$1\""))
        try within(.seconds(20), "the editor") { FileManager.default.fileExists(atPath: open) }
        try bed.daemon.end(SIGKILL)
        try bed.session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
        let again = try bed.session.startDaemon()
        try bed.session.folder.write("", to: "open.end")
        let result = try edit.result()
        #expect(result.stdout == "stored: Song\n", "\(result)")
        #expect(try bed.texts() == ["Song|mine"])
        _ = again
    }
}
