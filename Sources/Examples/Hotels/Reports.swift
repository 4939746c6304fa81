import ExampleSupport

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
    /// What is wrong with the file now, where it is older hotels that are shown.
    var problem: String?
    /// The first thing that is wrong in a file that can be read.
    let remark: String?
    let drawing: Drawing

    enum CodingKeys: CodingKey { case search, hotels, found, total, misfits, strangers, remark, problem }

    init(_ findings: Findings, _ summary: ReadSummary, problem: String? = nil, drawing: Drawing) {
        search = findings.search
        hotels = findings.hotels.map { Entry(hotel: $0, favourite: findings.isFavourite($0)) }
        (found, total) = (findings.count, findings.total)
        (misfits, strangers) = (summary.misfits, summary.strangers)
        self.problem = problem
        remark = summary.remark
        self.drawing = drawing
    }

    func lines(width: Int) -> [Line] {
        var head = [Line("\(found) of \(total) hotels" + search.words(drawing).map { drawing.gap + $0 }.joined(), .bold)]
        if let problem { head += problem.wrapped(to: width).map { Line($0, .red) } }
        let shown = columns(hotels.map(cells))
        let left = found - hotels.count
        let rest = left > 0 ? [Line.leftOut(left, "and \(left) more", .dim)] : []
        return head + zip(hotels, shown).map { Line($1, $0.favourite ? .bold : .plain) } + rest + remarks.map { Line($0, .dim) }
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
    let drawing: Drawing

    init(_ search: Search, drawing: Drawing) {
        self.search = search
        self.drawing = drawing
    }

    func encode(to encoder: any Encoder) throws { try search.encode(to: encoder) }

    func lines(width: Int) -> [Line] {
        columns([
            ["--text", search.text.isEmpty ? "any" : "\"\(search.text)\""],
            ["--max-price", search.price.limit > 0 ? search.price.limit.short : "any"],
            [
                "--min-rating",
                search.rating.least > 0 ? "\(search.rating.least.short)  \(drawing.stars(search.rating.least))" : "any",
            ],
            ["--order", search.order.rawValue], ["--vacant", search.only.vacant ? "yes" : "no"],
            ["--favourites", search.only.favourites ? "yes" : "no"],
            ["", "favourites: \(search.favourites.isEmpty ? "none" : search.favourites.joined(separator: ", "))"],
        ]).map { Line($0) }
    }
}

extension Search {
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
