import ExampleSupport
import SettingsClient

struct Zones: Report {
    var zones: [String]
    func lines(width: Int) -> [Line] { zones.map { Line($0) } }
}

Program(
    name: "worldclock", summary: "the time in the time zones that you have selected", application: "org.settingsd.WorldClock",
    schema: PackageResources.org_settingsd_WorldClock_json,
    examples: [.init("worldclock add Tokyo", "selects Asia/Tokyo")],
    commands: [
        .init("show", "shows the zones") { invocation in
            let client = try invocation.connect()
            invocation.print(Zones(zones: try client.value(of: "zones")))
        },
        .init("watch", "shows the zones, and goes on") { invocation in
            try invocation.follow(invocation.connect()) { settings in Zones(zones: try settings.value(of: "zones")) }
        },
        .init("add ZONE…", "selects zones") { invocation in
            let client = try invocation.connect()
            for zone in invocation.operands { try client.dispatchAndWait(Action("AddZone", ["zone": .string(zone)])) }
        },
    ]
).run()
