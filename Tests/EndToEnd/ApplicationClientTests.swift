import DBus
import EventLoop
import Foundation
import SettingsClient
import SettingsModel
import Synchronization
import TestSupport
import Testing

/// The settings of an application through the client library.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ApplicationClientTests {
    struct Clock: Codable, Hashable {
        struct Meeting: Codable, Hashable { var start: Int }
        struct Alarm: Codable, Hashable {
            var id: String?
            var name: String
            var on: Bool?
        }
        var zones: [String]
        var meeting: Meeting
        var scale: Double
        var seconds: Bool
        var alarms: [Alarm]
    }

    let session: TestSession
    let daemon: RunningProcess
    let client: ApplicationClient

    init() throws {
        session = try TestSession()
        try session.install()
        daemon = try session.startDaemon()
        client = try ApplicationClient.connectAndWait(
            to: WorldClock.id, address: session.bus.address, timeout: .seconds(20))
    }

    private func other() async throws -> ApplicationClient {
        try await SettingsClient.connect(application: WorldClock.id, address: session.bus.address, timeout: .seconds(20))
    }

    @Test func valuesAreTypesOfTheProgram() async throws {
        #expect(client.revision == 0)
        #expect(client["meeting.start"] == .integer(8))
        #expect(try client.value(of: "zones") == [String]())
        try await client.set("zones", to: ["Asia/Tokyo"])
        try await client.set("scale", to: 2)
        try await client.set("alarms", to: [Clock.Alarm(name: "tea", on: true)])
        #expect(client["scale"] == .number(2))
        #expect(try client.value(of: "alarms") == [Clock.Alarm(name: "tea", on: true)])
        try await client.set("alarms", to: [Clock.Alarm]())
        #expect(client["alarms"] == .list(element: .record, []))
        #expect(
            try client.settings(as: Clock.self)
                == Clock(zones: ["Asia/Tokyo"], meeting: .init(start: 8), scale: 2, seconds: false, alarms: []))
        try await client.insert("Europe/Rome", into: "zones")
        try await client.remove("Asia/Tokyo", from: "zones")
        try await client.insert(Clock.Alarm(name: "soup"), into: "alarms")
        #expect(try client.value(of: "zones") == ["Europe/Rome"])
        #expect(try client.value(of: "alarms") == [Clock.Alarm(name: "soup")])
        try await client.reset("zones", "alarms")
        #expect(client["zones"] == .strings([]))
        // The user's own settings have nothing to do with it.
        #expect(try session.client().revision == 0)
    }

    @Test func actionsGoByNameWithTypedArguments() async throws {
        struct AddZoneAt: Encodable {
            var zone: String
            var at: Int
        }
        struct SetMeeting: Encodable { var hour: Int? }
        try await client.dispatch("AddZone", ["zone": "Asia/Tokyo"])
        try await client.dispatch("AddZoneAt", encoding: AddZoneAt(zone: "Europe/Rome", at: 0))
        #expect(try client.value(of: "zones") == ["Europe/Rome", "Asia/Tokyo"])
        try await client.dispatch("SetMeeting", encoding: SetMeeting(hour: 9))
        let revision = try await client.dispatch("SetMeeting", encoding: SetMeeting())
        #expect(revision == 3)
        try await client.dispatch([Action("ToggleSeconds"), Action("AddAlarm", ["name": "tea"])])
        let clock = try client.settings(as: Clock.self)
        #expect(clock.seconds && clock.alarms.map(\.name) == ["tea"] && clock.alarms[0].id != nil)
        #expect(try await client.preview(Action("Grow", ["by": .number(1)])) == ["scale": .number(2)])
        try await client.dispatch([.undo])
        #expect(client["seconds"] == .boolean(false))
        #expect(try client.dispatchAndWait(.resetAll) == 6)
        #expect(try client.dispatchAndWait([Action("ToggleSeconds"), Action("AddZone", ["zone": "Asia/Tokyo"])]) == 7)
    }

    @Test func refusalsAreTypedAndNothingIsChanged() async throws {
        func refusal(_ body: () async throws -> Void) async -> ClientError.Kind? {
            await #expect(throws: ClientError.self) { try await body() }?.kind
        }
        #expect(await refusal { try await client.dispatch("AddZon", [:]) } == .refused(.unknownAction))
        #expect(await refusal { try await client.dispatch("AddZone") } == .refused(.invalidArgument))
        #expect(await refusal { try await client.set("meeting.start", to: 24) } == .refused(.invalidValue))
        #expect(await refusal { try await client.set("meeting.start", to: "nine") } == .refused(.invalidValue))
        #expect(await refusal { try await client.set("meeting.strat", to: 9) } == .refused(.unknownKey))
        #expect(await refusal { try await client.set("meeting.start", to: UInt64.max) } == .mismatch)
        #expect(await refusal { _ = try client.value(of: "zones", as: Int.self) } == .mismatch)
        #expect(
            await refusal { try await client.dispatch("ToggleSeconds", expecting: 7) } == .refused(.conflict))
        let error = #expect(throws: ClientError.self) { try client.values(of: "meeting.strat") }
        #expect(error?.message.contains("\"meeting.start\"") == true)
        #expect(client.revision == 0)
    }

    @Test func whereAValueComesFromIsAsked() async throws {
        let layer = "etc/settingsd/apps/\(WorldClock.id).json"
        try session.folder.write(#"{ "meeting": { "start": 9 }, "locked": ["meeting.start"] }"#, to: layer)
        try eventually("the layer") { client["meeting.start"] == .integer(9) }
        let described = try await client.describe("meeting.start").settings.first?.description
        #expect(described?.isLocked == true)
        #expect(described?.sourceFile == session.folder.path(layer))
        #expect(try client.describeAndWait().settings.map(\.key).contains("zones"))
        let error = await #expect(throws: ClientError.self) { try await client.describe("meeting.strat") }
        #expect(error?.kind == .refused(.unknownKey))
        #expect(try await client.status().files["document"] == session.folder.path(WorldClock.document))
        #expect(try client.statusAndWait().problems == [])
        #expect(try client.previewAndWait(Action("AddZone", ["zone": "Asia/Tokyo"])) == ["zones": .strings(["Asia/Tokyo"])])
    }

    @Test func whoIsNotInstalledHasNoSettings() async throws {
        for application in ["org.example.Nobody", "", ":1.7", "no id"] {
            let error = await #expect(throws: ClientError.self) {
                try await ApplicationClient.connect(to: application, address: session.bus.address)
            }
            #expect(error?.kind == .bus(.unknownObject))
            guard application == "org.example.Nobody" else { continue }
            let places = ["home/.local/share", "share"].map { session.folder.path("\($0)/settingsd/schemas") }
            let words = "there is no org.example.Nobody.json in \(places.joined(separator: ", ")); `settingsctl check FILE`"
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test func anUpdateStartsAnewFromWhatSomebodyElseHasWritten() async throws {
        let other = try await other()
        let attempts = Atomic(0)
        try await client.update(as: Clock.self) { clock in
            if attempts.wrappingAdd(1, ordering: .relaxed).newValue == 1 {
                #expect(throws: Never.self) {
                    try other.dispatchAndWait(Action("AddZone", ["zone": "Asia/Tokyo"]))
                }
            }
            clock.zones.append("Europe/Rome")
            clock.meeting.start += 1
        }
        #expect(attempts.load(ordering: .relaxed) == 2)
        #expect(try client.value(of: "zones") == ["Asia/Tokyo", "Europe/Rome"])
        #expect(client.revision == 2)
        #expect(try await client.update(as: Clock.self) { $0.zones = $0.zones } == 2)
        try await client.update { draft in
            try draft.set("meeting.start", to: draft.value(of: "meeting.start", as: Int.self) + 1)
            draft["zones"] = nil
        }
        #expect(client["meeting.start"] == .integer(10))
        let error = await #expect(throws: ClientError.self) {
            try await client.update { draft in try draft.set("zones", to: [1, nil]) }
        }
        #expect(error?.kind == .mismatch)
    }

    @Test func changesFollowAndSurviveTheDaemon() throws {
        let reader = ClientReader(client)
        let hours = try ClientReader(client.values(of: "meeting.start"), on: client.loop)
        try reader.wait("the snapshot") { $0 == ["snapshot 0"] }
        try client.dispatchAndWait(Action("SetMeeting", ["hour": .integer(9)]), Action("Ring"))
        try reader.wait("the transaction") { $0 == ["snapshot 0", "changed 1", "SetMeeting", "Ring"] }
        try daemon.end(SIGKILL)
        try reader.wait("the loss") { $0.last?.contains("NoDaemon") == true }
        #expect(client["meeting.start"] == .integer(9))
        let again = try session.startDaemon()
        try reader.wait("the return") { $0.last == "snapshot 1" }
        try client.dispatchAndWait(Action("SetMeeting", ["hour": .integer(10)]))
        try eventually("the hours") { hours.elements == [.integer(8), .integer(9), .integer(10)] }
        _ = again
    }

    @Test func aSchemaThatGoesAndComesBackIsNoticed() throws {
        try client.dispatchAndWait(Action("SetMeeting", ["hour": .integer(9)]))
        let file = try session.install()
        try FileManager.default.removeItem(atPath: file)
        try eventually("the loss") { client.loss?.kind == .bus(.unknownObject) }
        #expect(client["meeting.start"] == .integer(9))
        try session.install(WorldClock.schema("\"added\": { \"type\": \"boolean\", \"default\": true },"))
        try eventually("the new setting") { client["added"] == .boolean(true) && client.loss == nil }
        #expect(client["meeting.start"] == .integer(9))
        try client.dispatchAndWait(Action("SetMeeting", ["hour": .integer(10)]))
        #expect(client["meeting.start"] == .integer(10))
    }

    @Test func aUserInterfaceShowsAndWritesTypes() throws {
        let loop = try EventLoop()
        let settings = ObservableApplication(client) { work in loop.post(work) }
        func wait(_ what: String, _ condition: () -> Bool) throws {
            guard loop.run(until: condition, timeout: .seconds(20)) else { throw TestFailure("Not within 20 s: \(what).") }
        }
        final class Shown { var hours: [Int] = [] }
        let shown = Shown()
        settings.observe { settings in
            #expect(throws: Never.self) { shown.hours.append(try settings.value(of: "meeting.start")) }
        }
        try settings.set("meeting.start", to: 9)
        #expect(shown.hours == [8, 9])
        try settings.update(as: Clock.self) { $0.zones.append("Asia/Tokyo") }
        #expect(try settings.settings(as: Clock.self).zones == ["Asia/Tokyo"])
        try wait("the changes") { client.revision == 2 }
        try settings.set("meeting.start", to: 24)
        try wait("the refusal") { settings.error?.kind == .refused(.invalidValue) }
        #expect(shown.hours == [8, 9, 24, 9])
        settings.dispatch("ToggleSeconds")
        try wait("the action") { settings["seconds"] == .boolean(true) }
    }

    @Test func theExampleOfTheArticleLivesWithItsSettings() throws {
        let zones = try RunningProcess(
            "stdbuf", ["-oL", Products.path("Zones"), "Asia/Tokyo", "no zone"], environment: session.environment)
        try zones.waitForOutput("refused: ")
        try zones.waitForOutput("Asia/Tokyo from 8:00\nmeetings begin at 8:00\n")
        try client.dispatchAndWait(Action("SetMeeting", ["hour": .integer(10)]))
        try zones.waitForOutput("meetings begin at 10:00\n")
    }

    @Test func theExampleOfTheArticleSaysWhatToDoWithoutItsSchema() throws {
        let session = try TestSession()
        let daemon = try session.startDaemon()
        let zones = try RunningProcess(Products.path("Zones"), [], environment: session.environment).result()
        #expect(zones.status == .exited(0))
        #expect(zones.stdout.hasPrefix("no settings: "), "\(zones)")
        #expect(zones.stdout.contains("there is no org.example.WorldClock.json in /"), "\(zones)")
        _ = daemon
    }
}
