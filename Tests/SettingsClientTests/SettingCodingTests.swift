import SettingsModel
import Testing

@testable import SettingsClient

/// Types of a program's as settings' values, and back.
@Suite struct SettingCodingTests {
    enum Sound: String, Codable { case bell, gong }
    enum Level: Int, Codable {
        case low = 1
        case high = 3
    }

    struct Alarm: Codable, Hashable {
        var id: String
        var sound: Sound?
        var volume: Double
        var on: Bool
        var repeats: UInt8
    }

    struct Clock: Codable, Hashable {
        struct Meeting: Codable, Hashable {
            var start: Int
            var title: String?
        }
        var zones: [String]
        var meeting: Meeting
        var scale: Double
        var alarms: [Alarm]
    }

    private static let alarm = Alarm(id: "a", sound: .gong, volume: 0.5, on: true, repeats: 2)
    private static let record = SettingValue.record([
        "id": "a", "sound": "gong", "volume": .number(0.5), "on": .boolean(true), "repeats": .integer(2),
    ])
    private static let values: [String: SettingValue] = [
        "zones": .strings(["Asia/Tokyo"]), "meeting.start": .integer(8), "scale": .number(1),
        "alarms": .list(element: .record, [record]), "other.thing": .boolean(true),
    ]

    private func checkBothWays<Value: Codable & Equatable>(_ value: Value, _ setting: SettingValue) throws {
        #expect(try SettingValue(encoding: value, as: setting.type, for: "key") == setting)
        #expect(try setting.decoded(as: Value.self, for: "key") == value)
    }

    @Test func scalarsListsRecordsAndEnumerationsGoBothWays() throws {
        try checkBothWays("é", "é")
        try checkBothWays(true, .boolean(true))
        try checkBothWays(Int64.min, .integer(.min))
        try checkBothWays(UInt16(7), .integer(7))
        try checkBothWays(0.25, .number(0.25))
        try checkBothWays(Float(0.25), .number(0.25))
        try checkBothWays(Sound.gong, "gong")
        try checkBothWays(Level.high, .integer(3))
        try checkBothWays(["a", "b"], .strings(["a", "b"]))
        try checkBothWays(
            [[1], []], .list(element: .list(.integer), [.list(element: .integer, [.integer(1)]), .list(element: .integer, [])]))
        try checkBothWays(["x": 1, "y": 2], .record(["x": .integer(1), "y": .integer(2)]))
        try checkBothWays(Self.alarm, Self.record)
        try checkBothWays([Self.alarm], .list(element: .record, [Self.record]))
        try checkBothWays(Optional("a"), "a")
    }

    @Test func anOptionalThatIsNilIsAFieldThatIsNotThere() throws {
        var alarm = Self.alarm
        alarm.sound = nil
        var fields = try #require(Self.record.record)
        fields["sound"] = nil
        try checkBothWays(alarm, .record(fields))
    }

