internal import JSON
internal import SettingsJSON
internal import SettingsModel
internal import Spelling

/// Reading what values are allowed.
extension SchemaReader {
    /// How deep arrays and records may be nested; D-Bus would allow four times as much (D-Bus Specification, "Valid
    /// signatures").
    private static let deepestValue = 8

    /// The rule of a setting, an item, a field or an argument; nil, reported, where there is none.
    ///
    /// - Parameters:
    ///   - keywords: those that it takes beside its type's.
    ///   - what: what takes them, with an article.
    mutating func rule(
        _ place: Place, also keywords: [String], of what: String, allowsRecord: Bool = false, depth: Int = 1
    ) -> ValueRule? {
        let types = Keywords.types.filter { allowsRecord || $0 != "object" }
        guard let type = typeName(of: place, allowed: types) else { return nil }
        let own = Keywords.ofType.first { $0.type == type }?.keywords ?? []
        let required = type == "object" ? ["required"] : []
        let article = type.utf8.first.map { "aeiou".utf8.contains($0) } ?? false ? "an" : "a"
        check(place, takes: ["type"] + own + required + keywords, of: "\(what) that is \(article) \(type)")
        switch type {
        case "boolean": return .boolean
        case "integer": return integers(place)
        case "number": return numbers(place)
        case "string": return strings(place)
        default:
            if depth > Self.deepestValue {
                report(place, "arrays and records are nested more than \(Self.deepestValue) deep")
                return nil
            }
            return type == "array" ? list(place, depth) : record(place, depth)
        }
    }

    // MARK: Numbers

    private mutating func integers(_ place: Place) -> ValueRule? {
        let read = { (place: Place) in place.value.number?.integer }
        return bounds(place, "an integer of 64 bits", read).map(ValueRule.integer)
    }

    private mutating func numbers(_ place: Place) -> ValueRule? {
        let read = { (place: Place) in place.value.number.map(\.double).flatMap { $0.isFinite ? $0 : nil } }
        return bounds(place, "a number", read).map(ValueRule.number)
    }

    private mutating func bounds<Number>(
        _ place: Place, _ words: String, _ read: (Place) -> Number?
    ) -> Bounds<Number>? where Number: Comparable & Hashable & Sendable {
        var bounds = Bounds<Number>()
        for (name, part) in [("minimum", \Bounds<Number>.minimum), ("maximum", \.maximum)] {
            guard let limit = place[name] else { continue }
            guard let number = read(limit) else {
                report(limit, "\(name) takes \(words), found \(limit.value.words)")
                return nil
            }
            bounds[keyPath: part] = number
        }
        if let minimum = bounds.minimum, let maximum = bounds.maximum, minimum > maximum, let limit = place["maximum"] {
            report(limit, "the maximum, \(maximum), is below the minimum, \(minimum)")
            return nil
        }
        let choices = self.choices(place, words, read)
        bounds.choices = choices.map(\.value)
        for choice in choices {
            let isAllowed =
                (bounds.minimum.map { $0 <= choice.value } ?? true) && (bounds.maximum.map { $0 >= choice.value } ?? true)
            if !isAllowed { report(choice.place, "\(choice.value) is not between minimum and maximum") }
        }
        return bounds
    }

    private mutating func choices<Choice: Hashable>(
        _ place: Place, _ words: String, _ read: (Place) -> Choice?
    ) -> [(value: Choice, place: Place)] {
        guard let list = place["enum"] else { return [] }
        guard list.value.array?.isEmpty == false else {
            report(
                list, "enum takes an array of one value at least, found \(list.value.array == nil ? list.value.words : "none")")
            return []
        }
        var choices: [(value: Choice, place: Place)] = []
        var known: Set<Choice> = []
        for element in list.elements {
            guard let value = read(element) else {
                report(element, "enum takes \(words) here, found \(element.value.words)")
                continue
            }
            if !known.insert(value).inserted { report(element, "the value was given before; give it once") }
            choices.append((value, element))
        }
        return choices
    }

    // MARK: Strings

    private mutating func strings(_ place: Place) -> ValueRule? {
        var rule = StringRule()
        (rule.minimumLength, rule.maximumLength) = counts(place, "minLength", "maxLength")
        if let name = place["format"] { rule.format = format(name) }
        if let source = place["pattern"] { rule.pattern = pattern(source) }
        let choices = self.choices(place, "strings") { $0.value.string.map(SettingValue.string) }
        for choice in choices {
            if let fault = ValueRule.string(rule).fault(in: choice.value, &effort) {
                report(choice.place, "the choice is not allowed: \(fault)")
            }
        }
        if !choices.isEmpty { rule.choices = Choices(choices.compactMap(\.value.string).map { Choice($0, $0) }) }
        return .string(rule)
    }

