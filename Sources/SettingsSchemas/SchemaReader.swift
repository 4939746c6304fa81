internal import JSON
internal import SettingsJSON
internal import SettingsModel
internal import Spelling

/// A value in the text of a schema, and the way to it.
struct Place {
    let value: JSONValue
    let path: [String]

    /// A member of an object, or nil.
    subscript(name: String) -> Place? { value.object?[name].map { Place(value: $0, path: path + [name]) } }

    /// The members of an object, in order.
    var members: [(name: String, place: Place)] {
        (value.object?.members ?? []).map { ($0.key, Place(value: $0.value, path: path + [$0.key])) }
    }

    /// The elements of an array, in order.
    var elements: [Place] {
        (value.array ?? []).enumerated().map { Place(value: $0.element, path: path + [String($0.offset)]) }
    }
}

/// Makes a schema of a JSON document and finds all that is wrong with it.
struct SchemaReader {
    private let document: JSONDocument
    private(set) var faults: [SchemaFault] = []
    /// The settings found so far, in order.
    private(set) var settings: [Setting] = []
    /// Where each of them stands.
    private var places: [Place] = []
    /// What may still be done to check the values in it.
    var effort = Effort.schema
    /// The keys of those with a fault, which is reported where they stand and not again where an action names them.
    private(set) var faultyKeys: Set<String> = []

    init(_ document: JSONDocument) { self.document = document }

    /// The schema, as far as it is right; nil where the text is none at all.
    mutating func schema(application: String) -> Schema? {
        let root = Place(value: document.root, path: [])
        guard root.value.object != nil else {
            report(root, "expected an object with type, properties and actions, found \(root.value.words)")
            return nil
        }
        check(root, takes: ["$schema", "$id", "type", "properties", "actions"], of: "a schema")
        readSection(root, prefix: [])
        checkNames()
        let actions = root["actions"].map { self.actions($0) } ?? []
        return Schema(
            application: application, title: line(root["title"]), summary: line(root["description"]), settings: settings,
            actions: actions)
    }

    // MARK: Sections and settings

    private static let deepestSection = 4

    private mutating func readSection(_ section: Place, prefix: [String]) {
        // Where the type is only missing, what else is wrong can be told at once.
        if typeName(of: section, allowed: ["object"]) == nil, section["type"] != nil { return }
        guard let properties = section["properties"] else {
            return report(
                section, "\"properties\" is missing; it holds the settings of \(prefix.isEmpty ? "the schema" : "the section")")
        }
        guard expectObject(properties) else { return }
        for (name, place) in properties.members {
            let path = prefix + [name]
            if let fault = Names.keyPartFault(name) {
                reportKey(place, "\(name.quoted()) is no key: \(fault)")
                // What is wrong in it is told all the same.
                if place.value.object != nil, place["type"]?.value.string != "object" {
                    _ = setting(place, path.joined(separator: "."))
                }
            } else if prefix.isEmpty, Names.reservedKeys.contains(name) {
                reportKey(place, "\(name) stands for something else at the top of a settings file; choose another name")
            } else if path.joined(separator: ".").utf8.count > 200 {
                reportKey(place, "the key has more than 200 bytes")
            } else if expectObject(place) {
                readProperty(place, path)
            }
        }
    }

    private mutating func readProperty(_ place: Place, _ path: [String]) {
        guard place["type"]?.value.string != "object" else {
            check(place, takes: ["type", "properties"], of: "a section")
            if path.count > Self.deepestSection {
                return reportKey(place, "sections are nested more than \(Self.deepestSection) deep")
            }
            return readSection(place, prefix: path)
        }
        let key = path.joined(separator: ".")
        guard let setting = setting(place, key) else {
            faultyKeys.insert(key)
            return
        }
        settings.append(setting)
        places.append(place)
    }

    private mutating func setting(_ place: Place, _ key: String) -> Setting? {
        guard let rule = rule(place, also: Keywords.ofSettings.map(\.name), of: "a setting") else { return nil }
        guard let defaultPlace = place["default"] else {
            report(place, "\(key) has no default; every setting needs one")
            return nil
        }
        guard let value = value(defaultPlace, for: rule, of: "the default") else { return nil }
        let formerKeys = place["renamedFrom"].map { self.formerKeys($0) } ?? []
        return Setting(key, rule, default: value, line(place["description"] ?? place["title"]), renamedFrom: formerKeys)
    }

    private mutating func formerKeys(_ place: Place) -> [String] {
        guard place.value.array != nil else {
            report(place, "renamedFrom takes an array of keys, found \(place.value.words)")
            return []
        }
        return place.elements.compactMap { element in
            guard let key = element.value.string else {
                report(element, "renamedFrom takes keys, found \(element.value.words)")
                return nil
            }
            if let fault = Setting.path(of: key).compactMap(Names.keyPartFault).first {
                report(element, "\(key.quoted()) is no key: \(fault)")
                return nil
            }
            return key
        }
    }

