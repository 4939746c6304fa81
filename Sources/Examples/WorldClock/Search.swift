import ExampleSupport

/// The zones that a text stands for.
struct SearchReport: Report {
    struct Found: Encodable {
        var zone: String
        var countries: [String]
        var comment: String
        var aliasOf: String?
        var time: String

        enum CodingKeys: String, CodingKey {
            case zone, countries, comment, time
            case aliasOf = "alias_of"
        }
    }

    var zones: [Found]

    init(_ text: String, _ database: ZoneDatabase, at instant: Int) {
        zones = database.search(text).compactMap { place in
            guard let clocks = database.clocks(of: place.name) else { return nil }
            return Found(
                zone: place.name, countries: place.countries, comment: place.comment, aliasOf: place.target,
                time: clocks.time(at: instant).text)
        }
    }

    func lines(width: Int) -> [Line] {
        let rows = zones.map { zone in
            let country = zone.countries.prefix(3).joined(separator: ", ") + (zone.countries.count > 3 ? " …" : "")
            let about = [country, zone.comment, zone.aliasOf.map { "another name for \($0)" } ?? ""]
            return [zone.zone, zone.time, about.filter { !$0.isEmpty }.joined(separator: "; ")]
        }
        return columns(rows, width: width).flatMap(\.self).map { Line($0) }
    }
}

/// What has been changed, or was so already.
struct Changed: Report {
    var changed: [String]
    var unchanged: [String]
    private let words: (changed: String, unchanged: String)

    enum CodingKeys: CodingKey { case changed, unchanged }

    init(_ changed: [String], _ word: String, unchanged: [String] = [], _ other: String = "") {
        self.changed = changed
        self.unchanged = unchanged
        words = (word, other)
    }

    func lines(width: Int) -> [Line] {
        changed.map { Line("\(words.changed): \($0)") } + unchanged.map { Line("\(words.unchanged): \($0)") }
    }
}
