/// When people in several zones are at work, on a day of the calendar here.
struct Meeting {
    /// The hours of work, in minutes of the clock; those that end before they begin go over midnight.
    struct Hours {
        var start: Int
        var end: Int

        func contains(_ minute: Int) -> Bool {
            start < end ? minute >= start && minute < end : minute >= start || minute < end
        }

        var words: String { "\(clockText(start)) to \(clockText(end))" }
    }

    /// Instants from one to before another.
    struct Window {
        var start: Int
        var end: Int

        var minutes: Int { (end - start) / 60 }
    }

    let zones: [String]
    /// The minutes of the day here, as instants.
    private let day: [Int]
    /// For each zone, whether it is at work in each minute of the day.
    private let isAtWork: [[Bool]]

    /// - Parameter zones: each with its clocks.
    init(_ zones: [(name: String, clocks: Clocks)], on date: CalendarDate, _ hours: Hours) {
        self.zones = zones.map(\.name)
        let day = Clocks.here.minutes(of: date)
        self.day = day
        isAtWork = zones.map { $0.clocks.times(at: day).map { hours.contains($0.minute) } }
    }

    /// Whether the day is one here: a zone that has crossed the date line has left one out.
    var isDay: Bool { !day.isEmpty }

    /// When all of these zones are at work.
    func windows(of chosen: some Sequence<Int>) -> [Window] {
        let chosen = Array(chosen)
        var windows: [Window] = []
        for (index, instant) in day.enumerated() where chosen.allSatisfy({ isAtWork[$0][index] }) {
            if let last = windows.indices.last, windows[last].end == instant {
                windows[last].end += 60
            } else {
                windows.append(Window(start: instant, end: instant + 60))
            }
        }
        return windows
    }

    var windows: [Window] { windows(of: zones.indices) }

    /// Why there is no window.
    enum Obstacle {
        /// These have no hours of work on the day, since their clocks skip them.
        case skipped([Int])
        /// Without one of these zones there would be windows.
        case zones([(index: Int, windows: [Window])])
        /// No two of these are ever at work together, whatever the others do.
        case pairs([(Int, Int)])
        /// Each two are, but not all.
        case all
    }

    var obstacle: Obstacle {
        let skipped = zones.indices.filter { windows(of: [$0]).isEmpty }
        if !skipped.isEmpty { return .skipped(skipped) }
        let single = zones.indices.map { index in (index: index, windows: windows(of: zones.indices.filter { $0 != index })) }
            .filter { !$0.windows.isEmpty }
        if zones.count > 2, !single.isEmpty { return .zones(single) }
        let pairs = zones.indices.flatMap { first in (first + 1..<max(first + 1, zones.count)).map { (first, $0) } }
            .filter { windows(of: [$0, $1]).isEmpty }
        return pairs.isEmpty ? .all : .pairs(pairs)
    }
}
