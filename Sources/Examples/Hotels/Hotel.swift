import JSON

/// A hotel; nil where nothing is known.
struct Hotel: Encodable, Equatable {
    var id: String?
    var name: String?
    var city: String?
    /// Of a night.
    var price: Double?
    /// Stars, from 0 to 5.
    var rating: Double?
    /// In kilometres.
    var distance: Double?
    var vacant: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, city, price, rating, distance, vacant
    }
}

/// A field that is not what it should be, and counts as unknown.
struct Misfit: Equatable {
    var field: String
    var text: String
}

extension Hotel {
    /// Whether an object has anything to say of a hotel.
    static func isDescribed(by object: JSONObject) -> Bool {
        object.members.contains { CodingKeys(rawValue: $0.key) != nil }
    }

    /// Reads a hotel. A field may be missing or null.
    ///
    /// - Parameter misfits: gets what else has no use.
    init(_ object: JSONObject, misfits: inout [Misfit]) {
        for (name, value) in object.members where value != .null {
            let field = Field(name: name, value: value)
            switch name {
            case "id": id = field.id(&misfits)
            case "name": self.name = field.text(&misfits)
            case "city": city = field.text(&misfits)
            case "price": price = field.number("a number from 0 on", &misfits) { $0 >= 0 }
            case "rating": rating = field.number("a number from 0 to 5", &misfits) { (0...5).contains($0) }
            case "distance": distance = field.number("a number from 0 on", &misfits) { $0 >= 0 }
            case "vacant": vacant = field.flag(&misfits)
            default: break
            }
        }
    }
}

/// A field that is there.
private struct Field {
    let name: String
    let value: JSONValue

    private func report(_ expected: String, _ misfits: inout [Misfit]) {
        let found = String(decoding: JSONWriter.line(value), as: UTF8.self)
        let short = found.count > 40 ? found.prefix(40) + "…" : found
        misfits.append(Misfit(field: name, text: "\(name) is \(short), and not \(expected)"))
    }

    /// An empty text says nothing.
    func text(_ misfits: inout [Misfit]) -> String? {
        if let text = value.string { return text.isEmpty ? nil : text }
        report("a text", &misfits)
        return nil
    }

    /// A text, or a whole number in its place.
    func id(_ misfits: inout [Misfit]) -> String? {
        if let number = value.number, number.integer != nil { return number.text }
        return text(&misfits)
    }

    func number(_ expected: String, _ misfits: inout [Misfit], _ isAllowed: (Double) -> Bool) -> Double? {
        if let number = value.number?.double, number.isFinite, isAllowed(number) { return number }
        report(expected, &misfits)
        return nil
    }

    func flag(_ misfits: inout [Misfit]) -> Bool? {
        if value.boolean == nil { report("true or false", &misfits) }
        return value.boolean
    }
}