    private mutating func format(_ place: Place) -> StringFormat? {
        guard let name = place.value.string else {
            report(place, "format takes a string, found \(place.value.words)")
            return nil
        }
        if let format = StringFormat.named.first(where: { $0.name == name }) { return format }
        let known = StringFormat.named.map(\.name)
        let hint = Suggestion.hint(for: name, among: known, otherwise: "; known are \(known.joined(separator: ", "))")
        report(place, "there is no format \(name.quoted())\(hint)")
        return nil
    }

    private mutating func pattern(_ place: Place) -> Pattern? {
        guard let source = place.value.string else {
            report(place, "pattern takes a string, found \(place.value.words)")
            return nil
        }
        do throws(CompiledPattern.Fault) {
            return try Pattern(compiling: source)
        } catch {
            report(place, "the pattern is no regular expression: \(error.message), at its character \(error.place)")
            return nil
        }
    }

    /// The least and the greatest count of something.
    private mutating func counts(_ place: Place, _ least: String, _ greatest: String) -> (Int, Int?) {
        let minimum = place[least].flatMap { count($0, least) }
        let maximum = place[greatest].flatMap { count($0, greatest) }
        if let minimum, let maximum, minimum > maximum, let limit = place[greatest] {
            report(limit, "\(greatest), \(maximum), is below \(least), \(minimum)")
            return (minimum, nil)
        }
        return (minimum ?? 0, maximum)
    }

    private mutating func count(_ place: Place, _ name: String) -> Int? {
        if let count = place.value.number?.integer.flatMap(Int.init(exactly:)), count >= 0 { return count }
        report(place, "\(name) takes a whole number from 0 on, found \(place.value.words)")
        return nil
    }

    // MARK: Lists and records

    private mutating func list(_ place: Place, _ depth: Int) -> ValueRule? {
        let (minimum, maximum) = counts(place, "minItems", "maxItems")
        var isUnique = false
        if let unique = place["uniqueItems"] {
            if let flag = unique.value.boolean {
                isUnique = flag
            } else {
                report(unique, "uniqueItems takes true or false, found \(unique.value.words)")
            }
        }
        guard let items = place["items"] else {
            report(place, "\"items\" is missing; it says what the array holds")
            return nil
        }
        guard expectObject(items),
            let item = rule(items, also: [], of: "an item", allowsRecord: true, depth: depth + 1)
        else { return nil }
        return .list(ListRule(of: item, minimumCount: minimum, maximumCount: maximum, isUnique: isUnique))
    }

    private mutating func record(_ place: Place, _ depth: Int) -> ValueRule? {
        guard let properties = place["properties"] else {
            report(place, "\"properties\" is missing; it holds the fields of the record")
            return nil
        }
        guard expectObject(properties) else { return nil }
        var fields: [RecordRule.Field] = []
        for (name, field) in properties.members {
            if let fault = Names.fieldFault(name) { reportKey(field, "\(name.quoted()) is no name of a field: \(fault)") }
            guard expectObject(field), let rule = rule(field, also: [], of: "a field", depth: depth + 1) else { continue }
            fields.append(RecordRule.Field(name, rule, line(field["description"] ?? field["title"])))
        }
        if let required = place["required"] { markRequired(&fields, required) }
        return .record(RecordRule(fields))
    }

    private mutating func markRequired(_ fields: inout [RecordRule.Field], _ place: Place) {
        if place.value.array == nil { return report(place, "required takes an array of fields, found \(place.value.words)") }
        for element in place.elements {
            let name = element.value.string ?? ""
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index].isRequired = true
            } else {
                report(element, "there is no field \(name.quoted())\(Suggestion.hint(for: name, among: fields.map(\.name)))")
            }
        }
    }

    // MARK: Values

    /// A value that a rule is for; nil, reported, where the rule does not take it.
    mutating func value(_ place: Place, for rule: ValueRule, of what: String) -> SettingValue? {
        do throws(JSONMisfit) {
            let value = try SettingValue(place.value, for: rule)
            guard let refusal = rule.refusal(of: value, &effort) else { return value }
            report(Place(value: place.value, path: place.path + refusal.path), "\(what) is not allowed: \(refusal.message)")
        } catch {
            report(Place(value: error.found, path: place.path + error.path), "\(what)\(error.message)")
        }
        return nil
    }
}
