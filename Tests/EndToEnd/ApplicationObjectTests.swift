import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// The object of an application can do all that the daemon's own can.
@Suite(.logsOnFailure) struct ApplicationObjectTests {
    let session: TestSession
    let daemon: RunningProcess
    let caller: Caller

    init() throws {
        session = try TestSession()
        try session.install()
        daemon = try session.startDaemon()
        caller = try Caller(session, application: WorldClock.id)
        try caller.listen()
    }

    private static func dispatch(_ actions: Action...) -> [Value] { [actions.wire, .variants([])] }

    @Test func itsMembersAreTypedAndDocumented() throws {
        let xml = try caller.introspection()
        #expect(xml.contains("<property name=\"Zones\" type=\"as\" access=\"readwrite\"/>"))
        #expect(xml.contains("<property name=\"MeetingStart\" type=\"x\" access=\"readwrite\"/>"))
        #expect(xml.contains("<property name=\"Alarms\" type=\"aa{sv}\" access=\"readwrite\"/>"))
        #expect(xml.contains("Selected time zones (setting zones)."))
        #expect(xml.contains("<!-- Selects a time zone. -->") || xml.contains("Selects a time zone."))
        let method = try #require(xml.firstRange(of: "<method name=\"AddZone\">"))
        #expect(xml[method.upperBound...].prefix(200).contains("<arg name=\"zone\" type=\"s\" direction=\"in\"/>"))
        #expect(try caller.introspection(SettingsNames.applicationsPath).contains("<node name=\"org_2eexample_2eWorldClock\"/>"))
        #expect(try caller.introspection(SettingsNames.path).contains("<node name=\"apps\"/>"))
        #expect(try caller.introspection(SettingsNames.path).contains("org.freedesktop.DBus.ObjectManager"))
        #expect(try caller.managed() == [WorldClock.path.rawValue])
    }

