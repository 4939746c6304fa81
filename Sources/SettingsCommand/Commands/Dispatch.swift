internal import JSON
internal import SettingsClient
internal import SettingsJSON
internal import SettingsModel

extension Command {
    static let dispatch = Command(
        name: "dispatch", summary: "Carries out an action",
        operands: Operands([.action], repeated: .argument),
        examples: [
            Example("dispatch SelectProvider provider=spotify", "selects the music provider"),
            Example("dispatch UpdateProfile name=Ada email=ada@example.org", "changes two parts of the profile"),
            Example("dispatch ResetValues keys='[\"profile.name\"]'", "takes JSON for what is not a text"),
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
        let declaration = Schema.builtIn.actions.first { $0.name == action.name }
        for word in invocation.operands.dropFirst() {
            guard let (name, text) = word.assignment else {
                let hint = declaration?.arguments.first.map { "\($0.name)=\(word)" }
                throw invocation.usage("\(word.quoted()) is not NAME=VALUE", hint: hint.map { "did you mean \($0)?" })
            }
            guard action.arguments[name] == nil else { throw invocation.usage("\(name) is given twice") }
            // What is not declared goes as text, for the daemon to refuse or, when it is newer, to take.
            let type = declaration?.arguments.first { $0.name == name }?.type ?? .string
            let value = try value(text, as: type, of: name, in: action.name)
            if declaration?.isRecordOfSettings(name) ?? false { try checkTypes(value.record ?? [:]) }
            action.arguments[name] = value
        }
        return action
    }

    /// Finds values of another type than their setting's here, where they are JSON, and not where they are D-Bus types.
    private static func checkTypes(_ values: [String: SettingValue]) throws(Failure) {
        for key in values.keys.sorted() {
            guard let value = values[key], let setting = Schema.builtIn.setting(named: key), value.type != setting.type
            else { continue }
            throw Failure(SettingsError(.invalidValue, "\(setting.key) takes \(setting.type.words), not \(value.type.words)"))
        }
    }

    private static func value(
        _ text: String, as type: ValueType, of name: String, in action: String
    ) throws(Failure) -> SettingValue {
        if type == .string { return .string(text) }
        var reason = "it is JSON of another type"
        do throws(JSONError) {
            if let value = SettingValue(try JSONParser.parse(Array(text.utf8)).root, as: type) { return value }
        } catch {
            reason = error.message
        }
        let example = type == .record ? #"{"profile.name": "Ada"}"# : #"["profile.name"]"#
        throw Failure(
            SettingsError(.invalidArgument, "\(action): \(name) takes JSON text, such as '\(example)': \(reason)"))
    }
}
