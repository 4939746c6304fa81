internal import JSON
internal import SettingsJSON
internal import SettingsModel
internal import Spelling

/// Reading the declared actions.
extension SchemaReader {
    mutating func actions(_ place: Place) -> [ActionDeclaration] {
        guard expectObject(place) else { return [] }
        // What is wrong in an action is told whatever is wrong with its name.
        return place.members.compactMap { name, action in
            if let fault = Names.actionFault(name) {
                reportKey(action, "\(name.quoted()) is no name of an action: \(fault)")
            } else if ActionDeclaration.common.contains(where: { $0.name == name }) {
                reportKey(action, "every application has \(name); choose another name")
            }
            return expectObject(action) ? declaration(action, name) : nil
        }
    }

    private mutating func declaration(_ place: Place, _ name: String) -> ActionDeclaration {
        check(place, takes: ["summary", "arguments", "edits"], of: "an action")
        let arguments = place["arguments"].map { self.arguments($0) } ?? []
        var steps: [Step] = []
        if let edits = place["edits"] {
            if edits.value.array == nil { report(edits, "edits takes an array of edits, found \(edits.value.words)") }
            for edit in edits.elements { if let step = step(edit, arguments) { steps.append(step) } }
        }
        return ActionDeclaration(name, line(place["summary"] ?? place["description"]), arguments: arguments, steps)
    }

    private mutating func arguments(_ place: Place) -> [ActionDeclaration.Argument] {
        guard expectObject(place) else { return [] }
        return place.members.compactMap { name, argument in
            if let fault = Names.argumentFault(name) {
                reportKey(argument, "\(name.quoted()) is no name of an argument: \(fault)")
            }
            guard expectObject(argument), let rule = rule(argument, also: ["optional"], of: "an argument") else { return nil }
            var isOptional = false
            if let optional = argument["optional"] {
                isOptional = optional.value.boolean ?? false
                if optional.value.boolean == nil {
                    report(optional, "optional takes true or false, found \(optional.value.words)")
                }
            }
            let summary = line(argument["description"] ?? argument["title"])
            return ActionDeclaration.Argument(name, rule, optional: isOptional, summary)
        }
    }

    // MARK: Edits

    /// What an edit is called by, and what it has beside the key.
    private static let verbs: [(name: String, parts: [String])] = [
        ("set", ["to"]), ("reset", []), ("insert", ["value", "at"]), ("remove", ["value", "where"]),
        ("update", ["where", "with"]),
        ("toggle", ["where", "field"]), ("add", ["value"]),
    ]

    private mutating func step(_ edit: Place, _ arguments: [ActionDeclaration.Argument]) -> Step? {
        guard expectObject(edit) else { return nil }
        let verbs = Self.verbs.map(\.name)
        let given = edit.members.map(\.name).filter(verbs.contains)
        guard given.count == 1, let verb = Self.verbs.first(where: { $0.name == given[0] }), let target = edit[verb.name] else {
            let names = edit.members.map(\.name)
            let near =
                names.compactMap { Suggestion.nearest(to: $0, among: verbs) }.first.map { "; did you mean \"\($0)\"?" } ?? ""
            let found = given.count > 1 ? "found \(given.joined(separator: " and "))" : "found none"
            report(edit, "expected one of \(verbs.joined(separator: ", ")), \(found)\(given.isEmpty ? near : "")")
            return nil
        }
        for (name, part) in edit.members where name != verb.name && !verb.parts.contains(name) {
            let takes = verb.parts.isEmpty ? "; it takes the key alone" : "; it takes \(verb.parts.joined(separator: ", "))"
            reportKey(
                part, "\(verb.name) has no \(name.quoted())\(Suggestion.hint(for: name, among: verb.parts, otherwise: takes))")
        }
        guard let setting = setting(target) else { return nil }
        var reader = EditReader(edit: edit, verb: verb.name, target: target, setting: setting, arguments: arguments)
        return reader.step(&self)
    }

    private mutating func setting(_ place: Place) -> Setting? {
        guard let key = place.value.string else {
            report(place, "expected a key as a string, found \(place.value.words)")
            return nil
        }
        if let setting = settings.first(where: { $0.key == key }) { return setting }
        if faultyKeys.contains(key) { return nil }
        report(place, "there is no setting \(key.quoted())\(Suggestion.hint(for: key, among: settings.map(\.key)))")
        return nil
    }
}
