import DBus
import SettingsBus
import SettingsModel
import TestSupport
import Testing

@Suite struct MappingTests {
    static let values: [SettingValue] = [
        .string(""), .string("e\u{301}"), .boolean(true), .integer(.min), .number(-0.0), .strings([]), .strings(["a", ""]),
        .list(element: .integer, []), .list(element: .record, [.record(["a": .boolean(false)])]), .record([:]),
        .record(["text": .string("é"), "numbers": .list(element: .number, [.number(1.5)]), "more": .record([:])]),
    ]

    @Test(arguments: 0..<50)
    func aValueOfAnyRuleIsTheSameOnTheOtherSide(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let rule = random.rule(depth: 3)
            let value = random.value(of: rule)
            let wire = Value(value)
            #expect(wire.signature == rule.type.signature)
            #expect(wire.settingValue() == value)
        }
    }

    @Test(arguments: values)
    func aValueIsTheSameOnTheOtherSide(value: SettingValue) {
        let wire = Value(value)
        #expect(wire.settingValue() == value)
        #expect(wire.signature == value.type.signature)
    }

    @Test(arguments: [
        Value.byte(1), .int16(1), .uint32(1), .uint64(1), .objectPath("/a"), .signature("s"), .structure([.string("a")]),
        .variant(.string("a")), .array(element: "y", []), .array(element: "v", []),
        .dictionary(key: "s", value: "s", []), .dictionary(key: "u", value: "v", []), .variants([("a", .byte(1))]),
    ])
    func aTypeThatNoSettingHasIsNoValue(wire: Value) {
        #expect(wire.settingValue() == nil)
    }

    @Test func valuesByKeyComeInTheGivenOrder() {
        let wire = Value.settings(["a": .boolean(true), "b": .boolean(true), "c": .boolean(true)], order: ["x", "c"])
        #expect(wire.variants?.map(\.0) == ["c", "a", "b"])
        #expect(wire.signature == "a{sv}")
        #expect(Value.variants([("a", .byte(1)), ("b", .string("x"))]).settings == ["b": "x"])
    }

    @Test(arguments: 0..<20)
    func longListsThatAreReadyAreWhatTheyWouldBeOtherwise(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rule = random.rule(depth: 2)
        var items: [SettingValue] = []
        var ready = ReadyLists()
        for _ in 0..<40 {
            let place = Int.random(in: 0...items.count, using: &random)
            let end = Int.random(in: place...min(items.count, place + 20), using: &random)
            items.replaceSubrange(place..<end, with: (0..<30).map { _ in random.value(of: rule) })
            let values: [String: SettingValue] = ["list": .list(element: rule.type, items), "other": .boolean(true)]
            let message = Message.signal(path: "/", interface: "a.b", member: "C")
            try message.append([ready.settings(values, order: ["other", "none", "list"])])
            #expect(try message.body() == [.settings(values, order: ["other", "list"])])
        }
        if case .ready = ready.value(.list(element: rule.type, items), of: "list") {} else { Issue.record("It is not ready.") }
        // The setting's type may have changed with the schema.
        #expect(ready.value(.list(element: .variant, []), of: "list") == .array(element: "v", []))
    }

    @Test(arguments: SettingsError.Name.allCases)
    func aRefusalIsTheSameOnTheOtherSide(name: SettingsError.Name) {
        let error = SettingsError(name, "what: why")
        #expect(BusError(error).name.rawValue == "org.settingsd.Settings1.Error.\(name.rawValue)")
        #expect(SettingsError(BusError(error)) == error)
    }

    @Test func errorsOfOthersAreNoRefusals() {
        #expect(SettingsError(BusError.invalidArgs("x")) == nil)
        #expect(SettingsError(BusError(name: "org.settingsd.Settings1.Error.Newer", message: "x")) == nil)
    }

    static let change = SettingsChange(
        revision: 7, values: ["profile.name": "Ada"], previous: ["profile.name": ""], actions: ["SetValues"],
        origin: .file, application: "org.example.App", time: 1_700_000_000_000_000)

    @Test func aChangeIsTheSameOnTheOtherSide() {
        #expect(SettingsChange(changed: Self.change.wire) == Self.change)
        #expect(Self.change.wire.map(\.signature.rawValue).joined() == "ta{sv}a{sv}")
        let answer = ChangesAnswer(revision: 9, isComplete: true, changes: [Self.change])
        #expect(ChangesAnswer(answer.wire) == answer)
        #expect(answer.wire.map(\.signature.rawValue).joined() == "tba(ta{sv}a{sv})")
        let nothing = ChangesAnswer(revision: 9, isComplete: false, changes: [])
        #expect(nothing.wire.map(\.signature.rawValue).joined() == "tba(ta{sv}a{sv})")
    }

    @Test func aChangeOfAnotherVersionIsUnderstood() {
        let details = Value.variants([("origin", .string("cloud")), ("mood", .byte(3))])
        let change = SettingsChange(changed: [.uint64(1), .variants([("new.key", .byte(1))]), details])
        #expect(change?.origin == .bus)
        #expect(change?.values == [:])
        #expect(SettingsChange(changed: [.uint64(1), .variants([])]) == nil)
        #expect(SettingsChange(changed: [.string("1"), .variants([]), .variants([])]) == nil)
    }

    @Test(arguments: Schema.builtIn.settings)
    func aDescriptionIsTheSameOnTheOtherSide(setting: Setting) {
        let layers = Layers(admin: [
            LayerFile(path: "/etc/xdg/settingsd/settings.json", values: ["profile.name": "A"], locked: ["profile.name"])
        ])
        for user in [nil, setting.defaultValue] {
            let description = SettingDescription(setting, layers.resolve(setting, user: user))
            #expect(description.userValue == user)
            #expect(SettingDescription(description.wire) == description)
            #expect(description.wire.signature == "a{sv}")
        }
    }

    @Test(arguments: 0..<50)
    func aRulesDescriptionIsTheSameOnTheOtherSide(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bounded = ListRule(of: random.rule(depth: 3), minimumCount: 1, maximumCount: 9, isUnique: true)
        for rule in [.list(bounded), random.rule(depth: 3)] {
            let description = RuleDescription(rule)
            #expect(RuleDescription(.variants(description.wire)) == description)
        }
    }

    @Test func whatAListHoldsIsDescribed() throws {
        let record = RecordRule([
            .init("id", .string(StringRule(format: .uuid)), required: true, "Which"),
            .init("hour", .integer(Bounds(maximum: 23))),
        ])
        let wire = Value.variants(RuleDescription(.list(ListRule(of: .record(record), maximumCount: 9, isUnique: true))).wire)
        let hour: [(String, Value)] = [
            ("type", .string("x")), ("kind", .string("integer")), ("maximum", .int64(23)), ("required", .boolean(false)),
            ("summary", .string("")),
        ]
        let id: [(String, Value)] = [
            ("type", .string("s")), ("kind", .string("uuid")), ("required", .boolean(true)), ("summary", .string("Which")),
        ]
        let item: [(String, Value)] = [
            ("type", .string("a{sv}")), ("kind", .string("object")),
            ("fields", .named([("id", .variants(id)), ("hour", .variants(hour))])),
        ]
        #expect(
            wire
                == .variants([
                    ("type", .string("aa{sv}")), ("kind", .string("array")), ("maximum_items", .uint64(9)),
                    ("unique", .boolean(true)), ("item", .variants(item)),
                ]))
    }

    @Test func anOlderDaemonTellsTheUsersValueWhereItIsInForce() throws {
        let setting = try Schema.builtIn.setting("provider")
        for user in [nil, "mpd"] as [SettingValue?] {
            let wire = SettingDescription(setting, Layers().resolve(setting, user: user)).wire
            let older = Value.variants(try #require(wire.variants).filter { $0.0 != "user_value" })
            #expect(SettingDescription(older)?.userValue == user)
        }
    }

    @Test func aDescriptionSaysWhatAppliesToTheSetting() throws {
        let setting = try Schema.builtIn.setting("provider")
        let description = SettingDescription(setting, Layers().resolve(setting, user: "mpd"))
        let fields = Dictionary(try #require(description.wire.variants)) { first, _ in first }
        #expect(fields["type"] == .string("s"))
        #expect(fields["kind"] == .string("choice"))
        #expect(fields["value"] == .string("mpd"))
        #expect(fields["user_value"] == .string("mpd"))
        #expect(fields["default"] == .string("none"))
        #expect(fields["source"] == .string("user"))
        #expect(fields["locked"] == .boolean(false))
        #expect(fields["pattern"] == .string("custom:[a-z0-9][a-z0-9-]{0,62}"))
        #expect(fields["source_file"] == nil)
        #expect(fields["schemes"] == nil)
        let choices = try #require(fields["choices"]?.strings)
        let details = try #require(fields["choice_details"]?.named)
        #expect(choices.first == "none")
        #expect(details.map(\.0) == choices)
        let spotify = try #require(details.first { $0.0 == "spotify" }?.1.variants)
        #expect(spotify.map(\.0) == ["name", "links", "mpris"])
        #expect(spotify[2].1.strings == ["spotify", "spotifyd", "ncspot"])
        let name = try Schema.builtIn.setting("profile.name")
        #expect(SettingDescription(name, Layers().resolve(name, user: nil)).rule.maximumLength == 100)
    }

    @Test(arguments: Schema.builtIn.actions)
    func anActionsDescriptionIsTheSameOnTheOtherSide(declaration: ActionDeclaration) {
        let description = ActionDescription(declaration)
        #expect(ActionDescription(description.wire) == description)
        #expect(description.arguments.map(\.name) == declaration.arguments.map(\.name))
    }
}
