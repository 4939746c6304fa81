import ExampleSupport
import Foundation
import SettingsCommand
import Spelling

/// The time zones that the system knows: what its copy of the IANA database says about names, places and countries.
struct ZoneDatabase {
    /// A zone's name, and what else it may be found by.
    struct Place {
        var name: String
        var countries: [String] = []
        /// Which part of a large country it is.
        var comment = ""
        /// What it is another name for; nil for a zone's own name.
        var target: String?

        /// The last part of the name, as people write it.
        var city: String { cityName(name) }

        /// Whether it is `Etc/GMT+2` or another whose sign is the reverse of what people write (tzfile's etcetera).
        var isReversed: Bool { name.hasPrefix("Etc/GMT+") || name.hasPrefix("Etc/GMT-") }
    }

    /// How a name stands in the database.
    enum Standing: Equatable {
        case known
        case alias(of: String)
        case unknown
    }

    private let folder: String
    /// Whether TZDIR names the folder (tzset(3)).
    private let isOwn: Bool
    private var places: [String: Place] = [:]

    /// Why no zone at all is known here, and what to do about it; nil where some are.
    var absence: Failure? {
        guard places.isEmpty, clocks(of: "UTC") == nil, clocks(of: "Europe/London") == nil else { return nil }
        return Failure(
            "this system has no time zones: there are none in \(folder)" + (isOwn ? ", which TZDIR names" : ""),
            hint: isOwn
                ? "unset TZDIR, or let it name a folder that has them, as /usr/share/zoneinfo" : "install the package tzdata",
            name: "NoZones")
    }

    /// Reads tzdata.zi for the names, zone.tab, zone1970.tab and iso3166.tab for countries; what is not there is done without.
    init() {
        let own = ProcessInfo.processInfo.environment["TZDIR"] ?? ""
        (folder, isOwn) = own.isEmpty ? ("/usr/share/zoneinfo", false) : (own, true)
        let countries = Dictionary(rows("iso3166.tab").map { ($0[0], $0.last ?? "") }) { first, _ in first }
        for row in rows("zone.tab") + rows("zone1970.tab") where row.count >= 3 && places[row[2]] == nil {
            let names = row[0].split(separator: ",").map { countries[String($0)] ?? String($0) }
            places[row[2]] = Place(name: row[2], countries: names, comment: row.count > 3 ? row[3] : "")
        }
        let names = lines("tzdata.zi").filter { $0.hasPrefix("Z ") || $0.hasPrefix("L ") }
        for words in names.map({ $0.split(separator: " ").map(String.init) }) where words.count >= 3 {
            switch words[0] {
            case "Z" where places[words[1]] == nil: places[words[1]] = Place(name: words[1])
            // A place in the tables is a zone in its own right, whatever file the database keeps it in.
            case "L" where places[words[2]] == nil: places[words[2]] = Place(name: words[2], target: words[1])
            default: break
            }
        }
    }

