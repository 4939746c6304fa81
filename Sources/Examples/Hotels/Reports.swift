import ExampleSupport
import SettingsClient

/// The hotels that a search has found.
struct FindingsReport: Report {
    struct Entry: Encodable {
        var hotel: Hotel
        var favourite: Bool

        private enum CodingKeys: CodingKey { case favourite }

        /// One object with the hotel's fields, and whether it is a favourite.
        func encode(to encoder: any Encoder) throws {
            try hotel.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(favourite, forKey: .favourite)
        }
    }

    var search: Search
    var hotels: [Entry]
    /// How many were found, and of how many.
    var found: Int
    var total: Int
    /// Fields that count as unknown, and entries that are no hotels.
    var misfits: Int
    var strangers: Int
    /// How many each part of the search leaves out, by its option.
    var leftOut: [String: Int]
    /// What is wrong with the file now, where it is older hotels that are shown.
    var problem: String?
    /// The first thing that is wrong in a file that can be read.
    let remark: String?
    let drawing: Drawing

    enum CodingKeys: String, CodingKey {
        case search, hotels, found, total, misfits, strangers, remark, problem
        case leftOut = "left_out"
    }

    init(_ findings: Findings, _ summary: ReadSummary, problem: String? = nil, drawing: Drawing) {
        search = findings.search
        hotels = findings.hotels.map { Entry(hotel: $0, favourite: findings.isFavourite($0)) }
        (found, total) = (findings.count, findings.total)
        (misfits, strangers) = (summary.misfits, summary.strangers)
        leftOut = Dictionary(uniqueKeysWithValues: findings.leftOut.map { ($0.rawValue, $1) })
        self.problem = problem
        remark = summary.remark
        self.drawing = drawing
    }

    func lines(width: Int) -> [Line] {
        let title = "\(found) of \(total) hotels" + search.words(drawing).map { drawing.gap + $0 }.joined()
        var head = Line(title, .bold).wrapped(to: width)
        if let problem { head += problem.wrapped(to: width).map { Line($0, .red) } }
        let shown = columns(hotels.map(cells), width: width)
        let left = found - hotels.count
        let rest = left > 0 ? [Line.leftOut(left, "and \(left) more", .dim)] : []
        let list = zip(hotels, shown).flatMap { hotel, lines in lines.map { Line($0, hotel.favourite ? .bold : .plain) } }
        let end = (found == 0 ? obstacles : []) + remarks
        return head + list + rest + end.flatMap { Line($0, .dim).wrapped(to: width) }
    }

    private func cells(_ entry: Entry) -> [String] {
        let hotel = entry.hotel
        return [
            entry.favourite ? drawing.favourite : " ", hotel.name ?? "(no name)", hotel.city ?? "",
            hotel.rating.map(drawing.stars) ?? "no rating", hotel.price.map(\.withCents) ?? "no price",
            hotel.distance.map { "\((($0 * 10).rounded() / 10).short) km" } ?? "",
            hotel.vacant.map { $0 ? "vacant" : "full" } ?? "", hotel.id ?? "",
        ]
    }

    /// Which part of the search leaves how many out, in words.
    private var obstacles: [String] {
        let lines = Search.Limit.allCases.compactMap { limit in
            leftOut[limit.rawValue].map { "--\(limit.rawValue) \(search.words(for: limit)) leaves out \($0) of \(total)" }
        }
        return lines.isEmpty ? [] : lines + ["to look for every hotel again: hotels forget"]
    }

    /// What was not understood of the file, in words.
    var remarks: [String] {
        var words: [String] = []
        if misfits > 0 { words.append(misfits == 1 ? "1 field counts as unknown" : "\(misfits) fields count as unknown") }
        if strangers > 0 { words.append(strangers == 1 ? "1 entry is no hotel" : "\(strangers) entries are no hotels") }
        guard let remark, !words.isEmpty else { return [] }
        return ["\(words.joined(separator: ", ")); the first: \(remark)"]
    }
}

/// What is looked for.
struct SearchReport: Report {
    var search: Search
    /// The settings that whoever administers the machine keeps as they are.
    var locked: [String]
    let drawing: Drawing

    enum CodingKeys: CodingKey { case locked }

    init(_ client: ApplicationClient, drawing: Drawing) throws {
        search = try client.settings(as: Search.self)
        locked = try client.lockedKeys()
        self.drawing = drawing
    }

    func encode(to encoder: any Encoder) throws {
        try search.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(locked, forKey: .locked)
    }

    func lines(width: Int) -> [Line] {
        let stars = search.rating.least > 0 ? "  \(drawing.stars(search.rating.least))" : ""
        let favourites = search.favourites.isEmpty ? "none" : search.favourites.joined(separator: ", ")
        let rows = [
            ("text", "--text", search.words(for: .text)), ("price.limit", "--max-price", search.words(for: .price)),
            ("rating.least", "--min-rating", search.words(for: .rating) + stars), ("order", "--order", search.order.rawValue),
            ("only.vacant", "--vacant", search.words(for: .vacant)),
            ("only.favourites", "--favourites", search.words(for: .favourites)), ("favourites", "", "favourites: \(favourites)"),
        ]
        return columns(rows.map { [$1, $2 + (locked.contains($0) ? "  (locked)" : "")] }).map { Line($0) }
    }
}

extension Search {
    /// The value of an option.
    func words(for limit: Limit) -> String {
        switch limit {
        case .text: text.isEmpty ? "any" : "\"\(text)\""
        case .price: price.limit > 0 ? price.limit.short : "any"
        case .rating: rating.least > 0 ? rating.least.short : "any"
        case .vacant: only.vacant ? "yes" : "no"
        case .favourites: only.favourites ? "yes" : "no"
        }
    }

    /// What narrows the search, and the order.
    func words(_ drawing: Drawing) -> [String] {
        var words: [String] = []
        if !text.isEmpty { words.append("\"\(text)\"") }
        if price.limit > 0 { words.append("at most \(price.limit.short)") }
        if rating.least > 0 { words.append("at least \(drawing.stars(rating.least))") }
        if only.vacant { words.append("vacant") }
        if only.favourites { words.append("favourites") }
        return words + ["by \(order.rawValue)"]
    }
}

extension Double {
    /// Without a fraction that is nothing.
    var short: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }

    /// As prices are written; what a price is in is not known.
    var withCents: String {
        guard magnitude < 1e13 else { return String(self) }
        let cents = Int((self * 100).rounded())
        return cents % 100 == 0 ? String(cents / 100) : "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}
