internal import JSON
internal import SettingsJSON
internal import SettingsModel
internal import Spelling

/// Reads one edit of an action, whose key is known.
struct EditReader {
    let edit: Place
    let verb: String
    /// Where the key stands.
    let target: Place
    let setting: Setting
    let arguments: [ActionDeclaration.Argument]

    private var key: KeyReference { .key(setting.key) }

    mutating func step(_ reader: inout SchemaReader) -> Step? {
        switch verb {
        case "set": operand("to", for: setting.rule, &reader).map { .set(key, to: $0) }
        case "reset": .reset(setting.key)
        case "insert": insert(&reader)
        case "remove": remove(&reader)
        case "update": update(&reader)
        case "toggle": toggle(&reader)
        default: add(&reader)
        }
    }

    private func insert(_ reader: inout SchemaReader) -> Step? {
        guard let list = list(&reader), let value = operand("value", for: list.item, &reader) else { return nil }
        guard edit["at"] != nil else { return .insert(key, value, at: nil) }
        return operand("at", for: .integer(Bounds(minimum: 0)), &reader).map { .insert(key, value, at: $0) }
    }

    private func remove(_ reader: inout SchemaReader) -> Step? {
        guard let list = list(&reader) else { return nil }
        if edit["value"] != nil, let place = edit["where"] {
            reader.reportKey(place, "remove takes value or where, not both")
            return nil
        }
        if edit["where"] != nil { return selection(list, &reader).map { .remove(key, .matching($0)) } }
        return operand("value", for: list.item, &reader).map { .remove(key, .value($0)) }
    }

    private func update(_ reader: inout SchemaReader) -> Step? {
        guard let list = list(&reader), let selection = selection(list, &reader) else { return nil }
        return fields("with", list, &reader).map { .update(key, where: selection, with: $0) }
    }

    private func toggle(_ reader: inout SchemaReader) -> Step? {
        if setting.rule == .boolean {
            for name in ["where", "field"] {
                if let place = edit[name] { reader.reportKey(place, "\(setting.key) is a boolean and has no \(name)") }
            }
            return .toggle(key)
        }
        guard setting.rule.list?.item.record != nil else {
            reader.report(target, "toggle takes a boolean or a list of records; \(setting.key) takes \(setting.type.words)")
            return nil
        }
        guard let list = list(&reader), let selection = selection(list, &reader), let place = part("field", &reader) else {
            return nil
        }
        let name = place.value.string ?? ""
        let booleans = list.item.record?.fields.filter { $0.rule == .boolean }.map(\.name) ?? []
        if booleans.contains(name) { return .toggleField(key, where: selection, field: name) }
        let hint = Suggestion.hint(for: name, among: booleans)
        reader.report(place, "field takes the name of a boolean field of \(setting.key), found \(place.value.words)\(hint)")
        return nil
    }

    private func add(_ reader: inout SchemaReader) -> Step? {
        switch setting.rule {
        // What is added need not itself be within the bounds.
        case .integer: return operand("value", for: .integer(Bounds()), &reader).map { .add(key, $0) }
        case .number: return operand("value", for: .number(Bounds()), &reader).map { .add(key, $0) }
        default:
            reader.report(target, "add takes a number; \(setting.key) takes \(setting.type.words)")
            return nil
        }
    }

    // MARK: Parts

    private func list(_ reader: inout SchemaReader) -> ListRule? {
        if let list = setting.rule.list { return list }
        reader.report(target, "\(verb) takes a list; \(setting.key) takes \(setting.type.words)")
        return nil
    }

    private func part(_ name: String, _ reader: inout SchemaReader) -> Place? {
        if let place = edit[name] { return place }
        let alternative = verb == "remove" && name == "value" ? " or where" : ""
        reader.report(edit, "\(verb) needs \(name)\(alternative)")
        return nil
    }

    private func operand(_ name: String, for rule: ValueRule, _ reader: inout SchemaReader) -> Operand? {
        part(name, &reader).flatMap { operand($0, for: rule, &reader) }
    }

    /// The fields by which the records are found, none of which may be left open.
    private func selection(_ list: ListRule, _ reader: inout SchemaReader) -> [String: Operand]? {
        guard let fields = fields("where", list, &reader), let place = edit["where"] else { return nil }
        for (name, field) in place.members {
            guard case .argument(let argument) = fields[name], arguments.contains(where: { $0.name == argument && $0.isOptional })
            else { continue }
            reader.report(field, "the argument \(argument) is optional; where needs one that is always given")
        }
        return fields
    }

