public import DBus
public import SettingsModel

/// The interfaces of a schema's object: the fixed members, a method for each action and a property for each setting.
public enum SettingsInterfaces {
    /// Derives the interfaces, in the order in which the XML file shows them.
    ///
    /// - Parameter face: where the schema appears.
    public static func interfaces(for schema: Schema, face: SettingsFace? = nil) -> [Interface] {
        let face = face ?? .of(schema)
        let sections = face.propertyInterfaces.map { name in
            Interface(
                name: name, summary: propertiesSummary,
                properties: face.properties.filter { $0.interface == name }.compactMap { property in
                    schema.setting(named: property.key).map { $0.property(named: property.name) }
                })
        }
        let actions = Interface(
            name: face.actionsInterface, summary: actionsSummary, methods: schema.actions.map { $0.method(in: schema) })
        return [FixedMembers.interface, actions] + sections
    }

    /// The introspection data as a document for people and for generators of bindings: the file in `dbus/`.
    public static func xml(for schema: Schema) -> String {
        Introspection.document(interfaces: interfaces(for: schema), includeStandard: false)
    }

    private static let actionsSummary = """
        One typed method for each action, for callers that have no use for Dispatch. Each makes one transaction and \
        answers the revision that it left behind: the same as before where nothing changed. Required arguments come \
        in order; optional ones together as one a{sv}, `fields`.
        """

    private static let propertiesSummary = """
        One property for each setting of the section: its effective value. Setting one is the same as Write with that \
        key, with the same checks, errors and signals. PropertiesChanged comes once a transaction, after Changed, with \
        the new values. A newer daemon may have further properties: ignore those that you do not know.
        """
}

extension String {
    /// A summary as a sentence; where there is none, there is no sentence.
    fileprivate var sentence: String { isEmpty ? "" : self + "." }
}

extension Setting {
    fileprivate func property(named name: MemberName) -> Interface.Property {
        Interface.Property(
            name, type.signature, access: .readWrite, changes: .announced,
            summary: (summary.isEmpty ? "Setting \(key). " : "\(summary) (setting \(key)). ")
                + "\(rule.documentation) Default: \(defaultValue.documentation).")
    }
}

extension SettingValue {
    /// The value in words, for documentation.
    package var documentation: String {
        switch self {
        case .string(let text): text.isEmpty ? "empty" : text
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .list(_, let items): items.isEmpty ? "empty" : items.map(\.documentation).joined(separator: ", ")
        case .record(let fields):
            fields.isEmpty
                ? "empty" : fields.keys.sorted().map { "\($0): \(fields[$0]?.documentation ?? "")" }.joined(separator: ", ")
        }
    }
}

extension ValueRule {
    /// What the setting takes, in sentences, for documentation.
    package var documentation: String {
        switch self {
        case .boolean: "True or false."
        case .integer(let bounds): bounds.documentation(of: "An integer")
        case .number(let bounds): bounds.documentation(of: "A number, neither NaN nor an infinity")
        case .string(let rule): rule.documentation
        case .list(let rule): rule.documentation
        case .record(let rule): rule.documentation
        case .unchecked(let type): "\(type.words.prefix(1).uppercased())\(type.words.dropFirst())."
        }
    }
}

extension ActionDeclaration {
    /// The arguments that the action's method takes one by one; the others go together as `fields`.
    public var positional: [Argument] { arguments.filter { !$0.isOptional } }

    /// The name of the one argument that holds the optional ones.
    public static let fields = "fields"

    fileprivate func method(in schema: Schema) -> Interface.Method {
        var inputs = positional.map { Interface.Argument($0.name, $0.type.signature, $0.summary.sentence) }
        let optional = arguments.filter(\.isOptional)
        if !optional.isEmpty {
            let each = optional.map { argument in
                "\(argument.name) (\(argument.type.signature))" + (argument.summary.isEmpty ? "" : ": \(argument.summary)")
            }.joined(separator: "; ")
            inputs.append(.init(Self.fields, "a{sv}", "Any of: \(each). What is absent stays as it is."))
        }
        var outputs = [Interface.Argument("revision", "t", FixedMembers.newRevision)]
        for step in steps {
            guard case .answer(let name, let reference, _) = step else { continue }
            outputs.append(.init(name, reference.type(in: schema).signature, "The setting's effective value."))
        }
        return Interface.Method(
            MemberName(stringLiteral: name), inputs: inputs, outputs: outputs, summary: summary.sentence, errors: errors)
    }

    private var errors: [String] {
        var names: [SettingsError.Name] = arguments.isEmpty ? [] : [.unknownKey, .invalidArgument, .invalidValue]
        if ActionDeclaration.steppingOverOthers.contains(name) { names += [.nothingToUndo, .invalidValue] }
        if !onlyAnnounces { names += [.locked, .readOnly, .documentDamaged, .storageFailed] }
        return FixedMembers.documented(names + [.tooLarge])
    }
}

extension KeyReference {
    /// The type of the setting that is meant; of a section's members all have the same.
    fileprivate func type(in schema: Schema) -> ValueType {
        switch self {
        case .key(let key): schema.setting(named: key)?.type ?? .string
        case .argument: .variant
        case .member(let section, _): schema.settings.first { $0.section == section }?.type ?? .string
        }
    }
}