    @Test func everyMemberOfTheDaemonsOwnObjectWorksOnIt() throws {
        #expect(try caller.values()["meeting.start"] == .integer(8))
        #expect(try caller.write([("meeting.start", .int64(9))]) == 1)
        #expect(try caller.read("meeting.start") == .int64(9))
        #expect(
            try caller.refusal("Write", [.variants([("meeting.start", .int64(24))]), .variants([])]).shortName == "InvalidValue")
        #expect(
            try caller.refusal("Write", [.variants([("meeting.start", .string("9"))]), .variants([])]).shortName == "InvalidValue"
        )
        #expect(try caller.refusal("Read", [.string("meeting.strat")]).message.contains("\"meeting.start\""))
        let preview = try caller.ask("Preview", [[Action("AddZone", ["zone": "Asia/Tokyo"])].wire])
        #expect(preview.first?.settings == ["zones": .strings(["Asia/Tokyo"])])
        #expect(try caller.revision() == 1)
        let described = try caller.ask("Describe", [.strings(["meeting.start"])]).last?.named?.first
        let description = try #require(described.flatMap { SettingDescription($0.1) })
        #expect(description.rule.type == "x" && description.source == "user" && description.rule.maximum == .integer(23))
        let actions = try #require(try caller.ask("ListActions").first?.named).map(\.0)
        #expect(actions.starts(with: ActionDeclaration.common.map(\.name)) && actions.contains("AddZone"))
        #expect(try caller.ask("Reset", [.strings(["meeting.start"]), .variants([])]) == [.uint64(2)])
        #expect(try caller.ask("Reload") == [])
        let conflict = try caller.refusal(
            "Write", [.variants([("seconds", .boolean(true))]), .variants([("expected_revision", .uint64(1))])])
        #expect(conflict.shortName == "Conflict")
        let changes = try #require(ChangesAnswer(try caller.ask("ChangesSince", [.uint64(0)])))
        #expect(
            changes.isComplete
                && changes.changes.map(\.values) == [["meeting.start": .integer(9)], ["meeting.start": .integer(8)]])
        let set: [Value] = [.string(WorldClock.settings.rawValue), .string("Scale"), .variant(.double(2))]
        #expect(try caller.ask("Set", set, .properties) == [])
        #expect(try caller.property("Scale", WorldClock.settings) == .double(2))
        #expect(try caller.property("Version") == .string(SettingsVersion.current))
        // The daemon's own settings have nothing to do with it.
        #expect(try Caller(session).revision() == 0)
    }

    @Test func aTransactionIsAnnouncedAtItsPathInTheFixedOrder() throws {
        let root = try Caller(session)
        root.connection.subscribe(MatchRule(sender: SettingsNames.busName, path: SettingsNames.path)) { signal in
            Issue.record("The daemon's own object has sent \(signal.member ?? "").")
        }
        try root.ask("Ping", [], .peer)
        let events = try caller.record(
            "Dispatch", Self.dispatch(Action("AddZone", ["zone": "Asia/Tokyo"]), Action("ToggleSeconds")))
        #expect(
            events.map(\.name) == ["reply", "Changed", "PropertiesChanged", "ActionDispatched", "ActionDispatched"])
        let change = try #require(events[1].change)
        #expect(change.values == ["zones": .strings(["Asia/Tokyo"]), "seconds": .boolean(true)])
        #expect(change.previous == ["zones": .strings([]), "seconds": .boolean(false)])
        #expect(change.actions == ["AddZone", "ToggleSeconds"])
        #expect(
            events[2].arguments == [
                .string(WorldClock.settings.rawValue),
                .variants([("Zones", .strings(["Asia/Tokyo"])), ("Seconds", .boolean(true))]),
                .strings([]),
            ])
        #expect(events[3].arguments == [.string("AddZone"), .variants([("zone", .string("Asia/Tokyo"))]), .uint64(1)])
        // It is there already, and each may be there once.
        #expect(try caller.record("AddZone", [.string("Asia/Tokyo")], WorldClock.actions).map(\.name) == ["reply"])
        #expect(try caller.record("Ring", [], WorldClock.actions).map(\.name) == ["reply", "ActionDispatched"])
        try root.ask("Ping", [], .peer)
    }

    @Test func everyKindOfEditWorksThroughDispatchAndThroughItsTypedMethod() throws {
        func zones() throws -> [String]? { try caller.read("zones")?.strings }
        try caller.dispatch([Action("AddZone", ["zone": "Asia/Tokyo"]), Action("AddZoneAt", ["zone": "UTC", "at": .integer(0)])])
        #expect(try zones() == ["UTC", "Asia/Tokyo"])
        try caller.ask("AddZone", [.string("Europe/Berlin")], WorldClock.actions)
        try caller.ask("AddZoneAt", [.string("Asia/Seoul"), .int64(1)], WorldClock.actions)
        try caller.ask("DropZone", [.string("UTC")], WorldClock.actions)
        #expect(try zones() == ["Asia/Seoul", "Asia/Tokyo", "Europe/Berlin"])
        try caller.dispatch([
            Action("InsertValue", ["key": "zones", "value": "UTC"]),
            Action("RemoveValue", ["key": "zones", "value": "Asia/Seoul"]),
        ])
        try caller.ask("InsertValue", [.string("zones"), .variant(.string("Asia/Kolkata"))], WorldClock.actions)
        try caller.ask("RemoveValue", [.string("zones"), .variant(.string("UTC"))], WorldClock.actions)
        #expect(try zones() == ["Asia/Tokyo", "Europe/Berlin", "Asia/Kolkata"])

        try caller.ask("SetMeeting", [.variants([("hour", .int64(10))])], WorldClock.actions)
        try caller.ask("SetMeeting", [.variants([])], WorldClock.actions)
        try caller.ask("ToggleSeconds", [], WorldClock.actions)
        try caller.ask("Grow", [.double(0.5)], WorldClock.actions)
        let values = try caller.values()
        #expect(values["meeting.start"] == .integer(10) && values["seconds"] == .boolean(true) && values["scale"] == .number(1.5))

        try caller.dispatch([Action("AddAlarm", ["name": "tea"]), Action("AddAlarm", ["name": "bus"])])
        try caller.ask("ToggleAlarm", [.string("tea")], WorldClock.actions)
        try caller.ask("RenameAlarm", [.string("tea"), .string("coffee")], WorldClock.actions)
        let alarms = try #require(try caller.values()["alarms"]?.items).compactMap(\.record)
        #expect(alarms.map { $0["name"] } == ["bus", "coffee"])
        #expect(alarms[1]["on"] == .boolean(true) && alarms[0]["on"] == nil)
        #expect(Set(alarms.compactMap { $0["id"] }).count == 2)
        try caller.ask("RemoveAlarm", [.string("bus")], WorldClock.actions)
        #expect(try caller.values()["alarms"]?.items?.count == 1)
        let error = try caller.refusal("ToggleAlarm", [.string("nobody")], WorldClock.actions)
        #expect(error.shortName == "InvalidArgument" && error.message.contains("nobody"))
        try caller.ask("Forget", [], WorldClock.actions)
        #expect(try zones() == [])
        try caller.ask("Undo", [], WorldClock.actions)
        #expect(try zones()?.count == 3)
        try caller.ask("Redo", [], WorldClock.actions)
        #expect(try zones() == [])
        try caller.ask("ResetAll", [], WorldClock.actions)
        #expect(try caller.values()["alarms"]?.items == [])
    }

    @Test func whatTwoClientsInsertAtOnceIsAllThere() throws {
        let other = try Caller(session, application: WorldClock.id, loop: caller.loop)
        var answers = 0
        for number in 0..<50 {
            let action = [Action("AddZone", ["zone": .string("Area/Zone\(number)")])].wire
            for client in number.isMultiple(of: 2) ? [caller] : [other] {
                client.connection.call(try Caller.message("Dispatch", [action, .variants([])], path: WorldClock.path)) { answer in
                    #expect(throws: Never.self) { try answer.get() }
                    answers += 1
                }
            }
        }
        try caller.wait("50 answers") { answers == 50 }
        #expect(try Set(caller.read("zones")?.strings ?? []) == Set((0..<50).map { "Area/Zone\($0)" }))
        #expect(try caller.revision() == 50)
    }

    @Test func itsFilesAreItsOwn() throws {
        try caller.write([("seconds", .boolean(true))])
        let files = try caller.property("Files")
        guard case .dictionary(_, _, let entries) = files else { throw TestFailure("Files is \(files).") }
        let paths = Dictionary(uniqueKeysWithValues: entries.map { ($0.key.string ?? "", $0.value.string ?? "") })
        #expect(paths["document"] == session.folder.path(WorldClock.document))
        #expect(paths["journal"] == session.folder.path(WorldClock.journal))
        #expect(paths["admin"] == session.folder.path("etc/settingsd/apps/\(WorldClock.id).json"))
        try within(.seconds(20), "the document") { session.folder.read(WorldClock.document) != nil }
        #expect(
            session.folder.read(WorldClock.document) == """
                {
                  "format": 1,
                  "revision": 1,
                  "seconds": true
                }

                """)
        #expect(session.folder.read(WorldClock.journal)?.contains("ActionDispatched") == false)
        for (name, mode) in [(WorldClock.document, 0o600), (WorldClock.journal, 0o600), ("home/.config/settingsd/apps", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: session.folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
        #expect(session.folder.read(TestSession.journal) == nil)
    }

    @Test func itHasLayersAndLocks() throws {
        try session.folder.write(
            #"{ "meeting": { "start": 6 }, "scale": 3, "locked": ["scale"] }"#, to: "etc/settingsd/apps/\(WorldClock.id).json")
        try session.folder.write(
            #"{ "meeting": { "start": 5 }, "seconds": true }"#, to: "share/settingsd/apps/\(WorldClock.id).json")
        try caller.wait("the layers") { caller.events.contains { $0.change?.values["seconds"] == .boolean(true) } }
        let values = try caller.values()
        #expect(values["meeting.start"] == .integer(6) && values["scale"] == .number(3))
        let error = try caller.refusal("Grow", [.double(1)], WorldClock.actions)
        #expect(error.shortName == "Locked" && error.message.contains("etc/settingsd/apps/\(WorldClock.id).json"))
        let described = try #require(try caller.ask("Describe", [.strings([])]).last?.named)
        let sources = described.compactMap { name, wire in SettingDescription(wire).map { "\(name) \($0.source)" } }
        #expect(sources == ["zones default", "meeting.start admin", "scale locked", "seconds vendor", "alarms default"])
    }

    @Test func anEditByHandIsATransaction() throws {
        try caller.write([("seconds", .boolean(true))])
        try session.folder.write(#"{ "zones": ["UTC"], "seconds": true, "note": "mine" }"#, to: WorldClock.document)
        try caller.wait("the edit") { caller.events.contains { $0.change?.origin == .file } }
        #expect(try caller.read("zones") == .strings(["UTC"]))
        try within(.seconds(20), "the document in normal form") {
            session.folder.read(WorldClock.document)?.contains("\"revision\": 2") == true
        }
        #expect(session.folder.read(WorldClock.document)?.contains("\"note\": \"mine\"") == true)
        try session.folder.write("{ \"zones\": [\"UTC\", }", to: WorldClock.document)
        try caller.waitForProblems(of: WorldClock.path) { $0.first?.contains("line 1, column") == true }
        #expect(try caller.refusal("ToggleSeconds", [], WorldClock.actions).shortName == "DocumentDamaged")
        #expect(
            try caller.ask(
                "Get", [.string(SettingsNames.interface.rawValue), .string("Problems")], .properties, path: SettingsNames.path
            ).first?.unwrapped == .strings([]))
        #expect(try Caller(session).write([("profile.name", .string("Ada"))]) == 1)
    }

    @Test func nothingAcknowledgedIsLostWhenTheDaemonIsKilled() throws {
        for hour in 1...20 { try caller.write([("meeting.start", .int64(Int64(hour)))]) }
        try caller.ask("AddZone", [.string("UTC")], WorldClock.actions)
        try daemon.end(SIGKILL)
        let next = try session.startDaemon()
        let again = try Caller(session, application: WorldClock.id, keeping: next)
        #expect(try again.revision() == 21)
        #expect(try again.read("meeting.start") == .int64(20))
        try again.ask("Undo", [], WorldClock.actions)
        #expect(try again.read("zones") == .strings([]))
        #expect(try ChangesAnswer(again.ask("ChangesSince", [.uint64(0)]))?.changes.count == 22)
    }

    @Test func aDispatchToItTakesTheSameCallsToTheKernelAsOneToTheDaemonsOwn() throws {
        let root = try Caller(session)
        try root.write([("profile.name", .string("0"))])
        try caller.write([("seconds", .boolean(true))])
        func cost(_ body: () throws -> Void) throws -> Int {
            let before = try Self.switches(of: daemon.pid)
            try body()
            return try Self.switches(of: daemon.pid) - before
        }
        let own = try cost { for number in 1...200 { try root.write([("profile.name", .string("\(number)"))]) } }
        let its = try cost { for number in 1...200 { try caller.write([("meeting.start", .int64(Int64(number % 24)))]) } }
        #expect(its < own * 5 / 4 + 100, "\(its) against \(own)")
    }

    /// How often the threads of a process have gone to sleep by themselves.
    private static func switches(of process: pid_t) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").reduce(0) { sum, task in
            let status = try String(contentsOfFile: "/proc/\(process)/task/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
