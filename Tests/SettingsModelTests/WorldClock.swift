import SettingsModel

/// An application's schema of every kind of setting and step, as a loaded one is.
extension Schema {
    static let worldClock = Schema(
        application: "org.example.WorldClock", title: "World Clock",
        settings: [
            Setting(
                "zones", .list(ListRule(of: .timeZone, maximumCount: 5, isUnique: true)), default: .strings([]), "Time zones"),
            Setting("labels", .list(ListRule(of: .string(StringRule()))), default: .strings([]), "Labels"),
            Setting("meeting.start", .integer(Bounds(minimum: 0, maximum: 23)), default: .integer(8), "First hour"),
            Setting("meeting.hint", .string(StringRule(maximumLength: 5)), default: "", "A hint"),
            Setting("scale", .number(Bounds(minimum: 0.5)), default: .number(1), "Scale of the faces"),
            Setting("seconds", .boolean, default: .boolean(false), "Whether seconds are shown"),
            Setting("count", .integer(Bounds()), default: .integer(0), "How often it was opened"),
            Setting("opened", .integer(Bounds()), default: .integer(0), "When it was opened"),
            Setting("day", .string(StringRule(format: .date)), default: "1970-01-01", "The day that is shown"),
            Setting(
                "moment", .string(StringRule(format: .dateTime)), default: "1970-01-01T00:00:00Z", "The moment that is shown"),
            Setting("alarms", .list(ListRule(of: .record(alarm))), default: .list(element: .record, []), "Alarms"),
        ],
        actions: [
            ActionDeclaration(
                "AddZone", "Selects a time zone",
                arguments: [.init("zone", .timeZone, "Zone"), .init("at", .index, optional: true, "")],
                [.insert(.key("zones"), .argument("zone"), at: .argument("at"))]),
            ActionDeclaration(
                "DropZone", "", arguments: [.init("zone", .timeZone, "Zone")],
                [.remove(.key("zones"), .value(.argument("zone")))]),
            ActionDeclaration(
                "SetMeeting", "",
                arguments: [.init("start", .index, optional: true, ""), .init("hint", .string, optional: true, "")],
                [.set(.key("meeting.start"), to: .argument("start")), .set(.key("meeting.hint"), to: .argument("hint"))]),
            ActionDeclaration(
                "AddAlarm", "", arguments: [.init("name", .string, ""), .init("note", .string, optional: true, "")],
                [
                    .insert(
                        .key("alarms"),
                        .record(["id": .uuid, "name": .argument("name"), "note": .argument("note"), "made": .now]),
                        at: .literal(.integer(0)))
                ]),
            ActionDeclaration(
                "RenameAlarm", "",
                arguments: [
                    .init("id", .string, ""), .init("name", .string, optional: true, ""),
                    .init("note", .string, optional: true, ""),
                ],
                [
                    .update(
                        .key("alarms"), where: ["id": .argument("id")],
                        with: ["name": .argument("name"), "note": .argument("note")])
                ]),
            ActionDeclaration(
                "RemoveAlarm", "", arguments: [.init("id", .string, "")],
                [.remove(.key("alarms"), .matching(["id": .argument("id")]))]),
            ActionDeclaration(
                "ToggleAlarm", "", arguments: [.init("id", .string, "")],
                [.toggleField(.key("alarms"), where: ["id": .argument("id")], field: "on")]),
            ActionDeclaration("ToggleSeconds", "", [.toggle(.key("seconds"))]),
            ActionDeclaration(
                "Count", "", arguments: [.init("by", .unchecked(.integer), optional: true, "")],
                [.add(.key("count"), .argument("by"))]),
            ActionDeclaration(
                "Grow", "", arguments: [.init("by", .number(Bounds()), "")], [.add(.key("scale"), .argument("by"))]),
            ActionDeclaration(
                "Open", "", [.set(.key("opened"), to: .now), .set(.key("day"), to: .now), .set(.key("moment"), to: .now)]),
            ActionDeclaration(
                "Label", "", arguments: [.init("second", .string, optional: true, "")],
                [.set(.key("labels"), to: .list([.literal("first"), .argument("second")]))]),
            ActionDeclaration("Announce", "", []),
            ActionDeclaration("Forget", "", [.reset("zones"), .reset("alarms")]),
        ])

    private static let alarm = RecordRule([
        .init("id", .string(StringRule(format: .uuid)), required: true), .init("name", .string(StringRule(maximumLength: 20))),
        .init("note", .string(StringRule())), .init("on", .boolean), .init("made", .integer(Bounds())),
    ])
}

extension ValueRule {
    static let timeZone = ValueRule.string(StringRule(format: .timeZone))
    static let index = ValueRule.integer(Bounds(minimum: 0))
}
