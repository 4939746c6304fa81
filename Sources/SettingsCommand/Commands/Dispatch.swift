internal import SettingsClient
internal import SettingsModel
internal import Spelling

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
            do throws(Failure) {
                let action = try action(invocation)
                try invocation.explaining(action) { () throws(Failure) in
                    try invocation.change(.dispatch([action], expecting: invocation.options.expectedRevision))
                }
            } catch {
                var failure = error
                if error.status == .unknownName || error.status == .refused,
                    let meant = invocation.session.schema.meant(by: invocation.operands)
                {
                    failure.hint = "did you mean settingsctl dispatch \(meant.map(\.quotedForShell).joined(separator: " "))?"
                }
                throw failure
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

extension Schema {
    /// An action and its arguments as they were meant, every misspelt word put right; nil where none is.
    fileprivate func meant(by words: [String]) -> [String]? {
        guard let name = words.first.flatMap({ Suggestion.nearest(to: $0, among: actions.map(\.name)) }),
            let action = actions.first(where: { $0.name == name })
        else { return nil }
        var free = action.arguments.map(\.name).filter { name in !words.contains { $0.assignment?.name == name } }
        var mended = [name]
        for word in words.dropFirst() {
            guard var (argument, value) = word.assignment else { return nil }
            if !action.arguments.contains(where: { $0.name == argument }) {
                guard let meant = Suggestion.nearest(to: argument, among: free) else { return nil }
                free.removeAll { $0 == meant }
                argument = meant
            }
            if let rule = action.rule(of: argument, in: self), rule.fault(in: .string(value)) != nil {
                value = Suggestion.nearest(to: value, among: rule.string?.choices?.known.map(\.id) ?? []) ?? value
            }
            mended.append("\(argument)=\(value)")
        }
        return mended == words ? nil : mended
    }
}

extension ActionDeclaration {
    /// What an argument takes: what its declaration says, else what the setting takes that it goes to.
    fileprivate func rule(of argument: String, in schema: Schema) -> ValueRule? {
        for case .set(.key(let key), to: .argument(argument)) in steps { return schema.setting(named: key)?.rule }
        return arguments.first { $0.name == argument }?.rule
    }
}
