internal import DBus
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

/// The settings and actions that a session is about: the built-in ones, or those of an application, from its schema file.
///
/// The daemon may know an application whose file is not found here, or is no schema any more; the types that it tells do then.
struct SessionSchemas {
    /// What the file says; the outer nil: nobody has looked, the inner one: nothing.
    fileprivate var installed: Schema??
    fileprivate var served: Schema?
}

extension Session {
    /// The settings as far as they are known here; an application whose file does not tell has none.
    var schema: Schema { schemas.served ?? installed ?? Schema(application: application, settings: []) }

    /// The keys that a name stands for, of a section all of them. What is not known here stands for itself: it is for the
    /// daemon to say what is wrong with it.
    func keys(_ name: String) -> [String] {
        let found = schema.keys(named: name)
        return found.isEmpty ? [name] : found
    }

    /// The settings with their types.
    ///
    /// - Throws: what keeps the daemon from telling them, where it has to be asked.
    func typedSchema() throws(Failure) -> Schema {
        if let known = installed ?? schemas.served { return known }
        let settings = try answer(to: .describe()).settings.map { entry in
            Setting(
                entry.key, ValueRule(entry.description.rule, of: entry.description.value.type),
                default: entry.description.defaultValue, entry.description.summary)
        }
        let common = Set(ActionDeclaration.common.map(\.name))
        let actions = try answer(to: .listActions).filter { !common.contains($0.name) }.map(\.declaration)
        let served = Schema(application: application, settings: settings, actions: actions)
        schemas.served = served
        return served
    }

    /// The value that somebody has typed for a setting.
    ///
    /// - Throws: `InvalidValue` with the key and what it takes; what keeps the daemon from telling types.
    func value(typed text: String, of key: String) throws(Failure) -> SettingValue {
        // The daemon's own settings are all texts, and making their schema costs a command more than its call does.
        if application.isEmpty { return .string(text) }
        return try typedSchema().value(typed: text, of: key)
    }

    private var installed: Schema? {
        if let known = schemas.installed { return known }
        do throws(Failure) {
            schemas.installed = .some(try InstalledSchemas.schema(of: application))
        } catch {
            // Whether there is such an application at all is for the daemon to say.
            schemas.installed = .some(nil)
        }
        return schemas.installed ?? nil
    }
}

extension Schema {
    /// The rule of a setting that somebody has described.
    ///
    /// - Parameter type: of its values, which are all that is known of a setting that the schema has not.
    func rule(for key: String, of type: ValueType) -> ValueRule {
        if let rule = setting(named: key)?.rule, rule.type == type { return rule }
        return ValueRule(type)
    }
}

extension ValueRule {
    /// The rule for any value of a type, the items of a list told apart.
    init(_ type: ValueType) {
        if case .list(let item) = type { self = .list(ListRule(of: ValueRule(item))) } else { self = .unchecked(type) }
    }
}

extension ValueRule {
    /// The rule that somebody has described, as far as it tells types.
    ///
    /// - Parameter type: what does where the description is of a kind that is not known here.
    fileprivate init(_ description: RuleDescription, of type: ValueType) {
        switch type {
        case .list(let element):
            self = description.item.map { .list(ListRule(of: ValueRule($0, of: element))) } ?? ValueRule(type)
        case .record where !description.fields.isEmpty:
            self = .record(
                RecordRule(description.fields.map { .init($0.name, ValueRule(signature: $0.rule.type), $0.summary) }))
        default: self.init(type)
        }
    }

    /// The rule for any value of a D-Bus type; what a newer daemon may say is taken as its text looks.
    fileprivate init(signature: String) {
        do throws(BusError) {
            self.init(ValueType(try Signature(signature)) ?? .variant)
        } catch {
            self = .unchecked(.variant)
        }
    }
}

extension DescribedAction {
    fileprivate var declaration: ActionDeclaration {
        ActionDeclaration(
            name, description.summary,
            arguments: description.arguments.map {
                ActionDeclaration.Argument($0.name, ValueRule(signature: $0.type), optional: true, "")
            }, [])
    }
}