    /// Finds settings that would have one name on the bus, and former keys that mean something else now.
    private mutating func checkNames() {
        var properties: [String: String] = [:]
        var former: [String: String] = [:]
        let sections = Set(settings.flatMap { Self.sections(of: $0.key) })
        let keys = Set(settings.map(\.key))
        for (setting, place) in zip(settings, places) {
            if let other = properties.updateValue(setting.key, forKey: setting.propertyName) {
                reportKey(place, "\(setting.key) and \(other) have one name on the bus, \(setting.propertyName); rename one")
            }
            for (key, element) in zip(setting.renamedFrom, place["renamedFrom"]?.elements ?? []) {
                let top = key.prefix { $0 != "." }
                if keys.contains(key) {
                    report(element, "\(key) is a setting of this schema; it cannot be \(setting.key)'s former key")
                } else if sections.contains(key) || Self.sections(of: key).contains(where: keys.contains) {
                    report(element, "\(key) cannot stand in a settings file beside this schema's settings")
                } else if Names.reservedKeys.contains(String(top)) {
                    report(element, "\(top) stands for something else at the top of a settings file")
                } else if let other = former.updateValue(setting.key, forKey: key) {
                    report(element, "\(key) is \(other)'s former key, too; one setting gets its value")
                }
            }
        }
    }

    /// `a.b.c` → `a`, `a.b`.
    private static func sections(of key: String) -> [String] {
        let parts = Setting.path(of: key)
        return (1..<max(1, parts.count)).map { parts.prefix($0).joined(separator: ".") }
    }

    // MARK: Parts

    /// Reports keywords that do not belong where they stand.
    ///
    /// - Parameter what: what takes the keywords, with an article.
    mutating func check(_ place: Place, takes keywords: [String], of what: String) {
        for (name, member) in place.members
        where !keywords.contains(name) && !Keywords.annotations.contains(name) && !name.utf8.starts(with: "x-".utf8) {
            let takes = "; \(what) takes \(keywords.joined(separator: ", "))"
            if let own = Keywords.ofSettings.first(where: { $0.name == name }) {
                reportKey(member, "\(name) is not for \(what); \(own.reason)")
            } else if Keywords.ofType.contains(where: { $0.keywords.contains(name) }) {
                reportKey(member, "\(name) is not for \(what)\(takes)")
            } else if let instead = Keywords.unsupported[name] {
                reportKey(member, "\(name) is not supported\(instead.isEmpty ? takes : "; \(instead)")")
            } else {
                let known = keywords + Keywords.annotations.sorted()
                reportKey(
                    member, "there is no keyword \(name.quoted())\(Suggestion.hint(for: name, among: known, otherwise: takes))")
            }
        }
    }

    /// The type that a place names; nil, reported, where it names none of these.
    mutating func typeName(of place: Place, allowed: [String]) -> String? {
        let expected = allowed.count == 1 ? allowed[0] : "one of \(allowed.joined(separator: ", "))"
        guard let type = place["type"] else {
            let example = "\"type\": \(allowed[0].quoted())"
            let remedy = allowed.count == 1 ? "write \(example)" : "it is \(expected), such as \(example)"
            report(place, "\"type\" is missing; \(remedy)")
            return nil
        }
        guard let name = type.value.string else {
            report(type, "expected one type as a string, found \(type.value.words)")
            return nil
        }
        if allowed.contains(name) { return name }
        let hint = Suggestion.hint(for: name, among: allowed, otherwise: "; expected \(expected)")
        report(type, "there is no type \(name.quoted()) here\(hint)")
        return nil
    }

    mutating func expectObject(_ place: Place) -> Bool {
        if place.value.object != nil { return true }
        report(place, "expected an object, found \(place.value.words)")
        return false
    }

    /// A text for people, in one line without a full stop.
    mutating func line(_ place: Place?) -> String {
        guard let place else { return "" }
        guard let text = place.value.string else {
            report(place, "expected a string, found \(place.value.words)")
            return ""
        }
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let line = words.map { String($0) }.joined(separator: " ")
        return line.hasSuffix(".") && !line.hasSuffix("..") ? String(line.dropLast()) : line
    }

    // MARK: Faults

    /// Notes what is wrong with a value.
    mutating func report(_ place: Place, _ message: String) {
        guard faults.count < SchemaFaults.limit else { return }
        faults.append(SchemaFault(position: document.position(of: place.path), message: message))
    }

    /// Notes what is wrong with the key of a member.
    mutating func reportKey(_ place: Place, _ message: String) {
        guard faults.count < SchemaFaults.limit else { return }
        faults.append(SchemaFault(position: document.keyPosition(of: place.path), message: message))
    }
}
