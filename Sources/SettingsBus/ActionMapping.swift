public import DBus
public import SettingsModel

extension Action {
    /// The action as one entry `(sa{sv})` of `Dispatch`, arguments sorted by name.
    public var wire: Value { .structure([.string(name), .settings(arguments)]) }
}

extension [Action] {
    /// The actions as the argument `a(sa{sv})` of `Dispatch` and `Preview`.
    public var wire: Value { .array(element: "(sa{sv})", map(\.wire)) }
}

extension Schema {
    /// The action that a client sent by name, its arguments of the declared types.
    ///
    /// What a declaration knows nothing of stays in the action, for the reducer to refuse.
    ///
    /// - Throws: `UnknownAction`; `InvalidArgument` for an argument of another D-Bus type or given twice, `InvalidValue`
    ///   for a setting's value of another D-Bus type.
    public func action(_ name: String, wire arguments: [(String, Value)]) throws(SettingsError) -> Action {
        let declaration = try action(name)
        var action = Action(name)
        for (argument, value) in arguments {
            guard action.arguments[argument] == nil else {
                throw SettingsError(.invalidArgument, "\(name): the argument \(argument.quoted()) is given twice; give it once")
            }
            action.arguments[argument] = try self.argument(argument, of: declaration, wire: value)
        }
        return action
    }

    /// The actions of an argument `a(sa{sv})`.
    ///
    /// - Throws: as for one action, of the first at fault.
    public func actions(wire: Value) throws(SettingsError) -> [Action] {
        guard case .array(_, let entries) = wire.unpacked else { return [] }
        var actions: [Action] = []
        for entry in entries {
            guard case .structure(let fields) = entry, fields.count == 2, let name = fields[0].string,
                let arguments = fields[1].variants
            else { continue }
            actions.append(try action(name, wire: arguments))
        }
        return actions
    }

    private func argument(
        _ name: String, of declaration: ActionDeclaration, wire: Value
    ) throws(SettingsError) -> SettingValue {
        guard let argument = declaration.arguments.first(where: { $0.name == name }) else { return Self.placeholder }
        // The argument of a method is a variant; an entry of a{sv} need not be one in another.
        if argument.type == .variant {
            if case .variant(let inner) = wire { return inner.orPlaceholder }
            return wire.orPlaceholder
        }
        guard wire.signature == argument.type.signature else {
            throw SettingsError(
                .invalidArgument, "\(declaration.name): \(name) \(argument.type.expectation(butGot: wire))")
        }
        guard declaration.isRecordOfSettings(name) else { return wire.orPlaceholder }
        return .record(try values(wire: wire))
    }

    /// Stands for a value that nothing is known of: the reducer refuses it along with its name.
    fileprivate static let placeholder = SettingValue.record([:])

    /// The values by key of an argument `a{sv}`, each of its setting's type; those of unknown keys stay, for the reducer
    /// to refuse.
    ///
    /// - Throws: `InvalidValue` for another D-Bus type, `InvalidArgument` for a key that is given twice.
    private func values(wire: Value) throws(SettingsError) -> [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for (name, value) in wire.variants ?? [] {
            guard values[name] == nil else {
                throw SettingsError(.invalidArgument, "\(name.quoted()) is given twice; give it once")
            }
            guard let setting = setting(named: name) else {
                values[name] = Self.placeholder
                continue
            }
            values[name] = try setting.value(wire: value)
        }
        return values
    }
}

extension Setting {
    /// A value for the setting that a client sent; its rule has yet to be checked.
    ///
    /// - Throws: `InvalidValue` for another D-Bus type than the setting's.
    public func value(wire: Value) throws(SettingsError) -> SettingValue {
        guard wire.signature == type.signature, let value = wire.settingValue() else {
            throw SettingsError(.invalidValue, "\(key) \(type.expectation(butGot: wire))")
        }
        return value
    }
}

extension Value {
    /// The value as a setting's; the placeholder for a type that no setting has.
    fileprivate var orPlaceholder: SettingValue { settingValue() ?? Schema.placeholder }
}

extension ValueType {
    fileprivate func expectation(butGot value: Value) -> String {
        let got = value.signature == signature ? "one that holds other types" : value.signature.rawValue
        return "takes the D-Bus type \(signature) (\(words)), got \(got)"
    }
}

/// What `ListActions` says about one action.
public struct ActionDescription: Hashable, Sendable {
    public struct Argument: Hashable, Sendable {
        public var name: String
        /// Its D-Bus type.
        public var type: String

        public init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    public var summary: String
    /// In declared order.
    public var arguments: [Argument]

    public init(_ declaration: ActionDeclaration) {
        summary = declaration.summary
        arguments = declaration.arguments.map { Argument(name: $0.name, type: $0.type.signature.rawValue) }
    }

    /// The description as the inner dictionary (`a{sv}`) of the answer of `ListActions`.
    public var wire: Value {
        let types = arguments.map { Value.Entry(key: .string($0.name), value: .string($0.type)) }
        return .variants([("summary", .string(summary)), ("arguments", .dictionary(key: "s", value: "s", types))])
    }

    /// A description from the inner dictionary of the answer of `ListActions`; unknown fields are passed over.
    ///
    /// - Returns: nil where the summary or the arguments are missing or have another type.
    public init?(_ wire: Value) {
        let fields = Dictionary(wire.variants ?? []) { first, _ in first }
        guard let summary = fields["summary"]?.string, case .dictionary("s", "s", let types) = fields["arguments"]
        else { return nil }
        self.summary = summary
        arguments = types.compactMap { entry in
            guard let name = entry.key.string, let type = entry.value.string else { return nil }
            return Argument(name: name, type: type)
        }
    }
}
