import EventLoop
import Foundation
import SettingsModel
import TestSupport
import Testing

/// What people and their tools do to the document, each a fault that some settings system had.
@Suite(.logsOnFailure) struct HandEditCaseTests {
    private let session: TestSession
    private let client: Client
    private let path: String

    init() throws {
        session = try TestSession()
        client = try Client(session)
        path = session.folder.path(TestSession.document)
    }

    private func document() -> String? { session.folder.read(TestSession.document) }

    /// Starts a daemon on a document.
    private func start(_ text: String? = nil) throws -> RunningProcess {
        if let text { try session.folder.write(text, to: TestSession.document) }
        return try session.startDaemon()
    }

    private func waitForDocument(_ text: String) throws {
        try client.wait("\(text) in the document") { document()?.contains(text) == true }
    }

    private func control(_ words: String..., status: Int32 = 0) throws -> (output: String, errors: String) {
        let process = try session.startControl(words)
        #expect(try process.waitForExit() == .exited(status), "\(words) \(process.log)")
        return (process.stdout, process.stderr)
    }

    /// Saves as most editors do: a new file takes the old one's name.
    private func save(_ text: String) throws {
        try text.write(toFile: path + "~", atomically: false, encoding: .utf8)
        #expect(rename(path + "~", path) == 0)
    }

