internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel
internal import Spelling

extension Command {
    static let actions = Command(
        .actions, summary: "Lists the actions that dispatch takes, or explains some of them",
        operands: Operands(repeated: .action),
        examples: [
            Example("actions", "lists every action with its arguments"),
            Example("actions UpdateProfile", "explains one action and what its arguments take"),
        ],
        details: """
            TEXT stands for a text as it is, JSON for JSON text, VALUE for an item of the list that another argument names; an \
            argument in brackets may be left out. Into a pipe it writes the action, its arguments and the summary with tabs \
            between them. With --json: an object by action, each with "summary" and "arguments" (name \
            to D-Bus type).
            """,
        run: { invocation throws(Failure) in
            let actions = try chosen(invocation)
            if invocation.options.json {
                let entries = actions.map { (key: $0.name, value: JSONValue($0.wire)) }
                return invocation.output.line(.object(JSONObject(entries)))
            }
            let schema = invocation.session.schema
            guard invocation.operands.isEmpty else {
                for (index, action) in actions.enumerated() {
                    if index > 0 { invocation.output.line("") }
                    explain(action, in: invocation)
                }
                return
            }
            TextTable(
                actions.map { action in
                    let arguments = action.description.arguments.map { action.usage(of: $0, schema) }
                    return TextTable.Row(cells: [action.name, arguments.joined(separator: " "), action.description.summary])
                }
            ).print(on: invocation.output)
        })

    /// The actions that were asked about; without names all.
    private static func chosen(_ invocation: Invocation) throws(Failure) -> [DescribedAction] {
        let actions = try invocation.session.answer(to: .listActions)
        guard !invocation.operands.isEmpty else { return actions }
        return try invocation.operands.map { name throws(Failure) in
            if let action = actions.first(where: { $0.name == name }) { return action }
            let hint = Suggestion.hint(for: name, among: actions.map(\.name))
            throw Failure(SettingsError(.unknownAction, "there is no action \(name.quoted())\(hint)"))
        }
    }

    /// Tells all that is known of an action.
    private static func explain(_ action: DescribedAction, in invocation: Invocation) {
        let (output, schema) = (invocation.output, invocation.session.schema)
        output.line(action.name)
        if !action.description.summary.isEmpty { output.line("    \(action.description.summary).") }
        let rows = action.description.arguments.map { argument in
            let declared = action.declared(argument, schema)
            let kind = declared?.words ?? argument.type
            let cells = [
                argument.name, kind + (declared?.isOptional == true ? ", may be left out" : ""), declared?.summary ?? "",
            ]
            return TextTable.Row(cells: cells)
        }
        for line in TextTable(rows).aligned(escapesControls: output.isTerminal) { output.line("    " + line) }
        let arguments = action.description.arguments.map { action.usage(of: $0, schema) }
        output.line("    " + (["\(schema.command) dispatch \(action.name)"] + arguments).joined(separator: " "))
    }
}

extension DescribedAction {
    /// What the schema says about an argument, where it is known here.
    fileprivate func declared(_ argument: ActionDescription.Argument, _ schema: Schema) -> ActionDeclaration.Argument? {
        schema.actions.first { $0.name == name }?.arguments.first { $0.name == argument.name }
    }

    /// An argument as it is typed, in brackets where it may be left out: `[hour=NUMBER]`.
    fileprivate func usage(of argument: ActionDescription.Argument, _ schema: Schema) -> String {
        let text = "\(argument.name)=\(Self.word(forType: argument.type))"
        return declared(argument, schema)?.isOptional == true ? "[\(text)]" : text
    }

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

extension ActionDeclaration.Argument {
    /// What it takes, in a few words.
    fileprivate var words: String {
        if case .unchecked(let type) = rule { return type.words }
        return RuleDescription(rule).words
    }
}