    private func fields(_ name: String, _ list: ListRule, _ reader: inout SchemaReader) -> [String: Operand]? {
        guard let place = part(name, &reader), reader.expectObject(place) else { return nil }
        guard let record = list.item.record else {
            reader.reportKey(place, "\(name) takes fields of records; the items of \(setting.key) have none")
            return nil
        }
        if place.members.isEmpty {
            reader.report(place, "\(name) takes one field at least")
            return nil
        }
        return fields(of: place, record, &reader)
    }

    private func fields(of place: Place, _ record: RecordRule, _ reader: inout SchemaReader) -> [String: Operand] {
        var operands: [String: Operand] = [:]
        for (name, field) in place.members {
            if let rule = record.rule(of: name) {
                operands[name] = operand(field, for: rule, &reader)
            } else {
                let hint = Suggestion.hint(for: name, among: record.fields.map(\.name))
                reader.reportKey(field, "the records of \(setting.key) have no field \(name.quoted())\(hint)")
            }
        }
        return operands
    }

    // MARK: Operands

    private static let sources = ["argument", "uuid", "now"]

    /// What stands for a value: a literal, or `{"argument": NAME}`, `{"uuid": true}`, `{"now": true}`; in the literals of lists
    /// and records, too.
    private func operand(_ place: Place, for rule: ValueRule, _ reader: inout SchemaReader) -> Operand? {
        if let object = place.value.object,
            rule.record == nil || object.count == 1 && Self.sources.contains(object.members[0].key)
        {
            return reference(place, for: rule, &reader)
        }
        if !Self.hasReference(place.value) { return reader.value(place, for: rule, of: "the value").map(Operand.literal) }
        if let list = rule.list, place.value.array != nil {
            return .list(place.elements.compactMap { operand($0, for: list.item, &reader) })
        }
        guard let record = rule.record, place.value.object != nil else {
            _ = reader.value(place, for: rule, of: "the value")
            return nil
        }
        let fields = self.fields(of: place, record, &reader)
        for field in record.fields where field.isRequired && place[field.name] == nil {
            reader.report(place, "the record lacks the field \(field.name)")
        }
        return .record(fields)
    }

    private static func hasReference(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let object): object.members.contains { sources.contains($0.key) || hasReference($0.value) }
        case .array(let elements): elements.contains(where: hasReference)
        default: false
        }
    }

    private func reference(_ place: Place, for rule: ValueRule, _ reader: inout SchemaReader) -> Operand? {
        guard place.members.count == 1, let (name, source) = place.members.first, Self.sources.contains(name) else {
            let near = place.members.compactMap { Suggestion.nearest(to: $0.name, among: Self.sources) }.first
            let hint = near.map { "; did you mean \"\($0)\"?" } ?? #"; or {"argument": NAME}, {"uuid": true}, {"now": true}"#
            reader.report(place, "expected \(rule.type.words)\(hint)")
            return nil
        }
        if name == "argument" { return argument(source, for: rule, &reader) }
        guard source.value == .boolean(true) else {
            reader.report(source, "\(name) takes true, found \(source.value.words)")
            return nil
        }
        if name == "uuid" {
            if let text = rule.string, text.format == nil || text.format == .uuid, text.choices == nil { return .uuid }
        } else {
            switch rule {
            case .integer, .number: return .now
            case .string(let text) where text.choices == nil && [nil, .date, .dateTime].contains(text.format): return .now
            default: break
            }
        }
        let wanted = name == "uuid" ? "a string of no other format" : "an integer, a number or a string of no other format"
        reader.report(place, "\(name) needs \(wanted) to go to, not \(rule.kind)")
        return nil
    }

    private func argument(_ place: Place, for rule: ValueRule, _ reader: inout SchemaReader) -> Operand? {
        let name = place.value.string ?? ""
        guard let argument = arguments.first(where: { $0.name == name }) else {
            let known = arguments.map(\.name)
            let otherwise = known.isEmpty ? "; the action has none" : "; there are \(Suggestion.list(known))"
            reader.report(
                place, "there is no argument \(name.quoted())\(Suggestion.hint(for: name, among: known, otherwise: otherwise))")
            return nil
        }
        if argument.type == rule.type { return .argument(name) }
        reader.report(place, "the argument \(name) is \(argument.type.words), but \(rule.type.words) is needed here")
        return nil
    }
}