    @Test func anEditorThatRenamesOverTheFileTwiceWithinMillisecondsIsNeverSeenEmpty() throws {
        let daemon = try start()
        try client.set(["profile.name": "Ada"])
        try waitForDocument("Ada")
        var changes: [SettingsChange] = []
        try client.listen { changes.append($0) }
        for round in 1...20 {
            try save(#"{"profile": {"name": "first \#(round)"}}"#)
            usleep(UInt32(round) * 200)
            try save(#"{"profile": {"name": "second \#(round)"}}"#)
            try client.wait("the second save") { try client.value("profile.name") == "second \(round)" }
        }
        #expect(changes.count >= 20 && changes.count <= 40)
        #expect(changes.allSatisfy { $0.origin == .file && $0.values["profile.name"]?.string?.isEmpty == false })
        #expect(try client.problems() == [])
        _ = daemon
    }

    @Test func aToolThatTruncatesAndWritesInTwoStepsMakesOneChange() throws {
        let daemon = try start()
        try client.set(["profile.name": "Ada"])
        try waitForDocument("Ada")
        var changes: [SettingsChange] = []
        try client.listen { changes.append($0) }
        let file = try #require(fopen(path, "w"))
        fputs(#"{"profile": {"name": "Gr"#, file)
        fflush(file)
        var isWritten = false
        client.loop.schedule(after: .milliseconds(50)) {
            fputs(#"ace"}}"#, file)
            fclose(file)
            isWritten = true
        }
        var problems: Set<[String]> = []
        try client.wait("the rest") {
            problems.insert(try client.problems())
            return try isWritten && client.value("profile.name") == "Grace"
        }
        try waitForDocument("\"revision\": 2")
        try client.reload()
        #expect(changes.map { $0.values["profile.name"]?.string } == ["Grace"])
        #expect(problems == [[]], "The half is nobody's business.")
        _ = daemon
    }

    @Test func aLinkIntoDotfilesStaysALinkAndItsTargetHoldsTheValue() throws {
        let target = try session.folder.write(#"{"profile": {"name": "Ada"}}"#, to: "home/dotfiles/settings.json")
        try session.folder.folder("home/.config/settingsd")
        symlink("../../dotfiles/settings.json", path)
        let daemon = try start()
        #expect(try control("get", "profile.name").output == "Ada\n")
        _ = try control("set", "profile.name", "Grace")
        try client.wait("the target") { session.folder.read("home/dotfiles/settings.json")?.contains("Grace") == true }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../../dotfiles/settings.json")
        try "{}".write(toFile: target, atomically: true, encoding: .utf8)
        try client.wait("the edit of the target") { try client.value("profile.name") == "" }
        _ = daemon
    }

    @Test func aReadOnlyFolderAsInANixStoreIsServedAndNothingIsMadeBesideTheDocument() throws {
        let store = try session.folder.folder("store/abc-settings")
        try session.folder.write(#"{"profile": {"name": "Ada"}}"#, to: "store/abc-settings/settings.json")
        chmod(store + "/settings.json", 0o444)
        chmod(store, 0o555)
        try session.folder.folder("home/.config")
        symlink(store, (path as NSString).deletingLastPathComponent)
        let daemon = try start()
        #expect(try control("get", "profile.name").output == "Ada\n")
        let refused = try control("set", "profile.name", "Grace", status: 7)
        #expect(refused.errors.contains(path))
        #expect(try control("get", "profile.name").output == "Ada\n")
        #expect(try daemon.end() == .exited(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: store) == ["settings.json"])
        #expect(document() == #"{"profile": {"name": "Ada"}}"#)
    }

    @Test(arguments: ["", #"{"format": 1, "revision": 1, "profile": {"na"#])
    func aDocumentThatIsEmptyOrCutInHalfAtTheStartLosesNothing(damage: String) throws {
        try session.folder.write(#"{"provider": {"id": "mpd"}}"#, to: TestSession.vendorLayer)
        let first = try start()
        try client.set(["profile.name": "Ada", "support.help": "https://example.org/"])
        let snapshot = try client.snapshot()
        try first.end()
        let daemon = try start(damage)
        #expect(try client.snapshot() == snapshot)
        #expect(snapshot.values["provider.id"] == "mpd")
        #expect(
            try client.problems().contains { $0.contains("\(path), line 1, column") || $0.contains("\(path) is damaged: line 1") }
        )
        #expect(try control("set", "profile.name", "Grace", status: 8).errors.contains(path))
        #expect(document() == damage)
        try daemon.end()
        #expect(document() == damage)
        let successor = try start()
        _ = try control("doctor", "--repair")
        #expect(session.folder.read(TestSession.document + ".damaged-1") == damage)
        try client.wait("the repaired document") { document()?.contains("Ada") == true }
        #expect(try control("set", "profile.name", "Grace").errors == "")
        _ = successor
    }

    @Test func aTrailingCommaKeepsTheLastGoodValuesAndIsNamedWithItsPlace() throws {
        let daemon = try start()
        try client.set(["profile.name": "Ada"])
        try waitForDocument("Ada")
        let text = "{\n  \"profile\": {\n    \"name\": \"Grace\",\n  }\n}\n"
        try save(text)
        let refused = try control("set", "provider", "mpd", status: 8)
        #expect(refused.errors.contains("line 3, column 20"), "\(refused.errors)")
        let status = try control("status")
        #expect(status.output.contains("\(path)") && status.output.contains("line 3, column 20"), "\(status.output)")
        #expect(try control("get", "profile.name").output == "Ada\n")
        #expect(document() == text)
        try daemon.end()
        #expect(document() == text)
    }

    @Test func byteOrderMarkAndCarriageReturnsLoadAndDuplicateKeysHaveBothPlaces() throws {
        let daemon = try start("\u{FEFF}{\r\n  \"profile\": {\r\n    \"name\": \"Ada\"\r\n  }\r\n}\r\n")
        #expect(try control("get", "profile.name").output == "Ada\n")
        #expect(try client.problems() == [])
        try save("{\n  \"profile\": { \"name\": \"Ada\" },\n  \"profile\": { \"name\": \"Grace\" }\n}\n")
        try client.wait("the problem") { try client.problems().count == 1 }
        let problem = try #require(try client.problems().first)
        #expect(problem.contains("line 3, column 3") && problem.contains("line 2, column 3"), "\(problem)")
        #expect(try control("get", "profile.name").output == "Ada\n")
        _ = daemon
    }

    @Test func numbersThatNobodyKnowsAreNeverRounded() throws {
        let daemon = try start(#"{"mine": [9007199254740993, 1.0, 1e400], "profile": {"shoe_size": 9007199254740993}}"#)
        try client.set(["profile.name": "Ada"])
        try waitForDocument("Ada")
        let text = try #require(document())
        for number in ["9007199254740993,", " 1.0,", "1e400\n", "\"shoe_size\": 9007199254740993"] {
            #expect(text.contains(number), "\(text)")
        }
        #expect(try client.problems() == [])
        _ = daemon
    }

    @Test func singleOddValuesFallBackAloneAndStayUntilTheirKeyIsSet() throws {
        let daemon = try start(#"{"profile": {"name": "Ada", "email": null}, "provider": {"id": "myspace"}}"#)
        #expect(try client.snapshot().values == ["profile.name": "Ada"])
        let problems = try client.problems()
        #expect(problems.count == 2)
        #expect(problems.contains { $0.contains("profile.email") && $0.contains("line 1") })
        #expect(problems.contains { $0.contains("provider.id") && $0.contains("myspace") })
        try client.set(["profile.name": "Grace"])
        try waitForDocument("Grace")
        #expect(document()?.contains("\"email\": null") == true)
        #expect(document()?.contains("\"id\": \"myspace\"") == true)
        try client.set(["provider.id": "mpd"])
        try waitForDocument("mpd")
        #expect(document()?.contains("myspace") == false)
        #expect(document()?.contains("\"email\": null") == true)
        try client.wait("one problem") { try client.problems().count == 1 }
        _ = daemon
    }

    @Test func whatANewerVersionHasWrittenIsKeptThroughASet() throws {
        let daemon = try start(
            #"{"format": 1, "profile": {"name": "Ada", "pronouns": "she/her"}, "calendar": {"week": {"start": "monday"}}}"#)
        try client.set(["profile.name": "Grace", "provider.id": "mpd"])
        try waitForDocument("Grace")
        try daemon.end(SIGKILL)
        let successor = try start()
        try client.set(["profile.name": "Edsger"])
        try waitForDocument("Edsger")
        let text = try #require(document())
        #expect(text.contains("\"pronouns\": \"she/her\""))
        #expect(text.contains("\"start\": \"monday\""))
        // A newer format is read and left alone.
        try save(#"{"format": 2, "profile": {"name": "Barbara", "x": {}}}"#)
        try client.wait("the edit") { try client.value("profile.name") == "Barbara" }
        #expect(try control("set", "profile.name", "Ada", status: 7).errors.contains(path))
        #expect(document() == #"{"format": 2, "profile": {"name": "Barbara", "x": {}}}"#)
        _ = successor
    }
}
