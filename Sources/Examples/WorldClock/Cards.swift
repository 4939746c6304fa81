import ExampleSupport
import Foundation
import SettingsClient

/// What is known of a selected zone at an instant.
struct Card: Encodable {
    var zone: String
    var city: String
    /// What the zone's name is another one for.
    var aliasOf: String?
    /// Whether the system knows the zone. Without, nothing else is known either, but of the clocks here, which are UTC's then.
    var isKnown: Bool
    var time: String?
    var date: String?
    /// Minutes that its clocks are ahead of those here.
    var difference: Int?
    /// Days that its calendar is ahead of the one here.
    var days: Int?
    /// The date for people.
    var shortDate: String?

    enum CodingKeys: String, CodingKey {
        case zone, city, time, date, difference, days
        case aliasOf = "alias_of"
        case isKnown = "known"
    }

    /// - Parameter clocks: the zone's; nil where there are none.
    init(_ zone: String, _ clocks: Clocks?, _ standing: ZoneDatabase.Standing, at instant: Int) {
        self.zone = zone
        city = cityName(zone)
        isKnown = clocks != nil && standing != .unknown
        if case .alias(let target) = standing { aliasOf = target }
        guard let clocks else { return }
        let (there, here) = (clocks.time(at: instant), Clocks.here.time(at: instant))
        time = there.text
        date = there.date.text
        shortDate = there.date.short
        difference = (there.offset - here.offset) / 60
        days = there.date.number - here.date.number
    }

    /// `+5:30`, `-9`, or that it is the same.
    private var differenceText: String {
        guard let difference, difference != 0 else { return "same time" }
        let (hours, minutes) = (abs(difference) / 60, abs(difference) % 60)
        return "\(difference < 0 ? "-" : "+")\(hours)" + (minutes == 0 ? "" : ":" + (minutes < 10 ? "0" : "") + "\(minutes)")
    }

    private var note: String {
        if !isKnown { return "this system does not know it" + (time == nil ? "" : "; its time is taken to be UTC") }
        return aliasOf.map { "another name for \($0)" } ?? ""
    }

    /// For a line of its own.
    var row: [String] {
        guard let time else { return [city, "", "", "", "", zone, note] }
        return [city, time, shortDate ?? "", differenceText, dayChange(days ?? 0) ?? "", zone, note]
    }

    /// Four lines for a box.
    var face: [(left: String, right: String)] {
        let name = (isKnown ? aliasOf.map { "\(zone) = \($0)" } : nil) ?? zone
        guard isKnown else { return [(city, "?"), (name, ""), (note, "")] }
        return [(city, time ?? ""), (name, ""), (shortDate ?? "", dayChange(days ?? 0) ?? ""), (differenceText, "")]
    }
}

/// The selected zones at an instant.
struct WorldClock: Report {
    /// RFC 3339.
    var at: String
    var here: Card
    var zones: [Card]
    /// Whether whoever administers the machine keeps the selection as it is.
    var locked: Bool

    init(_ client: ApplicationClient, _ names: [String], _ database: ZoneDatabase, at instant: Int) {
        locked = Self.isLocked(client)
        at = timestamp(instant)
        here = Card(database.here, .here, database.isHereKnown ? .known : .unknown, at: instant)
        here.city = database.hereCity
        zones = names.map { Card($0, database.clocks(of: $0), database.standing(of: $0), at: instant) }
    }

    private static func isLocked(_ client: ApplicationClient) -> Bool {
        do throws(ClientError) {
            return try client.lockedKeys().contains("zones")
        } catch {
            // A service that has gone is told of as a loss.
            return false
        }
    }

    func lines(width: Int) -> [Line] {
        clocks(width) + (locked ? ["The selection is locked by whoever administers this machine"] : [])
    }

    private func clocks(_ width: Int) -> [Line] {
        let unknown = here.isKnown ? "" : " (unknown; UTC)"
        let heading = "\(here.city)\(unknown): \(here.time ?? ""), \(here.shortDate ?? "")"
        if zones.isEmpty { return [Line(heading, .bold), "", .hint("No zone is selected yet: worldclock add Tokyo")] }
        if width == .max { return columns([here.row] + zones.map(\.row)).map { Line($0) } }
        return [Line(heading, .bold)] + boxes(width)
    }

    /// Boxes side by side.
    private func boxes(_ width: Int) -> [Line] {
        let outer = min(max(width, 12), 34)
        let perRow = max(1, (width + 1) / (outer + 1))
        return stride(from: 0, to: zones.count, by: perRow).flatMap { first in
            let boxes = zones[first..<min(first + perRow, zones.count)].map { box($0, outer) }
            return boxes[0].indices.map { line in Line(boxes.map { $0[line] }.joined(separator: " ")) }
        }
    }

    private func box(_ card: Card, _ width: Int) -> [String] {
        let inner = width - 4
        let edge = String(repeating: "─", count: width - 2)
        let rows = (card.face + [("", "")]).prefix(4).map { left, right in
            let text = left.cut(to: right.isEmpty ? inner : max(1, inner - right.width - 1))
            return "│ " + text.filled(to: inner - right.width) + right + " │"
        }
        return ["╭\(edge)╮"] + rows + ["╰\(edge)╯"]
    }
}

/// An instant as RFC 3339 has it, in UTC.
func timestamp(_ instant: Int) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(instant)))
}
