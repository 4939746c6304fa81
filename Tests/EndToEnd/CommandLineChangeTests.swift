import Foundation
import TestSupport
import Testing

/// The commands that change, what they print, and what is stored then.
@Suite(.logsOnFailure) struct CommandLineChangeTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    private func succeeds(_ arguments: String..., prints text: String = "") throws {
        let process = try session.startControl(arguments)
        #expect(try process.waitForExit() == .exited(0), "\(arguments) \(process.log)")
        #expect(process.stdout == text, "\(arguments)")
        #expect(process.stderr == "", "\(arguments)")
    }

    @Test func setPrintsNothingAndStores() throws {
        try succeeds("set", "profile.name", "Ada Lovelace")
        try succeeds("set", "profile.email=ada@example.org", "provider=spotify", "provider.account=a=b")
        #expect(try session.control("get", "provider.account").stdout == "a=b\n")
        try succeeds("set", "profile.name", "x=y")
        #expect(try session.control("get", "profile.name").stdout == "x=y\n")
        try succeeds("set", "profile.name", "--", "-x-")
        #expect(try session.control("get", "profile.name").stdout == "-x-\n")
        try succeeds("set", "profile.name=")
        #expect(try session.control("get", "profile.name").stdout == "\n")
    }

    @Test func everyChangePrintsWhatItChangedAsAnObject() throws {
        try succeeds(
            "set", "profile.name=Ada", "provider=mpd", "provider.account=a", "--json",
            prints: #"{"revision":1,"values":{"profile.name":"Ada","provider.account":"a","provider.id":"mpd"}}"# + "\n")
        try succeeds(
            "dispatch", "DisconnectProvider", "--json",
            prints: #"{"revision":2,"values":{"provider.account":"","provider.id":"none"}}"# + "\n")
        try succeeds("reset", "profile.name", "--json", prints: #"{"revision":3,"values":{"profile.name":""}}"# + "\n")
        try succeeds("undo", "--json", prints: #"{"revision":4,"values":{"profile.name":"Ada"}}"# + "\n")
        try succeeds("redo", "--json", prints: #"{"revision":5,"values":{"profile.name":""}}"# + "\n")
    }

    @Test func settingTheValueThatIsThereIsANoOp() throws {
        try succeeds("set", "profile.name", "Ada")
        try eventually("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        let before = try identity(ofFile: TestSession.document)
        let watch = try session.startControl(["watch", "--json"])
        try watch.waitForOutput("snapshot")
        try succeeds("set", "profile.name", "Ada")
        try succeeds("set", "profile.name", "Ada", "--json", prints: #"{"revision":1,"values":{}}"# + "\n")
        try succeeds("dispatch", "UpdateProfile", "--json", prints: #"{"revision":1,"values":{}}"# + "\n")
        #expect(try identity(ofFile: TestSession.document) == before)
        try succeeds("reset", "--all", "--json", prints: #"{"revision":2,"values":{"profile.name":""}}"# + "\n")
        try watch.waitForOutput("ResetAll")
        #expect(watch.stdout.split(separator: "\n").count == 2)
    }

    /// What is different after a file was written again, in place or by another one.
    private func identity(ofFile name: String) throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: session.folder.path(name))
        return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0] ?? "")" }
    }

    /// The default made the user's own value: a transaction, but no effective value changes.
    @Test func pinningADefaultIsAChangeWithoutValues() throws {
        try succeeds("set", "provider", "none", "--json", prints: #"{"revision":1,"values":{}}"# + "\n")
        #expect(try session.object(["get", "provider", "--json"])["source"] as? String == "user")
        let undo = try session.control("undo")
        #expect(undo.status == .exited(0))
        #expect(undo.stdout == "")
        #expect(undo.stderr == "settingsctl: undo: no effective value has changed\n")
    }

    @Test func anotherClientsChangeIsNotTakenForOurs() throws {
        try succeeds("set", "profile.name", "Ada")
        let others = try session.startShell("for i in {1..40}; do settingsctl set profile.email=$i@example.org; done")
        for _ in 1...40 { try succeeds("set", "profile.name", "Ada", "--quiet") }
        for _ in 1...20 {
            let object = try session.object(["set", "profile.name", "Ada", "--json"])
            #expect((object["values"] as? [String: String])?.isEmpty == true)
        }
        #expect(try others.waitForExit() == .exited(0))
    }

    @Test func resetGoesBackToTheLayersBelow() throws {
        try succeeds("set", "profile.name=Ada", "provider=mpd")
        try succeeds("reset", "profile.name", "provider")
        #expect(try session.control("list", "profile.name").stdout == "profile.name\tdefault\t\n")
        #expect(try session.control("get", "provider").stdout == "none\n")
    }

    @Test func dispatchTakesTextAndJSON() throws {
        try succeeds("dispatch", "UpdateProfile", "name=Ada", "email=ada@example.org")
        #expect(try session.control("get", "profile.email").stdout == "ada@example.org\n")
        try succeeds("dispatch", "ResetValues", #"keys=["profile.name","profile.email"]"#)
        try succeeds("dispatch", "ResetValues", "keys=[]")
        try succeeds("dispatch", "SetValues", #"values={"provider":"mpd","profile.name":"Bob"}"#)
        #expect(try session.control("get", "profile.name").stdout == "Bob\n")
        try succeeds("dispatch", "SignOut")
        #expect(try session.control("get", "profile.name").stdout == "\n")
    }

    @Test func undoAndRedoPrintWhatChanged() throws {
        try succeeds("set", "profile.name", "Ada")
        try succeeds("set", "provider=mpd", "provider.account=a")
        try succeeds("undo", prints: "provider.id\tmpd → none\nprovider.account\ta → \"\"\n")
        try succeeds("undo", prints: "profile.name\tAda → \"\"\n")
        try succeeds("redo", prints: "profile.name\t\"\" → Ada\n")
        try succeeds("redo", prints: "provider.id\tnone → mpd\nprovider.account\t\"\" → a\n")
    }

    @Test func onATerminalWhatChangedIsATable() throws {
        try succeeds("set", "provider=mpd", "provider.account=a")
        #expect(try session.terminal("undo") == "provider.id       mpd → none\nprovider.account  a → \"\"\n")
        #expect(try session.terminal("redo") == "provider.id       none → mpd\nprovider.account  \"\" → a\n")
    }

    @Test func expectMakesAChangeOnlyAtThatRevision() throws {
        try succeeds("set", "profile.name", "Ada", "--expect", "0")
        for arguments in [
            ["set", "profile.name", "Bob"], ["set", "profile.name", "Ada"], ["reset", "profile.name"], ["reset", "--all"],
            ["dispatch", "SignOut"], ["undo"],
        ] {
            let process = try session.startControl(arguments + ["--expect", "0"])
            #expect(try process.waitForExit() == .exited(6), "\(arguments)")
            #expect(process.stderr.contains("0") && process.stderr.contains("1"))
        }
        try succeeds("undo", "--expect=1", prints: "profile.name\tAda → \"\"\n")
    }

    @Test func fiftyAppendsByTwoProcessesWithARetryLoseNothing() throws {
        let script = """
            for i in {1..25}; do
                until value=$(settingsctl get profile.name --json) &&
                    settingsctl set profile.name "$(jq -r .value <<<"$value")$LETTER" --expect "$(jq .revision <<<"$value")" -q 2>/dev/null
                do [ $? = 6 ] || exit 1; done
            done
            """.replacingOccurrences(of: "jq -r .value", with: Self.field("value")).replacingOccurrences(
                of: "jq .revision", with: Self.field("revision"))
        let one = try session.startShell("LETTER=a; " + script)
        let two = try session.startShell("LETTER=b; " + script)
        #expect(try one.waitForExit(within: .seconds(60)) == .exited(0))
        #expect(try two.waitForExit(within: .seconds(60)) == .exited(0))
        let name = try session.control("get", "profile.name").stdout
        #expect(name.filter { $0 == "a" }.count == 25)
        #expect(name.filter { $0 == "b" }.count == 25)
    }

    /// A program that reads an object and prints one of its fields.
    private static func field(_ name: String) -> String {
        #"sed -E 's/.*"\#(name)":"?([^",}]*).*/\1/'"#
    }
}
