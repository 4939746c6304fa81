internal import SettingsModel

extension Invocation {
    /// Sends an action; where it is refused because of what the settings are, the hint says which command changes that.
    func explaining<Success>(_ action: Action, _ send: () throws(Failure) -> Success) throws(Failure) -> Success {
        do throws(Failure) {
            return try send()
        } catch {
            var failure = error
            if failure.hint == nil, failure.status == .refused { failure.hint = action.remedy(in: session.schema) }
            throw failure
        }
    }
}

extension Action {
    /// The command that makes the action possible where it depends on a setting; nil where it does not, or where its
    /// arguments are at fault.
    func remedy(in schema: Schema) -> String? {
        guard let declaration = schema.actions.first(where: { $0.name == name }),
            declaration.arguments.allSatisfy({ $0.isOptional || arguments[$0.name] != nil }),
            arguments.keys.allSatisfy({ given in declaration.arguments.contains { $0.name == given } })
        else { return nil }
        if let hint = schema.choicesHint(for: values(in: declaration)) { return hint }
        for step in declaration.steps {
            switch step {
            case .refuse(let key, let value, _):
                guard let setting = schema.setting(named: key), let choices = setting.rule.string?.choices,
                    let other = choices.known.first(where: { .string($0.id) != value })
                else { continue }
                let name = setting.alias ?? key
                return "select a \(name) first: settingsctl set \(name) \(other.id)"
            case .answer(_, let reference, _):
                guard let key = key(of: reference), schema.setting(named: key) != nil else { continue }
                return "to give it a value: settingsctl set \(key) URL"
            default: continue
            }
        }
        return nil
    }

    /// The values that the action gives to settings.
    private func values(in declaration: ActionDeclaration) -> [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for step in declaration.steps {
            switch step {
            case .set(let reference, .argument(let argument)):
                if let key = key(of: reference) { values[key] = arguments[argument] }
            case .setEach(let argument): values.merge(arguments[argument]?.record ?? [:]) { $1 }
            default: continue
            }
        }
        return values
    }

    private func key(of reference: KeyReference) -> String? {
        reference.key(in: self)
    }
}

extension Schema {
    /// Where to find the choices when the first value at fault is none of its setting's.
    func choicesHint(for values: [String: SettingValue]) -> String? {
        for key in values.keys.sorted() {
            guard let setting = setting(named: key), let value = values[key], setting.rule.fault(in: value) != nil
            else { continue }
            guard setting.rule.string?.choices != nil else { return nil }
            return "settingsctl describe \(setting.key) lists the choices"
        }
        return nil
    }
}
