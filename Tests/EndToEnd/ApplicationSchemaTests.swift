import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// Schema files come, change, break and go while the daemon runs and while it does not.
@Suite(.logsOnFailure) struct ApplicationSchemaTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        caller = try Caller(session, application: WorldClock.id)
        try caller.listen()
    }

    private var userFile: String { "\(TestSession.userSchemas)/\(WorldClock.id).json" }

    private func uninstall(_ name: String? = nil) throws {
        try FileManager.default.removeItem(atPath: session.folder.path(name ?? userFile))
    }

    /// Installs the schema and changes a few values of it.
    private func begin() throws {
        try session.install()
        try caller.waitForObject("InterfacesAdded")
        try caller.write([("zones", .strings(["UTC"])), ("meeting.start", .int64(20))])
        try within(.seconds(20), "the document") { session.folder.read(WorldClock.document)?.contains("\"start\": 20") == true }
    }

    @Test func aSchemaThatIsInstalledAppearsWithItsValuesAndGoesWithItsFile() throws {
        #expect(try caller.managed() == [])
        #expect(try caller.refusal("ReadAll").shortName == "UnknownObject")
        try session.install()
        let added = try caller.waitForObject("InterfacesAdded")
        let interfaces = try #require(added.last?.named)
        #expect(interfaces.map(\.0) == [SettingsNames.interface, WorldClock.actions, WorldClock.settings].map(\.rawValue))
        let values = Dictionary(uniqueKeysWithValues: try #require(interfaces.last?.1.variants))
        #expect(values["MeetingStart"] == .int64(8) && values["Zones"] == .strings([]))
        #expect(try caller.write([("seconds", .boolean(true))]) == 1)
        try uninstall()
        let removed = try caller.waitForObject("InterfacesRemoved")
        #expect(removed.last == .strings(interfaces.map(\.0)))
        #expect(try caller.refusal("ReadAll").shortName == "UnknownObject")
        #expect(try caller.managed() == [])
        try within(.seconds(20), "the document") {
            session.folder.read(WorldClock.document)?.contains("\"seconds\": true") == true
        }
        // It comes again, and so does what was set.
        try session.install()
        try within(.seconds(20), "the object") { try caller.managed().count == 1 }
        #expect(try caller.read("seconds") == .boolean(true))
        #expect(try caller.revision() == 1)
    }

    @Test func aCallRightBehindTheInstallationFindsTheObject() throws {
        for number in 0..<10 {
            let id = "org.example.App\(number)"
            let path = SettingsNames.path(ofApplication: id)
            if number.isMultiple(of: 2) {
                // Who was told what is wrong with a file may mend it and try again.
                try session.install("{}", as: id)
                let call = try Caller.message("ReadAll", path: path)
                #expect(throws: BusError.self) { try caller.connection.callAndWait(call, timeout: .seconds(20)) }
            }
            try session.install(as: id)
            #expect(try caller.ask("ReadAll", path: path).first == .uint64(0))
            try caller.waitForObject("InterfacesAdded", path)
        }
        try caller.waitForProblems { $0 == [] }
    }

    @Test func whatIsUnderWayWhenTheSchemaGoesIsFinishedFirst() throws {
        try session.install()
        try caller.waitForObject("InterfacesAdded")
        var acknowledged: UInt64 = 0
        var answers = 0
        for hour in 0..<200 {
            let values = Value.variants([("meeting.start", .int64(Int64(hour % 24)))])
            caller.connection.call(try Caller.message("Write", [values, .variants([])], path: WorldClock.path)) { answer in
                answers += 1
                acknowledged = max(acknowledged, (try? answer.get().body().first?.uint64) ?? 0)
            }
            if hour == 100 { try uninstall() }
        }
        try caller.wait("all answers") { answers == 200 }
        try caller.waitForObject("InterfacesRemoved")
        try within(.seconds(20), "revision \(acknowledged) in the document") {
            session.folder.read(WorldClock.document)?.contains("\"revision\": \(acknowledged),") == true
        }
    }

    @Test func anUpgradeKeepsWhatTheNewSchemaTakesAndTellsWhatIsDifferent() throws {
        try begin()
        try session.install(
            WorldClock.schema(#""alarm": { "type": "string", "default": "bell", "description": "Sound" },"#, latest: 12))
        try caller.waitForObject("InterfacesRemoved")
        try caller.wait("the change") { caller.events.contains { $0.change?.origin == .layer } }
        let change = try #require(caller.events.compactMap(\.change).last)
        #expect(change.values == ["meeting.start": .integer(8), "alarm": "bell"])
        #expect(change.previous == ["meeting.start": .integer(20)])
        #expect(change.revision == 2 && change.actions == [])
        #expect(try caller.introspection().contains("<property name=\"Alarm\" type=\"s\""))
        #expect(try caller.read("zones") == .strings(["UTC"]))
        // The text stays, and says what is wrong with it, until the setting is set.
        try caller.waitForProblems(of: WorldClock.path) { $0.count == 1 && $0[0].contains("meeting.start") }
        #expect(session.folder.read(WorldClock.document)?.contains("\"start\": 20") == true)
        try caller.write([("alarm", .string("gong"))])
        try within(.seconds(20), "the document") { session.folder.read(WorldClock.document)?.contains("gong") == true }
        #expect(session.folder.read(WorldClock.document)?.contains("\"start\": 20") == true)
        // The old one takes it again.
        try session.install()
        try within(.seconds(20), "the old value") { try caller.read("meeting.start") == .int64(20) }
        try caller.waitForProblems(of: WorldClock.path) { $0 == [] }
        #expect(session.folder.read(WorldClock.document)?.contains("gong") == true)
    }

    @Test func aSettingThatIsRenamedKeepsItsValue() throws {
        try begin()
        let renamed = WorldClock.schema().replacingOccurrences(
            of: #""start": { "type": "integer","#, with: #""first-hour": { "renamedFrom": ["meeting.start"], "type": "integer","#
        ).replacingOccurrences(of: "meeting.start", with: "meeting.first-hour").replacingOccurrences(
            of: #"["meeting.first-hour"]"#, with: #"["meeting.start"]"#)
        try session.install(renamed)
        try within(.seconds(20), "the new key") { (try? caller.read("meeting.first-hour")) == .int64(20) }
        #expect(try caller.property("MeetingFirstHour", WorldClock.settings) == .int64(20))
        try caller.write([("seconds", .boolean(true))])
        try within(.seconds(20), "the document") {
            session.folder.read(WorldClock.document)?.contains("\"first-hour\": 20") == true
        }
        #expect(session.folder.read(WorldClock.document)?.contains("\"start\"") == false)
        // What was changed under the old name can still be undone.
        try caller.ask("Undo", [], WorldClock.actions)
        try caller.ask("Undo", [], WorldClock.actions)
        #expect(try caller.read("meeting.first-hour") == .int64(8))
    }

    @Test func whatWasOnlyInTheJournalWhenTheDaemonWasKilledIsKeptThroughAnUpgrade() throws {
        try begin()
        // The document is not to follow.
        let document = session.folder.path(WorldClock.document)
        let text = try #require(session.folder.read(WorldClock.document))
        try caller.write([("meeting.start", .int64(21)), ("scale", .double(2))])
        try daemon.end(SIGKILL)
        try session.folder.write(text, to: WorldClock.document)
        try session.install(WorldClock.schema(latest: 12).replacingOccurrences(of: "scale", with: "size"))
        let next = try session.startDaemon()
        let again = try Caller(session, application: WorldClock.id, keeping: next)
        #expect(try again.read("meeting.start") == .int64(8))
        try again.write([("seconds", .boolean(true))])
        try within(.seconds(20), "the document") { session.folder.read(WorldClock.document)?.contains("\"seconds\"") == true }
        let kept = try String(contentsOfFile: document, encoding: .utf8)
        #expect(kept.contains("\"start\": 21") && kept.contains("\"scale\": 2"))
    }

    @Test func aSchemaThatBreaksLeavesTheLastGoodOneAndIsNamedWithItsPosition() throws {
        try begin()
        let before = session.folder.read(WorldClock.document)
        let broken = WorldClock.schema().replacingOccurrences(of: "\"minimum\": 0.5,", with: "\"minimun\": 0.5,")
        let file = try session.install(broken)
        try caller.waitForProblems { $0.count == 1 }
        let problem = try #require(
            try caller.ask(
                "Get", [.string(SettingsNames.interface.rawValue), .string("Problems")], .properties, path: SettingsNames.path
            ).first?.unwrapped.strings?.first)
        #expect(problem.hasPrefix("\(file), line "))
        #expect(problem.contains("column") && problem.contains("minimum"))
        #expect(try caller.property("Problems") == .strings([]))
        #expect(try caller.write([("seconds", .boolean(true))]) == 2)
        #expect(session.folder.read(WorldClock.document) != nil && before != nil)
        try session.install()
        try caller.waitForProblems { $0 == [] }
    }

    @Test func aSchemaThatIsBrokenAtTheStartTouchesNothingAndSaysWhyThereIsNoObject() throws {
        try begin()
        try daemon.end()
        let (document, journal) = (session.folder.read(WorldClock.document), session.folder.read(WorldClock.journal))
        let file = try session.install("{ \"type\": \"object\",\n  \"properties\": { \"Zones\": 1 } }")
        let next = try session.startDaemon()
        let again = try Caller(session, application: WorldClock.id, keeping: next)
        // Nobody has looked at it yet.
        try again.waitForProblems { $0 == [] }
        let error = try again.refusal("ReadAll")
        #expect(error.shortName == "UnknownObject")
        #expect(error.message.contains("\(file), line 2, column 19"))
        try again.waitForProblems { $0.count == 1 && $0[0].contains("line 2, column 19") }
        #expect(session.folder.read(WorldClock.document) == document)
        #expect(session.folder.read(WorldClock.journal) == journal)
        try again.listen()
        try session.install()
        try again.waitForObject("InterfacesAdded")
        #expect(try again.read("meeting.start") == .int64(20))
        try again.waitForProblems { $0 == [] }
    }

    @Test func theUsersFolderWinsOverTheMachines() throws {
        try session.install(WorldClock.schema(latest: 12), in: TestSession.sharedSchemas)
        try caller.waitForObject("InterfacesAdded")
        func maximum() throws -> SettingValue? {
            let described = try caller.ask("Describe", [.strings(["meeting.start"])]).last?.named?.first
            return described.flatMap { SettingDescription($0.1)?.rule.maximum }
        }
        #expect(try maximum() == .integer(12))
        try session.install(WorldClock.schema(latest: 20))
        try within(.seconds(20), "the user's schema") { try maximum() == .integer(20) }
        try uninstall()
        try within(.seconds(20), "the machine's schema") { try maximum() == .integer(12) }
        try uninstall("\(TestSession.sharedSchemas)/\(WorldClock.id).json")
        try within(.seconds(20), "none") { try caller.managed() == [] }
    }

    @Test func aFolderThatIsNoSchemaFolderYetIsFollowed() throws {
        // The whole way to it is missing.
        #expect(session.folder.read("share/settingsd/schemas") == nil)
        try session.install(in: TestSession.sharedSchemas)
        try caller.waitForObject("InterfacesAdded")
        try FileManager.default.removeItem(atPath: session.folder.path("share/settingsd"))
        try caller.waitForObject("InterfacesRemoved")
    }

    @Test func filesThatAreNoSchemasAreNamedAndHarmNothing() throws {
        try session.install(as: "org.example.Good")
        let folder = try session.folder.folder(TestSession.userSchemas)
        #expect(mkfifo("\(folder)/org.example.Fifo.json", 0o600) == 0)
        try session.folder.folder("\(TestSession.userSchemas)/org.example.Folder.json")
        let large = open("\(folder)/org.example.Large.json", O_WRONLY | O_CREAT, 0o600)
        #expect(large >= 0 && ftruncate(large, 100 << 20) == 0)
        close(large)
        try session.install("{ \"type\": }", as: "org.example.Syntax")
        try session.install(as: "noid")
        try session.install("", as: "org.example.Empty")
        try session.install(as: "org.settingsd.Settings1.Own")
        symlink("/nowhere", "\(folder)/org.example.Dangling.json")
        try session.install(String(repeating: "{\"a\": ", count: 10_000), as: "org.example.Deep")
        try session.install(String(repeating: "[", count: 100_000), as: "org.example.Deeper")
        let bad =
            ["Fifo", "Folder", "Large", "Syntax", "Empty", "Dangling", "Deep", "Deeper"].map { "org.example.\($0)" } + [
                "noid", "org.settingsd.Settings1.Own",
            ]
        try caller.waitForProblems { problems in
            bad.allSatisfy { name in problems.contains { $0.contains("\(folder)/\(name).json") } } && problems.count == bad.count
        }
        try caller.waitForProblems { $0.contains { $0.contains("org.example.Syntax.json, line 1, column 11") } }
        #expect(try caller.managed() == [SettingsNames.path(ofApplication: "org.example.Good").rawValue])
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst().first
        #expect(peak.flatMap { Int($0) } ?? .max < 64 << 10, "The daemon has read the large file.")
        for name in bad { try FileManager.default.removeItem(atPath: "\(folder)/\(name).json") }
        try caller.waitForProblems { $0 == [] }
    }

    @Test func theLongestIdThatIsTakenHasItsFilesAndALongerOneIsNamed() throws {
        let id = "org.example." + String(repeating: "a", count: 168)
        try session.install(as: id)
        try session.install(as: id + "a")
        try caller.waitForProblems { $0.count == 1 && $0[0].contains("the id has 181 bytes; at most 180 are allowed") }
        let long = try Caller(session, application: id)
        #expect(try long.write([("seconds", .boolean(true))]) == 1)
        #expect(try long.write([("seconds", .boolean(false))]) == 2)
        try within(.seconds(20), "the document") {
            session.folder.read("home/.config/settingsd/apps/\(id).json")?.contains("\"seconds\": false") == true
        }
    }

    @Test func aSchemaThatIsHardOnTheDaemonIsServedLikeAnyOther() throws {
        let choices = (0..<50_000).map { "\"\($0)\"" }.joined(separator: ",")
        let schema = """
            {"type": "object", "properties": {
              "choice": {"type": "string", "default": "0", "enum": [\(choices)]},
              "pattern": {"type": "string", "default": "", "pattern": "^((a+)+)?$"}}}
            """
        try session.install(schema)
        #expect(try caller.write([("choice", .string("49999")), ("pattern", .string("aaa"))]) == 1)
        // A match that would take until the end of the world is given up.
        let endless = Value.variants([("pattern", .string(String(repeating: "a", count: 100) + "!"))])
        #expect(try caller.refusal("Write", [endless, .variants([])]).message.contains("too many steps"))
        let unknown = Value.variants([("choice", .string("fifty thousand"))])
        #expect(try caller.refusal("Write", [unknown, .variants([])]).message.utf8.count < 1000)
        #expect(try caller.introspection().utf8.count < 100_000)
        #expect(try caller.values() == ["choice": "49999", "pattern": "aaa"])
        #expect(try caller.ask("Describe", [.strings(["choice"])]).first == .uint64(1))
    }

    @Test func reloadAtTheDaemonsOwnObjectReadsSchemasAgain() throws {
        try begin()
        // A link's target is in no folder that is followed.
        let elsewhere = try session.folder.write(WorldClock.schema(latest: 21), to: "elsewhere/schema.json")
        try uninstall()
        try caller.waitForObject("InterfacesRemoved")
        symlink(elsewhere, session.folder.path(userFile))
        try within(.seconds(20), "the object") { try caller.managed().count == 1 }
        try session.folder.write(WorldClock.schema(latest: 12), to: "elsewhere/schema.json")
        try caller.ask("Reload", path: SettingsNames.path)
        try within(.seconds(20), "the new schema") { try caller.read("meeting.start") == .int64(8) }
    }
}
