import Testing

@testable import hotels

/// What a search finds, in which order, and how that is drawn.
@Suite struct SearchTests {
    private static let hotels = [
        Hotel(id: "a", name: "Zoo", city: "Zürich", price: 100, rating: 3.5, distance: 3, vacant: true),
        Hotel(id: "b", name: "Été", city: "Porto", price: 50, rating: nil, distance: 1, vacant: false),
        Hotel(id: "c", name: "bar", price: nil, rating: 0, distance: nil, vacant: nil),
        Hotel(id: "d", name: nil, city: "Porto", price: 100, rating: 5, distance: 1, vacant: true),
        Hotel(name: "Angle", price: 120.5, rating: 3.49, distance: 0),
    ]

    private func search(_ change: (inout Search) -> Void = { _ in }) -> [String] {
        var search = Search(
            text: "", order: .price, price: .init(limit: 0), rating: .init(least: 0),
            only: .init(vacant: false, favourites: false),
            favourites: ["c", "x"])
        change(&search)
        var findings = Findings(search)
        for hotel in Self.hotels { findings.take(hotel) }
        #expect(findings.count == findings.hotels.count && findings.total == Self.hotels.count)
        return findings.hotels.map { $0.id ?? "-" }
    }

    @Test func whatIsUnknownComesLast() {
        #expect(search() == ["b", "a", "d", "-", "c"])
        #expect(search { $0.order = .rating } == ["d", "a", "-", "c", "b"])
        #expect(search { $0.order = .distance } == ["-", "b", "d", "a", "c"])
        #expect(search { $0.order = .name } == ["-", "c", "b", "a", "d"])
    }

    @Test func whatIsUnknownIsWithinNoLimit() {
        #expect(search { $0.price.limit = 100 } == ["b", "a", "d"])
        #expect(search { $0.rating.least = 0.5 } == ["a", "d", "-"])
        #expect(search { $0.rating.least = 3.5 } == ["a", "d"])
        #expect(search { $0.only.vacant = true } == ["a", "d"])
        #expect(search { $0.only.favourites = true } == ["c"])
        #expect(search { $0.rating.least = 0 }.count == 5)
    }

    @Test(arguments: [("zurich", ["a"]), ("ZÜRICH zoo", ["a"]), ("porto", ["b", "d"]), ("ete", ["b"]), ("porto zoo", [])])
    func wordsAreLookedForInNameAndCity(text: String, found: [String]) {
        #expect(search { $0.text = text } == found)
    }

    @Test func theFirstOnesOfManyAreTheSameAsOfAll() {
        var search = Search(
            text: "", order: .price, price: .init(limit: 0), rating: .init(least: 0),
            only: .init(vacant: false, favourites: false),
            favourites: [])
        let hotels = (0..<5000).map { (number: Int) -> Hotel in
            let price = Double(number * 7919 % 1009)
            return Hotel(id: String(number), price: number % 7 == 0 ? nil : price)
        }
        for order in [Search.Order.price, .name] {
            search.order = order
            var all = Findings(search)
            var first = Findings(search, limit: 10)
            for hotel in hotels {
                all.take(hotel)
                first.take(hotel)
            }
            #expect(first.hotels == Array(all.hotels.prefix(10)))
            #expect(first.count == 5000)
        }
    }

    @Test(arguments: [
        (0, "☆☆☆☆☆", "....."), (0.25, "☆☆☆☆☆", "....."), (0.5, "½☆☆☆☆", "+...."), (3, "★★★☆☆", "***.."), (3.5, "★★★½☆", "***+."),
        (3.99, "★★★½☆", "***+."), (4.5, "★★★★½", "****+"), (5, "★★★★★", "*****"),
    ])
    func starsAreDrawnInHalves(rating: Double, stars: String, ascii: String) {
        #expect(Drawing(isASCII: false).stars(rating) == stars)
        #expect(Drawing(isASCII: true).stars(rating) == ascii)
    }

    @Test(arguments: [(100, "100"), (89.5, "89.50"), (0.005, "0.01"), (9.999, "10"), (1e300, "1e+300"), (0, "0")])
    func pricesHaveCentsWhereNeeded(price: Double, text: String) { #expect(price.withCents == text) }
}
