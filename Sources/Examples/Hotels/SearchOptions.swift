import ExampleSupport
import SettingsClient
import SettingsCommand
import Spelling

extension Invocation {
    var drawing: Drawing { Drawing(isASCII: has("ascii") || !Terminal.isUTF8) }

    /// The arguments of the action that the options ask for.
    func changes() throws(Failure) -> [String: SettingValue] {
        var changes: [String: SettingValue] = [:]
        if let text = self["text"] { changes["text"] = .string(text) }
        if let text = self["max-price"] { changes["price_limit"] = .number(try number(text, of: "max-price", upTo: .infinity)) }
        if let text = self["min-rating"] {
            let rating = try number(text, of: "min-rating", upTo: 5)
            guard rating * 2 == (rating * 2).rounded() else {
                throw .usage("--min-rating takes half stars, such as 3.5, not \(text)")
            }
            changes["least_rating"] = .number(rating)
        }
        if let order = self["order"] {
            guard Search.Order(rawValue: order) != nil else {
                let orders = Search.Order.allCases.map(\.rawValue)
                throw .usage(
                    "--order takes \(orders.joined(separator: ", ")), not \(order)",
                    hint: Suggestion.nearest(to: order, among: orders).map { "did you mean \($0)?" })
            }
            changes["order"] = .string(order)
        }
        if let text = self["vacant"] { changes["only_vacant"] = .boolean(try flag(text, of: "vacant")) }
        if let text = self["favourites"] { changes["only_favourites"] = .boolean(try flag(text, of: "favourites")) }
        return changes
    }

    /// A number from 0 on; `any` is 0, which sets no limit.
    private func number(_ text: String, of option: String, upTo limit: Double) throws(Failure) -> Double {
        if text == "any" { return 0 }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].count == 3, let whole = Int(parts.joined()), let part = Double(parts.joined(separator: "."))
        {
            throw .usage("--\(option) \(text) may be either of two numbers", hint: "write \(whole) or \(part.short)")
        }
        // Half of Europe writes a comma.
        let number = Double(String(text.map { $0 == "," ? "." : $0 }))
        guard let number, number.isFinite, (0...limit).contains(number) else {
            throw .usage("--\(option) takes a number from 0 \(limit.isFinite ? "to \(limit.short)" : "on"), or any, not \(text)")
        }
        return number
    }

    private func flag(_ text: String, of option: String) throws(Failure) -> Bool {
        switch text {
        case "yes", "on", "true": return true
        case "no", "off", "false": return false
        default: throw .usage("--\(option) takes yes or no, not \(text)")
        }
    }
}

extension Search {
    /// The search after the action with these arguments.
    func changed(_ changes: [String: SettingValue]) -> Search {
        var search = self
        for (name, value) in changes {
            switch (name, value) {
            case ("text", .string(let text)): search.text = text
            case ("order", .string(let order)): search.order = Order(rawValue: order) ?? search.order
            case ("price_limit", .number(let limit)): search.price.limit = limit
            case ("least_rating", .number(let least)): search.rating.least = least
            case ("only_vacant", .boolean(let vacant)): search.only.vacant = vacant
            case ("only_favourites", .boolean(let favourites)): search.only.favourites = favourites
            default: continue
            }
        }
        return search
    }
}
