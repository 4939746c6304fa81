import SettingsModel
import Testing

/// What each kind of step makes of a whole document.
@Suite struct StepTests {
    private static let berlin: SettingValue = "Europe/Berlin"

    private func clock(_ values: [String: SettingValue] = [:], layers: Layers = Layers()) -> Fixture {
        Fixture(values, layers: layers, schema: .worldClock)
    }

    private func alarm(_ fields: [String: SettingValue]) -> SettingValue { .record(fields) }

    private func alarms(_ items: [String: SettingValue]...) -> SettingValue {
        .list(element: .record, items.map(SettingValue.record))
    }

    private static let (first, second) = (
        "7d444840-9dc0-11d1-b245-5ffdce74fad2" as SettingValue, "00000000-0000-4000-8000-000000000000" as SettingValue
    )

    /// The user's values after the actions, or the name of the error.
    private func after(_ start: Fixture, _ actions: Action...) throws -> [String: SettingValue] {
        var fixture = start
        try fixture.dispatch(actions)
        return fixture.document.values
    }

    @Test func anItemIsAppendedOrPutAtItsIndex() throws {
        let start = clock(["zones": .strings(["UTC"])])
        #expect(try after(start, Action("AddZone", ["zone": Self.berlin])) == ["zones": .strings(["UTC", "Europe/Berlin"])])
        #expect(
            try after(start, Action("AddZone", ["zone": Self.berlin, "at": .integer(0)]))
                == ["zones": .strings(["Europe/Berlin", "UTC"])])
        #expect(
            start.refusal(of: [Action("AddZone", ["zone": Self.berlin, "at": .integer(2)])])
                == SettingsError(.invalidArgument, "AddZone: zones has 1 items, so the index is 0 to 1, not 2"))
    }

    @Test func anItemThatIsThereIsNoChangeWhereEachMayBeThereOnce() throws {
        let start = clock(["zones": .strings(["UTC"]), "labels": .strings(["a"])])
        #expect(try start.outcome(Action("AddZone", ["zone": "UTC", "at": .integer(0)])).edits == [])
        #expect(try start.outcome(Action("InsertValue", ["key": "zones", "value": "UTC"])).edits == [])
        #expect(try after(start, Action("InsertValue", ["key": "labels", "value": "a"]))["labels"] == .strings(["a", "a"]))
    }

    @Test func theItemsThatARequestGoesThroughAreBounded() throws {
        let start = clock(["labels": .strings((0..<10_000).map { "\($0)" })])
        func inserting(_ count: Int) -> [Action] { (0..<count).map { .insertValue(.string("new \($0)"), into: "labels") } }
        #expect(start.refusal(of: inserting(59)) == nil)
        let refusal = try #require(start.refusal(of: inserting(61)))
        #expect(
            refusal.name == .tooLarge
                && refusal.message.contains("more than 600000 items of lists, those with much in them counted several times, 100"),
            "\(refusal)")
        #expect(start.refusal(of: (0..<61).map { _ in .removeValue("none", from: "labels") })?.name == .tooLarge)
        // One step goes through whatever there is; a list that is short may take as many steps as there may be actions.
        let long = clock(["labels": .strings((0..<600_000).map { "\($0)" })])
        #expect(long.refusal(of: inserting(1)) == nil)
        #expect(long.refusal(of: inserting(2))?.name == .tooLarge)
        #expect(clock(["labels": .strings([])]).refusal(of: inserting(1000)) == nil)
    }

    @Test func whatIsLongOrChangesManyItemsCountsForMore() throws {
        let text = String(repeating: "a", count: 4096)
        let texts = clock(["labels": .strings((0..<3000).map { "\(text)\($0)" })])
        func removing(_ text: String, _ count: Int) -> [Action] {
            (0..<count).map { .removeValue(.string(text + "x\($0)"), from: "labels") }
        }
        #expect(texts.refusal(of: removing("", 150)) == nil)
        #expect(texts.refusal(of: removing(text, 20)) == nil)
        #expect(texts.refusal(of: removing(text, 150))?.name == .tooLarge)
        // Of the same list those of one are one alarm, those of the other all the others.
        let alarms = (0..<3000).map { SettingValue.record(["id": Self.first, "name": .string("\($0)"), "note": .string(text)]) }
        let clock = clock(["alarms": .list(element: .record, alarms + [.record(["id": Self.second])])])
        func toggling(_ id: SettingValue, _ count: Int) -> [Action] { (0..<count).map { _ in Action("ToggleAlarm", ["id": id]) } }
        #expect(clock.refusal(of: toggling(Self.second, 150)) == nil)
        #expect(clock.refusal(of: toggling(Self.first, 2)) == nil)
        #expect(clock.refusal(of: toggling(Self.first, 150))?.name == .tooLarge)
    }

    @Test func aListWithoutAUserValueStartsFromTheLayers() throws {
        let start = clock(layers: .vendor(["zones": .strings(["UTC"])]))
        let edits = try start.outcome(Action("AddZone", ["zone": Self.berlin])).edits
        #expect(edits == [Edit(key: "zones", before: nil, after: .strings(["UTC", "Europe/Berlin"]))])
        // What changes nothing does not pin the layers' value either.
        #expect(try start.outcome(Action("AddZone", ["zone": "UTC"])).edits == [])
        #expect(try start.outcome(Action("DropZone", ["zone": Self.berlin])).edits == [])
        #expect(try after(start, Action("DropZone", ["zone": "UTC"])) == ["zones": .strings([])])
    }

    @Test func aLockedListIsNotChanged() {
        let start = clock(layers: .admin(["zones": .strings(["UTC"])], locked: ["zones"]))
        #expect(start.refusal(of: [Action("AddZone", ["zone": Self.berlin])])?.name == .locked)
        #expect(start.refusal(of: [Action("AddZone", ["zone": "UTC"])]) == nil)
    }

    @Test func whatTheListDoesNotTakeIsRefused() {
        let full = clock(["zones": .strings(["A", "B", "C", "D", "E"])])
        #expect(
            full.refusal(of: [Action("AddZone", ["zone": "F"])])
                == SettingsError(.invalidValue, "zones: it has 6 items; at most 5 are allowed"))
        let mistake = "\"Mars/\" is refused: a time zone has a name as in Europe/Berlin or UTC"
        #expect(
            clock().refusal(of: [Action("AddZone", ["zone": "Mars/"])])
                == SettingsError(.invalidValue, "AddZone: zone: \(mistake)"))
        #expect(
            clock().refusal(of: [Action("InsertValue", ["key": "zones", "value": "Mars/"])])
                == SettingsError(.invalidValue, "zones: \(mistake)"))
        #expect(
            clock().refusal(of: [Action("InsertValue", ["key": "zones", "value": .integer(5)])])
                == SettingsError(.invalidValue, "zones: it takes a string, not an integer"))
        #expect(clock().refusal(of: [Action("RemoveValue", ["key": "zones", "value": .integer(5)])])?.name == .invalidValue)
        #expect(
            clock().refusal(of: [Action("InsertValue", ["key": "seconds", "value": .boolean(true)])])
                == SettingsError(.invalidArgument, "InsertValue: seconds takes a boolean and is no list"))
        #expect(clock().refusal(of: [Action("InsertValue", ["key": "zone", "value": "UTC"])])?.name == .unknownKey)
    }

    @Test func aValueIsRemovedWhereverItIs() throws {
        let start = clock(["labels": .strings(["a", "b", "a"])])
        #expect(try after(start, Action("RemoveValue", ["key": "labels", "value": "a"])) == ["labels": .strings(["b"])])
        #expect(try start.outcome(Action("RemoveValue", ["key": "labels", "value": "c"])).edits == [])
    }

    @Test func aRecordIsMadeWithItsUUIDAndItsTime() throws {
        let values = try after(clock(), Action("AddAlarm", ["name": "Tea"]), Action("AddAlarm", ["name": "Rice", "note": "10′"]))
        let made = SettingValue.integer(1_772_300_000_000_000)
        let items = (values["alarms"]?.items ?? []).compactMap(\.record)
        #expect(items.map { $0["name"] } == ["Rice", "Tea"])
        #expect(items.map { $0["made"] } == [made, made])
        #expect(items.map { $0["note"] } == ["10′", nil])
        let ids = items.compactMap { $0["id"]?.string }
        #expect(Set(ids).count == 2)
        for id in ids {
            #expect(id.utf8.count == 36 && id.dropFirst(14).first == "4" && "89ab".contains(id.dropFirst(19).first ?? "x"))
        }
        // Judged again, the request comes to the same; another request comes to other UUIDs.
        let again = try after(clock(), Action("AddAlarm", ["name": "Tea"]))
        #expect(try after(clock(), Action("AddAlarm", ["name": "Tea"])) == again)
        let facts = Facts(time: 0, seed: (7, 8))
        let other = try clock().reducer.reduce(
            Document(), history: History(), [Action("AddAlarm", ["name": "Tea"])], facts: facts)
        #expect(other.edits.first?.after?.items?.first?.record?["id"] != .string(ids[1]))
    }

    @Test func fieldsOfTheRecordsThatMatchChange() throws {
        let start = clock([
            "alarms": alarms(["id": Self.first, "name": "Tea", "note": "hot"], ["id": Self.second, "name": "Rice"])
        ])
        #expect(
            try after(start, Action("RenameAlarm", ["id": Self.second, "name": "Noodles"]))
                == ["alarms": alarms(["id": Self.first, "name": "Tea", "note": "hot"], ["id": Self.second, "name": "Noodles"])])
        #expect(
            try after(start, Action("ToggleAlarm", ["id": Self.first]))
                == [
                    "alarms": alarms(
                        ["id": Self.first, "name": "Tea", "note": "hot", "on": .boolean(true)],
                        ["id": Self.second, "name": "Rice"])
                ])
        #expect(
            try after(start, Action("RemoveAlarm", ["id": Self.first])) == [
                "alarms": alarms(["id": Self.second, "name": "Rice"])
            ])
        #expect(try start.outcome(Action("RenameAlarm", ["id": Self.first])).edits == [])
        #expect(
            start.refusal(of: [Action("RenameAlarm", ["id": Self.first, "name": .string(String(repeating: "x", count: 21))])])?
                .message
                == "alarms: item 1: name: \"xxxxxxxxxxxxxxxxxxxxx\" is refused: it has 21 characters; at most 20 are allowed")
    }

    @Test(arguments: ["RenameAlarm", "ToggleAlarm", "RemoveAlarm"])
    func noMatchIsAnInvalidArgument(_ name: String) {
        let start = clock(["alarms": alarms(["id": Self.first])])
        #expect(
            start.refusal(of: [Action(name, ["id": "x"])])
                == SettingsError(.invalidArgument, "\(name): no item of alarms has the id \"x\""))
    }

    @Test func anAbsentOptionalArgumentLeavesItsSettingAsItIs() throws {
        let start = clock(["meeting.start": .integer(9)])
        #expect(
            try after(start, Action("SetMeeting", ["hint": "noon"])) == ["meeting.start": .integer(9), "meeting.hint": "noon"])
        #expect(try start.outcome(Action("SetMeeting")).edits == [])
        #expect(try start.outcome(Action("Count")).edits == [])
        #expect(
            start.refusal(of: [Action("SetMeeting", ["start": .integer(24)])])
                == SettingsError(.invalidValue, "meeting.start: 24 is refused: it is at most 23"))
    }

    @Test func aBooleanIsTurnedRound() throws {
        #expect(try after(clock(), Action("ToggleSeconds")) == ["seconds": .boolean(true)])
        #expect(try after(clock(["seconds": .boolean(true)]), Action("ToggleSeconds")) == ["seconds": .boolean(false)])
        #expect(try clock().outcome(Action("ToggleSeconds"), Action("ToggleSeconds")).values == [:])
    }

    @Test func aSumStaysWithinWhatTheSettingTakes() throws {
        #expect(try after(clock(["count": .integer(2)]), Action("Count", ["by": .integer(-3)])) == ["count": .integer(-1)])
        let full = clock(["count": .integer(.max)])
        #expect(full.refusal(of: [Action("Count", ["by": .integer(1)])])?.name == .invalidValue)
        #expect(try clock().outcome(Action("Count", ["by": .integer(0)])).edits == [])
        #expect(try after(clock(), Action("Grow", ["by": .number(0.5)])) == ["scale": .number(1.5)])
        #expect(clock().refusal(of: [Action("Grow", ["by": .number(-1)])])?.name == .invalidValue)
        for number in [Double.infinity, -.infinity, .nan] {
            #expect(clock().refusal(of: [Action("Grow", ["by": .number(number)])])?.name == .invalidValue)
        }
        let huge = clock(["scale": .number(.greatestFiniteMagnitude)])
        #expect(huge.refusal(of: [Action("Grow", ["by": .number(.greatestFiniteMagnitude)])])?.name == .invalidValue)
    }

    @Test func theTimeIsWrittenAsItsSettingHasIt() throws {
        #expect(
            try after(clock(), Action("Open")) == [
                "opened": .integer(1_772_300_000_000_000), "day": "2026-02-28", "moment": "2026-02-28T17:33:20.000000Z",
            ])
    }

    @Test func aListIsMadeOfWhatIsGiven() throws {
        #expect(try after(clock(), Action("Label")) == ["labels": .strings(["first"])])
        #expect(try after(clock(), Action("Label", ["second": "x"])) == ["labels": .strings(["first", "x"])])
    }

    @Test func anActionWithoutStepsOnlyAnnounces() throws {
        #expect(try clock().outcome(Action("Announce")).edits == [])
        #expect(try Schema.worldClock.action("Announce").onlyAnnounces)
    }

    @Test func everyStepIsUndoneAndRedone() throws {
        var fixture = clock(["zones": .strings(["UTC"])])
        for action in [
            Action("AddZone", ["zone": Self.berlin]), Action("AddAlarm", ["name": "Tea"]), Action("ToggleSeconds"),
            Action("Count", ["by": .integer(4)]), Action("Forget"),
        ] {
            let before = fixture.document.values
            try fixture.dispatch([action])
            let after = fixture.document.values
            #expect(before != after)
            try fixture.dispatch([Action("Undo")])
            #expect(fixture.document.values == before)
            try fixture.dispatch([Action("Redo")])
            #expect(fixture.document.values == after)
        }
    }

    @Test func anApplicationsSchemaHasTheCommonActionsFirst() {
        #expect(
            Schema.worldClock.actions.map(\.name).prefix(8) == [
                "SetValues", "ResetValues", "ResetAll", "InsertValue", "RemoveValue", "Undo", "Redo", "AddZone",
            ])
    }

    @Test func anEmptyListInARecordHasTheTypeThatTheRuleSays() throws {
        let pages = ValueRule.list(ListRule(of: .integer(Bounds())))
        let book = ValueRule.record(RecordRule([.init("name", .string(StringRule())), .init("pages", pages)]))
        let start = Fixture(
            schema: Schema(
                application: "org.example.Books",
                settings: [Setting("books", .list(ListRule(of: book)), default: .list(element: .record, []), "")]))
        func books(_ element: ValueType) -> SettingValue {
            .list(element: .record, [.record(["name": "A", "pages": .list(element: element, [])]), .record(["name": "B"])])
        }
        for element in [ValueType.string, .integer, .record] {
            let values = Action("SetValues", ["values": .record(["books": books(element)])])
            #expect(try after(start, values) == ["books": books(.integer)])
            let item = Action("InsertValue", ["key": "books", "value": books(element).items?[0] ?? ""])
            #expect(try after(start, values, item)["books"]?.items?.last?.record?["pages"] == .list(element: .integer, []))
        }
        // One that is not empty is what it is.
        let text = SettingValue.list(element: .record, [.record(["pages": .strings(["1"])])])
        #expect(start.refusal(of: [Action("SetValues", ["values": .record(["books": text])])])?.name == .invalidValue)
    }
}
