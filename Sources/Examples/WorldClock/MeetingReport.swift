import ExampleSupport

/// The hours for a meeting, or what stands in their way.
struct MeetingReport: Report {
    struct Window: Encodable {
        struct Place: Encodable {
            var zone: String
            var start: String
            var end: String
            var words: String

            enum CodingKeys: CodingKey { case zone, start, end }
        }
        var start: String
        var end: String
        var minutes: Int
        var here: Place
        var zones: [Place]
    }

    var date: String
    var from: String
    var to: String
    var zones: [String]
    var unknown: [String]
    var windows: [Window]
    /// Where there is no window: the zones without which, each, there would be one.
    var without: [String: [Window]]
    /// Where leaving one zone out would not do: those that never work at the same time.
    var pairs: [[String]]

    private var heading: Line
    private var reason: [Line]

    enum CodingKeys: CodingKey { case date, from, to, zones, unknown, windows, without, pairs }

    init(
        _ meeting: Meeting, on date: CalendarDate, _ hours: Meeting.Hours, unknown: [String], here: String,
        _ clocks: (String) -> Clocks?
    ) {
        func place(_ zone: String, _ clocks: Clocks, _ window: Meeting.Window) -> Window.Place {
            // By the clock of the last minute: at the very end it may be put on or back.
            let (start, last) = (clocks.time(at: window.start), clocks.time(at: window.end - 60))
            let ends = [(start.date, start.minute), (last.date, last.minute + 1)]
            let texts = ends.map { clockText($0.1) }
            let days = ends.map { dayChange($0.0.number - date.number) }
            let words =
                days[0] == days[1]
                ? "\(texts[0])–\(texts[1])" + (days[0].map { " \($0)" } ?? "")
                : zip(texts, days).map { text, day in text + (day.map { " \($0)" } ?? "") }.joined(separator: " – ")
            return .init(
                zone: zone, start: "\(start.date.text)T\(texts[0])", end: "\(last.date.text)T\(texts[1])", words: words)
        }
        func window(_ window: Meeting.Window) -> Window {
            Window(
                start: timestamp(window.start), end: timestamp(window.end), minutes: window.minutes,
                here: place(here, .here, window),
                zones: meeting.zones.compactMap { zone in clocks(zone).map { place(zone, $0, window) } })
        }
        (self.date, from, to) = (date.text, clockText(hours.start), clockText(hours.end))
        (zones, self.unknown) = (meeting.zones, unknown)
        windows = meeting.windows.map(window)
        heading = Line("\(date.words), \(hours.words) in each zone", .bold)
        (without, pairs, reason) = ([:], [], [])
        guard windows.isEmpty else { return }
        switch meeting.obstacle {
        case .skipped(let indices):
            reason = indices.map { Line("\(cityName(meeting.zones[$0])) has no such hours on that day: its clocks skip them") }
        case .zones(let obstacles):
            without = Dictionary(obstacles.map { (meeting.zones[$0.index], $0.windows.map(window)) }) { first, _ in first }
            reason = obstacles.map { obstacle in
                let times = obstacle.windows.map { place(here, .here, $0).words }.joined(separator: ", ")
                return Line("\(cityName(meeting.zones[obstacle.index])) stands in the way: without it, \(times) here")
            }
        case .pairs(let found):
            pairs = found.map { [meeting.zones[$0.0], meeting.zones[$0.1]] }
            reason = pairs.map { Line("\(cityName($0[0])) and \(cityName($0[1])) are never at work at the same time") }
        case .all:
            reason = ["Each two of the zones have hours in common, but not all of them"]
        }
    }

    func lines(width: Int) -> [Line] {
        var lines = [heading]
        for window in windows {
            lines += ["", Line("\(window.here.words) here (\(window.here.zone)), \(duration(window.minutes))")]
            lines += columns(window.zones.map { ["  " + cityName($0.zone), $0.words] }, width: width).flatMap(\.self).map {
                Line($0)
            }
        }
        if windows.isEmpty { lines += ["", "There is no hour at which all of them are at work."] + reason }
        if !unknown.isEmpty {
            lines += ["", Line("Left out, since this system does not know them: \(unknown.joined(separator: ", "))", .red)]
        }
        return lines.flatMap { $0.text.hasPrefix(" ") ? [$0] : $0.wrapped(to: width) }
    }

    /// `4 h`, `30 min`, `1 h 30 min`.
    private func duration(_ minutes: Int) -> String {
        [(minutes / 60, "h"), (minutes % 60, "min")].filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: " ")
    }
}
