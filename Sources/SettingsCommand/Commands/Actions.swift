internal import JSON
internal import SettingsBus
internal import SettingsClient

extension Command {
    static let actions = Command(
        .actions, summary: "Lists the actions that dispatch takes",
        operands: .none,
        examples: [Example("actions", "lists every action with its arguments")],
        details: """
            TEXT stands for a text as it is, JSON for JSON text, VALUE for an item of the list that another argument names; an \
            argument in brackets may be left out. Into a pipe it writes the action, its arguments and the summary with tabs \
            between them. With --json: an object by action, each with "summary" and "arguments" (name \
            to D-Bus type).
            """,
        run: { invocation throws(Failure) in
            let actions = try invocation.session.answer(to: .listActions)
            if invocation.options.json {
                let entries = actions.map { (key: $0.name, value: JSONValue($0.wire)) }
                return invocation.output.line(.object(JSONObject(entries)))
            }
            let known = invocation.session.schema.actions
            TextTable(
                actions.map { action in
                    let declared = known.first { $0.name == action.name }?.arguments ?? []
                    let optional = Set(declared.filter(\.isOptional).map(\.name))
                    let arguments = action.description.arguments.map { argument in
                        let text = "\(argument.name)=\(word(forType: argument.type))"
                        return optional.contains(argument.name) ? "[\(text)]" : text
                    }
                    let cells = [action.name, arguments.joined(separator: " "), action.description.summary]
                    return TextTable.Row(cells: cells)
                }
            ).print(on: invocation.output)
        })

    /// What stands for a value of a D-Bus type.
    private static func word(forType type: String) -> String {
        switch type {
        case "s": "TEXT"
        case "b": "true|false"
        case "x", "d": "NUMBER"
        case "v": "VALUE"
        default: "JSON"
        }
    }
}