    @Test func theSettingsTypeDecidesWhatTheValueLeavesOpen() throws {
        #expect(try SettingValue(encoding: [Double](), as: .list(.number), for: "k") == .list(element: .number, []))
        #expect(try SettingValue(encoding: [Alarm](), as: .list(.record), for: "k") == .list(element: .record, []))
        #expect(try SettingValue(encoding: 2, as: .number, for: "k") == .number(2))
        #expect(
            try SettingValue(encoding: [1, 2], as: .list(.number), for: "k") == .list(element: .number, [.number(1), .number(2)]))
        #expect(try SettingValue(encoding: 2, as: nil, for: "k") == .integer(2))
        #expect(try SettingValue.integer(2).decoded(as: Double.self, for: "k") == 2)
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch let error as ClientError {
            return error.kind == .mismatch ? error.message : "\(error)"
        } catch {
            return "\(error)"
        }
    }

    @Test func anErrorNamesTheKeyAndTheField() {
        func reading<Value: Decodable>(_ type: Value.Type, _ value: SettingValue) -> String {
            message { _ = try value.decoded(as: type, for: "alarms") }
        }
        var record = Self.record.record ?? [:]
        record["on"] = "yes"
        #expect(
            reading([Alarm].self, .list(element: .record, [Self.record, .record(record)]))
                == "alarms[1].on: is the text \"yes\", where the program reads true or false")
        record["on"] = nil
        #expect(reading([Alarm].self, .list(element: .record, [.record(record)])) == "alarms[0].on: is not there")
        #expect(
            reading(UInt8.self, .integer(256))
                == "alarms: is the whole number 256, where the program reads a whole number from 0 to 255")
        #expect(reading([String].self, "x") == "alarms: is the text \"x\", where the program reads a list")
        #expect(reading(Alarm.self, .boolean(true)) == "alarms: is true, where the program reads named values")
        #expect(reading(Sound.self, "horn").hasPrefix("alarms: "))
        func writing<Value: Encodable>(_ value: Value) -> String {
            message { _ = try SettingValue(encoding: value, as: nil, for: "alarms") }
        }
        #expect(writing(UInt64.max) == "alarms: is 18446744073709551615, which no setting can hold")
        #expect(writing(["a": [1, nil]]) == "alarms.a[1]: is nothing, which no list can hold")
        #expect(writing(Int?.none) == "alarms: is nothing; reset the setting instead")
    }

    @Test func aStructureStandsForAllSettings() throws {
        let clock = try Sections(Self.values).decoded(as: Clock.self)
        #expect(clock == Clock(zones: ["Asia/Tokyo"], meeting: .init(start: 8), scale: 1, alarms: [Self.alarm]))
        let parts = try Parts(of: clock, types: Self.values.mapValues(\.type)).values
        #expect(parts == Self.values.filter { $0.key != "other.thing" })
        #expect(
            message { _ = try Sections(["zones": .strings([]), "meeting.start": "8"]).decoded(as: Clock.self) }
                == "meeting.start: is the text \"8\", where the program reads \(Int.words)")
        #expect(message { _ = try Sections([:]).decoded(as: Clock.self) } == "zones: is not there")
    }

    @Test func aDraftWritesOnlyWhatDiffers() throws {
        var draft = ApplicationDraft(SettingsSnapshot(revision: 3, values: Self.values))
        try draft.change(Clock.self) { _ in }
        #expect(draft.actions == [])
        try draft.change(Clock.self) { clock in
            clock.zones = []
            clock.meeting.start += 1
        }
        #expect(draft.actions == [.setValues(["zones": .strings([]), "meeting.start": .integer(9)])])
        #expect(try draft.value(of: "meeting.start", as: Int.self) == 9)
        try draft.set("scale", to: 2)
        #expect(draft["scale"] == .number(2))
        let error = #expect(throws: ClientError.self) { try draft.change(Clock.self) { $0.meeting.title = "Tea" } }
        #expect(error?.kind == .refused(.unknownKey))
        #expect(error?.message.contains("meeting.title") == true)
    }

    @Test func aPartThatBecomesNilResetsItsSetting() throws {
        var values = Self.values
        values["meeting.title"] = "Tea"
        var draft = ApplicationDraft(SettingsSnapshot(revision: 3, values: values))
        try draft.change(Clock.self) { $0.meeting.title = nil }
        #expect(draft.actions == [.resetValues(["meeting.title"])])
    }

    @Test func anActionsArgumentsAreAStructure() throws {
        struct Arguments: Encodable {
            var zone: String
            var at: Int?
        }
        #expect(try Action("AddZoneAt", encoding: Arguments(zone: "Asia/Tokyo")) == Action("AddZoneAt", ["zone": "Asia/Tokyo"]))
        #expect(
            message { _ = try Action("AddZone", encoding: "x") }
                == "AddZone: the arguments are the text \"x\", and not named values")
    }
}
