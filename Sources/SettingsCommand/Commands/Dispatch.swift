internal import SettingsClient
internal import SettingsModel

extension Command {
    static let dispatch = Command(
        .dispatch, summary: "Carries out an action",
        operands: Operands(.action, repeated: .argument),
        examples: [
            Example("dispatch SelectProvider provider=spotify", "selects the music provider"),
            Example("dispatch UpdateProfile name=Ada email=ada@example.org", "changes two parts of the profile"),
            Example("dispatch ResetValues keys='[\"profile.name\"]'", "takes JSON for lists and records"),
        ],
        details: """
            settingsctl actions lists the actions. Prints nothing; with --json: {"revision","values"}, the values being \
            those that have changed.
            """,
        run: { invocation throws(Failure) in
            let action = try action(invocation)
            try invocation.explaining(action) { () throws(Failure) in
                try invocation.change(.dispatch([action], expecting: invocation.options.expectedRevision))
            }
        })

    private static func action(_ invocation: Invocation) throws(Failure) -> Action {
        var action = Action(invocation.operands[0])
        let schema = try invocation.session.typedSchema()
        let declaration = schema.actions.first { $0.name == action.name }
        var texts: [String: String] = [:]
        for word in invocation.operands.dropFirst() {
            guard let (name, text) = word.assignment else {
                let hint = declaration?.arguments.first.map { "\($0.name)=\(word)" }
                throw invocation.usage("\(word.quoted()) is not NAME=VALUE", hint: hint.map { "did you mean \($0)?" })
            }
            guard texts.updateValue(text, forKey: name) == nil else { throw invocation.usage("\(name) is given twice") }
        }
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            if declaration?.isRecordOfSettings(name) ?? false {
                action.arguments[name] = .record(try schema.values(typed: text, as: "\(action.name): \(name)"))
                continue
            }
            // What is not declared goes as text, for the daemon to refuse or, when it is newer, to take.
            let declared = declaration?.arguments.first { $0.name == name }?.rule ?? .unchecked(.string)
            let rule = declaration?.typingRule(of: name, in: schema, key: { texts[$0] }) ?? declared
            do throws(TypedTextFault) {
                action.arguments[name] = try SettingValue(typed: text, for: rule)
            } catch {
                throw Failure(SettingsError(.invalidArgument, "\(action.name): \(name)\(error.message)"))
            }
        }
        return action
    }
}

extension ActionDeclaration {
    /// The rule for what somebody types for an argument whose declaration does not tell it; nil for other arguments.
    fileprivate func typingRule(of argument: String, in schema: Schema, key: (_ argument: String) -> String?) -> ValueRule? {
        guard steps.contains(.resetEach(argument: argument)) else { return itemRule(of: argument, in: schema, key: key) }
        return .list(ListRule(of: .choice(schema.keys.map { Choice($0, "") })))
    }
}
