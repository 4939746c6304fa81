import ExampleSupport
import Foundation

/// All settings of the schema: what is looked for.
struct Search: Codable, Equatable {
    enum Order: String, Codable, CaseIterable {
        case price, rating, name, distance
    }

    /// What may leave hotels out, by the option that says so.
    enum Limit: String, CaseIterable {
        case text
        case price = "max-price"
        case rating = "min-rating"
        case vacant, favourites
    }

    struct Price: Codable, Equatable { var limit: Double }
    struct Rating: Codable, Equatable { var least: Double }
    struct Only: Codable, Equatable { var vacant, favourites: Bool }

    var text: String
    var order: Order
    var price: Price
    var rating: Rating
    var only: Only
    var favourites: [String]
}

/// The hotels that a search finds, in its order.
struct Findings {
    let search: Search
    /// How many hotels were looked at.
    private(set) var total = 0
    /// How many were found.
    private(set) var count = 0
    /// How many each part of the search leaves out, others or not.
    private(set) var leftOut: [Search.Limit: Int] = [:]

    private let words: [String]
    private let favourites: Set<String>
    private let limit: Int
    private var found: [Candidate] = []

    /// A hotel that was found, and what tells its place among the others.
    private struct Candidate {
        let hotel: Hotel
        let number: Double?
        let text: String?
        /// Its place in the file.
        let place: Int
    }

    /// - Parameter limit: how many of the first are kept.
    init(_ search: Search, limit: Int = .max) {
        self.search = search
        self.limit = limit
        words = search.text.searchWords
        favourites = Set(search.favourites)
    }

    /// Looks at a hotel.
    mutating func take(_ hotel: Hotel) {
        total += 1
        let limits = limits(against: hotel)
        for limit in limits { leftOut[limit, default: 0] += 1 }
        guard limits.isEmpty else { return }
        count += 1
        found.append(candidate(hotel))
        // What cannot be among the first any more is let go, in large pieces.
        if limit < .max / 2, found.count >= 2 * limit + 1000 { found = Array(sorted.prefix(limit)) }
    }

    /// The first ones.
    var hotels: [Hotel] { sorted.prefix(limit).map(\.hotel) }

    func isFavourite(_ hotel: Hotel) -> Bool { hotel.id.map(favourites.contains) ?? false }

    /// What leaves a hotel out. What is not known is within no limit.
    private func limits(against hotel: Hotel) -> [Search.Limit] {
        var limits: [Search.Limit] = []
        if !words.isEmpty {
            let text = "\(hotel.name ?? "")\n\(hotel.city ?? "")".folded
            if !words.allSatisfy({ text.contains($0) }) { limits.append(.text) }
        }
        if search.price.limit > 0, hotel.price.map({ $0 > search.price.limit }) ?? true { limits.append(.price) }
        if search.rating.least > 0, hotel.rating.map({ $0 < search.rating.least }) ?? true { limits.append(.rating) }
        if search.only.vacant, hotel.vacant != true { limits.append(.vacant) }
        if search.only.favourites, !isFavourite(hotel) { limits.append(.favourites) }
        return limits
    }

    private func candidate(_ hotel: Hotel) -> Candidate {
        switch search.order {
        case .price: Candidate(hotel: hotel, number: hotel.price, text: nil, place: total)
        // The best come first.
        case .rating: Candidate(hotel: hotel, number: hotel.rating.map { -$0 }, text: nil, place: total)
        case .distance: Candidate(hotel: hotel, number: hotel.distance, text: nil, place: total)
        case .name: Candidate(hotel: hotel, number: nil, text: hotel.name?.folded, place: total)
        }
    }

    /// What is not known comes last, and what is the same as in the file.
    private var sorted: [Candidate] {
        found.sorted { a, b in
            Self.isBefore(a.number, b.number) ?? Self.isBefore(a.text, b.text) ?? (a.place < b.place)
        }
    }

    private static func isBefore<Key: Comparable>(_ a: Key?, _ b: Key?) -> Bool? {
        guard let a, let b else { return (a == nil) == (b == nil) ? nil : a != nil }
        return a == b ? nil : a < b
    }
}
