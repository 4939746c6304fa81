import Foundation
import TestSupport
import Testing

/// A value in the document that has no effect is told of wherever somebody may wonder about it.
@Suite(.logsOnFailure) struct CommandRefusedValueTests {
    let session: TestSession
    let daemon: RunningProcess
    let sentence: String

    init() throws {
        session = try TestSession()
        let document = try session.folder.write(
            #"{"format": 1, "profile": {"name": "Ada", "email": "nobody"}}"# + "\n", to: TestSession.document)
        daemon = try session.startDaemon()
        sentence = "\(document), line 1, column 51: profile.email: \"nobody\" is refused"
    }

    @Test func describeNamesThePlaceAndTheReason() throws {
        let text = try session.control("describe", "profile.email").stdout
        let line = try #require(text.split(separator: "\n").first { $0.contains("problem") })
        #expect(line.contains(sentence), "\(text)")
        let described = try session.object(["describe", "--json"])
        let email = try #require(described["profile.email"] as? [String: Any])
        #expect((email["problem"] as? String)?.hasPrefix(sentence) == true)
        let name = try #require(described["profile.name"] as? [String: Any])
        #expect(name["problem"] == nil)
    }

    @Test func getSaysItOnATerminalAndNowhereElse() throws {
        #expect(try session.terminal("get profile.email").contains("settingsctl: get: \(sentence)"))
        #expect(try session.terminal("get profile.name") == "Ada\n")
        expect(try session.startControl(["get", "profile.email"]).result(), stdout: "\n")
    }

    @Test func editSaysItBeforeTheEditorBegins() throws {
        let environment = try session.shellEnvironment().merging(["EDITOR": "true"]) { $1 }
        let result = try session.startControl(["edit"], environment: environment).result()
        #expect(result.stderr.contains("settingsctl: edit: \(sentence)"))
    }

    @Test func aPreviewSaysWhatGoesThoughItHasNoEffect() throws {
        let file = try session.folder.write(#"{"profile": {"name": "Eve"}}"#, to: "new.json")
        let result = try session.startControl(["import", file, "--replace", "--dry-run"]).result()
        #expect(result.status == .exited(0) && result.stdout == "profile.name\tAda → Eve\n")
        let notice = "settingsctl: import: what stands for profile.email would be taken out: \(sentence)"
        #expect(result.stderr.hasPrefix(notice) && result.stderr.count { $0 == "\n" } == 1, "\(result)")
        expect(try session.startControl(["import", file, "--dry-run"]).result(), stdout: "profile.name\tAda → Eve\n")
        try session.control("import", file, "--replace")
        #expect(try session.object(["describe", "profile.email", "--json"]).description.contains("problem") == false)
        #expect(session.folder.read(TestSession.document)?.contains("nobody") == false)
    }

    @Test func itIsGoneOnceItIsMended() throws {
        try session.control("set", "profile.email", "ada@example.org")
        #expect(try session.control("describe", "profile.email").stdout.contains("problem") == false)
    }
}
