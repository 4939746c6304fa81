import EventLoop
import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

/// The settings, as the schema has them.
struct Settings: Codable {
    struct Meeting: Codable {
        var start: Int
        var end: Int
    }
    var zones: [String]
    var meeting: Meeting
}

extension Program {
    static let worldClock = Program(
        name: "worldclock", summary: "the time in the zones that you have selected, and when all of them are at work",
        application: "org.settingsd.WorldClock", schema: PackageResources.org_settingsd_WorldClock_json,
        examples: [
            Example("worldclock add Tokyo 'New York'", "selects two zones, by their cities"),
            Example("worldclock", "shows the time there"),
            Example("worldclock watch", "goes on, and follows what is selected, here or anywhere else"),
            Example("worldclock meet --date 2026-03-12", "finds the hours at which all are at work on that day"),
            Example("worldclock search india", "finds zones by city, country or name"),
        ],
        commands: [
            Command("show", "shows the selected zones", json: clockShape, run: show),
            Command("list", "does the same", json: clockShape, run: show),
            Command(
                "watch", "shows them, anew each minute and whenever something changes",
                json: "\(clockShape); one object for each minute and change", run: watch),
            Command("add ZONE|CITY…", "selects zones", json: changedShape, run: add),
            Command("remove ZONE|CITY…", "takes zones out of the selection", json: changedShape, run: remove),
            Command(
                "search TEXT", "finds zones in the system's database",
                json:
                    "{\"zones\": [{\"zone\", \"countries\": [names], \"time\", \"comment\": what tells it from others, \"alias_of\"}]}",
                run: search),
            Command(
                "meet", "finds the hours at which every selected zone is at work",
                options: [
                    Option("date YYYY-MM-DD", "on this day here; today if not given"),
                    Option("from HOUR", "work begins then, 8 or 8:30; meeting.start if not given"),
                    Option("to HOUR", "work ends then; meeting.end if not given"),
                ],
                json:
                    "{\"date\", \"from\", \"to\", \"windows\": [{\"start\", \"end\": RFC 3339, \"minutes\", \"here\": LOCAL, \"zones\": [LOCAL]}], \"zones\": those at work, \"unknown\": zones that this system does not know, \"pairs\": two zones that never work together, \"without\": by zone, the windows of the others}, a LOCAL being {\"zone\", \"start\", \"end\"} by its clocks",
                run: meet),
            Command("hours FROM TO", "keeps the hours of work, for meet", json: changedShape, run: hours),
        ],
        options: [Option("at TIME", "at a time other than now: 2026-03-12T09:30, or with Z or an offset behind it, +05:30")])
}

private let clockShape =
    "{\"at\": RFC 3339, \"here\": CARD, \"zones\": [CARD], \"locked\": true|false}, a CARD being {\"zone\", \"city\", \"known\": true|false, \"time\", \"date\", \"difference\": minutes ahead of here, \"days\": its date is ahead, \"alias_of\"}, as far as they are known"
private let changedShape = "{\"changed\": [names], \"unchanged\": [names]}"

@Sendable private func show(_ invocation: Invocation) throws {
    let client = try invocation.connect()
    invocation.print(try WorldClock(client, client.value(of: "zones"), invocation.database(), at: invocation.instant()))
}

@Sendable private func watch(_ invocation: Invocation) throws {
    let database = invocation.database()
    let given = invocation.has("at") ? try invocation.instant() : nil
    let loop = try invocation.loop()
    func callAtEachMinute(_ again: @escaping () -> Void) {
        if given != nil { return }
        let now = Date().timeIntervalSince1970
        loop.schedule(after: .milliseconds(Int((60 - now.truncatingRemainder(dividingBy: 60)) * 1000) + 1)) {
            again()
            callAtEachMinute(again)
        }
    }
    let client = try invocation.connect()
    try invocation.follow(client, begin: callAtEachMinute) { settings in
        try WorldClock(client, settings.value(of: "zones"), database, at: given ?? invocation.instant())
    }
}

@Sendable private func add(_ invocation: Invocation) throws {
    let database = ZoneDatabase()
    let operands = invocation.operands
    let zones = try operands.enumerated().map { index, text in
        guard let place = database.place(text) else { throw unclear(text, database, before: operands[(index + 1)...]) }
        return place.name
    }.eachOnce
    let client = try invocation.connect()
    let before: [String] = try client.value(of: "zones")
    try client.dispatchAndWait(zones.map { Action("AddZone", ["zone": .string($0)]) })
    let new = zones.filter { !before.contains($0) }
    invocation.print(Changed(new, "added", unchanged: zones.filter(before.contains), "is selected already"))
}

extension [String] {
    /// The texts without what stands before already.
    fileprivate var eachOnce: [String] { enumerated().filter { firstIndex(of: $1) == $0 }.map(\.element) }
}

