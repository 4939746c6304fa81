internal import Spelling

extension ActionDeclaration {
    /// Checks an action's arguments against the declaration.
    ///
    /// - Returns: the action with aliases of keys resolved in records and lists of keys.
    /// - Throws: `InvalidArgument` for a missing, unknown or wrongly typed argument; `UnknownKey` and `InvalidValue` for
    ///   keys and values in a record; `TooLarge` where checking them is too much effort.
    func checked(_ action: Action, schema: Schema, _ effort: inout Effort) throws(SettingsError) -> Action {
        for name in action.arguments.keys.sorted() where !arguments.contains(where: { $0.name == name }) {
            let known = arguments.map(\.name)
            let takes = known.isEmpty ? "; it takes none" : "; it takes \(Suggestion.list(known))"
            throw SettingsError(
                .invalidArgument,
                "\(self.name) has no argument \(name.quoted())\(Suggestion.hint(for: name, among: known, otherwise: takes))")
        }
        for argument in arguments {
            guard let value = action.arguments[argument.name] else {
                if argument.isOptional { continue }
                throw SettingsError(
                    .invalidArgument, "\(name) needs the argument \(argument.name) (\(argument.type.words))")
            }
            if argument.type != .variant, value.type != argument.type {
                throw SettingsError(
                    .invalidArgument,
                    "\(name): the argument \(argument.name) is \(argument.type.words), not \(value.type.words)")
            }
            if let refusal = argument.rule.refusal(of: value, &effort) {
                throw effort.refusal("\(name): \(argument.name): \(refusal.message)")
            }
        }
        var checked = action
        for step in steps {
            switch step {
            case .setEach(let argument):
                let values = action.arguments[argument]?.record ?? [:]
                checked.arguments[argument] = .record(try Self.checkedValues(values, schema: schema, &effort))
            case .resetEach(let argument):
                var keys: [String] = []
                for name in action.arguments[argument]?.strings ?? [] { keys.append(try schema.setting(name).key) }
                checked.arguments[argument] = .strings(keys)
            case .insert(.argument(let argument), _, _), .remove(.argument(let argument), _):
                guard let name = action.arguments[argument]?.string else { continue }
                checked.arguments[argument] = .string(try schema.setting(name).key)
            default: break
            }
        }
        return checked
    }

    private static func checkedValues(
        _ values: [String: SettingValue], schema: Schema, _ effort: inout Effort
    ) throws(SettingsError) -> [String: SettingValue] {
        var checked: [String: SettingValue] = [:]
        for name in values.keys.sorted() {
            guard let given = values[name] else { continue }
            let setting = try schema.setting(name)
            let value = setting.type == given.type ? setting.rule.typingEmptyLists(in: given) : given
            if checked[setting.key] != nil {
                throw SettingsError(
                    .invalidArgument, "\(setting.key) is given twice, once by its alias \(setting.alias ?? ""); give it once")
            }
            try setting.check(value, &effort)
            checked[setting.key] = value
        }
        return checked
    }
}

extension ValueType {
    /// The type in words, with an article.
    public var words: String {
        switch self {
        case .string: "a string"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .list(.string): "a list of strings"
        case .list: "a list"
        case .record: "a dictionary of named values"
        case .variant: "a value"
        }
    }
}