    private func lines(_ file: String) -> [Substring] {
        let content = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
        return String(decoding: content, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    private func rows(_ file: String) -> [[String]] {
        lines(file).map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    // MARK: Names

    func standing(of name: String) -> Standing {
        guard clocks(of: name) != nil else { return .unknown }
        return places[name]?.target.map { .alias(of: $0) } ?? .known
    }

    /// - Returns: nil where the system has no such zone. An alias goes without a file of its own.
    func clocks(of name: String) -> Clocks? {
        let file = [name, places[name]?.target ?? ""].first { isZone("\(folder)/\($0)") }
        return file.map { Clocks(file: $0) }
    }

    /// Whether there is a file that begins as RFC 9636 has it.
    private func isZone(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path)?.starts(with: Data("TZif".utf8)) ?? false
    }

    /// The name of the zone here, as the system has been told (tzset(3), localtime(5), timezone(5)).
    var here: String {
        if let variable = Clocks.variable?.drop(while: { $0 == ":" }) { return variable.isEmpty ? "UTC" : String(variable) }
        let files = FileManager.default
        guard files.fileExists(atPath: "/etc/localtime") else { return "UTC" }
        var target = ""
        do {
            target = try files.destinationOfSymbolicLink(atPath: "/etc/localtime")
        } catch {
            // It is a copy, which does not tell its name.
        }
        if let prefix = target.range(of: "/zoneinfo/") { return String(target[prefix.upperBound...]) }
        let name = String(decoding: files.contents(atPath: "/etc/timezone") ?? Data(), as: UTF8.self)
        return name.isEmpty ? "local time" : name.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What the zone here is called: a rule names no city.
    var hereCity: String {
        guard let variable = Clocks.variable, !isZone(ofVariable: variable), isHereKnown else { return cityName(here) }
        return "local time (\(Clocks.here.names.joined(separator: ", ")))"
    }

    /// Whether the system knows the zone here; it takes what `TZ` says for UTC where that is neither a file nor a rule.
    var isHereKnown: Bool {
        guard let variable = Clocks.variable, !variable.isEmpty else { return true }
        return isZone(ofVariable: variable) || variable.first != ":" && Self.isRule(variable)
    }

    /// Whether what `TZ` says is a file of the database, or nothing, which is UTC.
    private func isZone(ofVariable variable: String) -> Bool {
        let name = variable.drop { $0 == ":" }
        return name.isEmpty || isZone(name.hasPrefix("/") ? String(name) : "\(folder)/\(name)")
    }

    /// Whether a text begins as POSIX has a rule: a name of three letters or more, or one in brackets, and an offset.
    private static func isRule(_ text: String) -> Bool {
        let isBracketed = text.first == "<"
        let name = text.drop { $0 == "<" }.prefix { $0.isASCII && ($0.isLetter || isBracketed && $0 != ">") }
        let offset = text.dropFirst(name.count + (isBracketed ? 2 : 0)).drop { $0 == "+" || $0 == "-" }
        return name.count >= 3 && offset.first.map { $0.isASCII && $0.isNumber } == true
    }

    // MARK: Searching

    /// The places that a text stands for: a name, a city, a part of one, or a country; the best first.
    func search(_ text: String) -> [Place] {
        let wanted = text.foldedPlace
        if wanted.isEmpty { return [] }
        let ranked = places.values.compactMap { place in rank(place, wanted).map { (rank: $0, place: place) } }
        return ranked.sorted { ($0.rank, $0.place.name) < ($1.rank, $1.place.name) }.map(\.place)
    }

    /// The zone that somebody may have meant who has misspelt its name or city.
    func nearest(to text: String) -> String? {
        let names = places.values.sorted { $0.name < $1.name }
        if let name = Suggestion.nearest(to: text, among: names.map(\.name)) { return name }
        let city = Suggestion.nearest(to: text.lowercased(), among: names.map { $0.city.lowercased() })
        return city.flatMap { city in names.first { $0.city.lowercased() == city }?.name }
    }

    private func rank(_ place: Place, _ wanted: String) -> Int? {
        let (name, city, countries) = (place.name.foldedPlace, place.city.foldedPlace, place.countries.map(\.foldedPlace))
        let isFound = [
            name == wanted, city == wanted, countries.contains(wanted), city.hasPrefix(wanted), name.contains(wanted),
            (countries + [place.comment.foldedPlace]).contains { $0.contains(wanted) },
        ]
        // An alias comes behind what has the same claim by its own name.
        return isFound.firstIndex(of: true).map { $0 * 2 + (place.target == nil ? 0 : 1) }
    }

    /// The zone that an offset means, as `+2` or `UTC+2`.
    ///
    /// - Returns: nil where the text is no offset, or no zone has that one.
    func zone(ofOffset text: String) -> String? {
        let word = text.trimmingCharacters(in: .whitespaces).uppercased()
        let offset = ["GMT", "UTC"].contains { word.hasPrefix($0) } ? word.dropFirst(3) : word[...]
        guard let sign = offset.first, "+-".contains(sign), let hours = wholeNumber(offset.dropFirst()) else { return nil }
        let name = "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
        return places[name] == nil ? nil : name
    }

    /// The one place that a name or a city stands for.
    ///
    /// - Returns: nil where there is none, or more than one.
    func place(_ text: String) -> Place? {
        // Without the tables there are the files.
        if places.isEmpty, clocks(of: text) != nil { return Place(name: text) }
        let wanted = text.foldedPlace
        let all = places.values
        if let place = places[text] ?? all.first(where: { $0.name.foldedPlace == wanted }) { return place }
        let named = all.filter { $0.city.foldedPlace == wanted && !$0.isReversed }
        // What has two names in the database is one place: its own name counts.
        let zones = Set(named.map { $0.target ?? $0.name })
        return zones.count == 1 ? places[zones.first ?? ""] : nil
    }
}

/// The last part of a zone's name, as people write it.
func cityName(_ zone: String) -> String {
    (zone.split(separator: "/").last.map(String.init) ?? zone).replacingOccurrences(of: "_", with: " ")
}

extension String {
    /// As people search: `São Paulo` is `sao_paulo`, and `St. John's` and `Saint Johns` are `st_johns`.
    var foldedPlace: String {
        let folded = folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        var text = ""
        for (character, next) in zip(folded, folded.dropFirst().map(Optional.some) + [nil]) {
            // The sign of `Etc/GMT-2` is no hyphen.
            let isHyphen = character == "-" && next?.isLetter == true
            if "'’ʼ".contains(character) { continue }
            text.append(isHyphen || " ._".contains(character) ? "_" : character)
        }
        let words = text.split(separator: "_").map { $0 == "saint" ? "st" : $0 }
        return words.joined(separator: "_")
    }
}