/// Why a text stands for no zone.
///
/// - Parameter others: what was given behind it, which may be the rest of a name.
private func unclear(_ text: String, _ database: ZoneDatabase, before others: ArraySlice<String> = []) -> Failure {
    if let absence = database.absence { return absence }
    let names = database.search(text).filter { !$0.isReversed }.prefix(5).map(\.name)
    var hint = "perhaps \(names.joined(separator: ", "))"
    if names.isEmpty {
        hint =
            (database.nearest(to: text).map { "did you mean \($0)? " } ?? "")
            + "each zone is named for its largest city: worldclock search COUNTRY lists those of a country"
    }
    let longer = others.indices.prefix(3).map { text + " " + others[...$0].joined(separator: " ") }
    if let name = longer.first(where: { database.place($0) != nil }) {
        hint = "a name of several words stands between '': '\(name)'"
    }
    if let zone = database.zone(ofOffset: text) { hint = "the sign is reversed in the names of such zones; you mean \(zone)" }
    return Failure("no one zone or city is called \(text.cut(to: 60))", hint: hint, status: .unknownName, name: "UnknownZone")
}

@Sendable private func remove(_ invocation: Invocation) throws {
    let client = try invocation.connect()
    let selected: [String] = try client.value(of: "zones")
    let zones = try invocation.operands.map { text in
        let wanted = text.foldedPlace
        let named = selected.filter { $0.foldedPlace == wanted }
        let found = named.isEmpty ? selected.filter { cityName($0).foldedPlace == wanted } : named
        guard found.count == 1 else {
            let hint = "selected: \(selected.isEmpty ? "none" : selected.joined(separator: ", "))"
            throw Failure(
                "no one selected zone is called \(text.cut(to: 60))", hint: hint, status: .unknownName, name: "UnknownZone")
        }
        return found[0]
    }
    try client.dispatchAndWait(zones.map { Action("RemoveZone", ["zone": .string($0)]) })
    invocation.print(Changed(zones, "removed"))
}

@Sendable private func search(_ invocation: Invocation) throws {
    let database = ZoneDatabase()
    let report = SearchReport(invocation.operands[0], database, at: try invocation.instant())
    invocation.print(report)
    if report.zones.isEmpty { throw unclear(invocation.operands[0], database) }
}

@Sendable private func meet(_ invocation: Invocation) throws {
    var date = Clocks.here.time(at: try invocation.instant()).date
    if let text = invocation["date"] {
        guard let given = CalendarDate(text) else { throw Failure.usage("\(text) is no day; one is like 2026-03-12") }
        date = given
    }
    let settings = try invocation.connect().settings(as: Settings.self)
    let hours = Meeting.Hours(
        start: try invocation["from"].map(minute) ?? settings.meeting.start * 60,
        end: try invocation["to"].map(minute) ?? settings.meeting.end * 60)
    if hours.start == 1440 { throw Failure.usage("work cannot begin at 24:00, where the day ends") }
    try check(hours.start, hours.end)
    guard !settings.zones.isEmpty else {
        throw Failure("no zone is selected", hint: invocation.hasProblems ? nil : "worldclock add Tokyo")
    }
    if let absence = ZoneDatabase().absence { throw absence }
    let database = invocation.database()
    let known = settings.zones.compactMap { name in database.clocks(of: name).map { (name: name, clocks: $0) } }
    let unknown = settings.zones.filter { database.clocks(of: $0) == nil }
    guard !known.isEmpty else {
        throw Failure("this system knows none of the selected zones: \(unknown.joined(separator: ", "))")
    }
    let meeting = Meeting(known, on: date, hours)
    guard meeting.isDay else { throw Failure.noDay(date) }
    invocation.print(
        MeetingReport(meeting, on: date, hours, unknown: unknown, here: database.here) { database.clocks(of: $0) })
}

@Sendable private func hours(_ invocation: Invocation) throws {
    let hours = try invocation.operands.map(minute)
    guard hours.allSatisfy({ $0 % 60 == 0 }) else { throw Failure.usage("full hours are kept; meet takes others: --from 8:30") }
    try check(hours[0], hours[1])
    let client = try invocation.connect()
    try client.dispatchAndWait(
        .setValues(["meeting.start": .integer(Int64(hours[0] / 60)), "meeting.end": .integer(Int64(hours[1] / 60))]))
    invocation.print(Changed(["\(clockText(hours[0])) to \(clockText(hours[1]))"], "hours of work"))
}

private func check(_ start: Int, _ end: Int) throws(Failure) {
    if start == end { throw Failure("work would begin and end at \(clockText(start))", status: .refused) }
}

/// `8`, `08:30`, `24`.
private func minute(_ text: String) throws(Failure) -> Int {
    guard let second = secondOfDay(text), second % 60 == 0 else { throw .usage("\(text) is no hour; one is like 8 or 8:30") }
    return second / 60
}
