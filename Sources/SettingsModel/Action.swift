/// A request to change settings, as it goes over the bus: a declared name and its arguments.
public struct Action: Hashable, Sendable {
    /// The declared name.
    public var name: String
    /// The arguments by name.
    public var arguments: [String: SettingValue]

    /// Makes a request for an action, with its arguments by name.
    public init(_ name: String, _ arguments: [String: SettingValue] = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

/// One action of a schema: its arguments and, as data, what it does.
public struct ActionDeclaration: Hashable, Sendable {
    /// One argument of an action.
    public struct Argument: Hashable, Sendable {
        /// The name, lower case with underscores.
        public let name: String
        /// What values the argument takes.
        public let rule: ValueRule
        /// Whether the argument may be left out.
        public let isOptional: Bool
        /// What the argument means, in one line without a full stop.
        public let summary: String

        /// Declares an argument with the rule for its values.
        public init(_ name: String, _ rule: ValueRule, optional: Bool = false, _ summary: String) {
            self.name = name
            self.rule = rule
            isOptional = optional
            self.summary = summary
        }

        /// An argument about whose values the settings decide that they go to.
        public init(_ name: String, _ type: ValueType, optional: Bool = false, _ summary: String) {
            self.init(name, .unchecked(type), optional: optional, summary)
        }

        /// The type of the argument's values.
        public var type: ValueType { rule.type }
    }

    /// The name on the wire, in CamelCase.
    public let name: String
    /// What the action does, in one line without a full stop.
    public let summary: String
    /// The arguments in order.
    public let arguments: [Argument]
    /// What the action does, one after the other; none: it only announces itself.
    public let steps: [Step]

    /// Declares an action: its name, summary, arguments and what it does.
    public init(_ name: String, _ summary: String, arguments: [Argument] = [], _ steps: [Step]) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.steps = steps
    }

    /// The names of what the action answers besides the revision.
    public var answers: [String] {
        steps.compactMap { if case .answer(let name, _, _) = $0 { name } else { nil } }
    }

    /// Whether the action can change no value, so that carrying it out is the announcement alone.
    public var onlyAnnounces: Bool { steps.allSatisfy { if case .answer = $0 { true } else { false } } }
}

extension ActionDeclaration {
    /// Whether one of the arguments is the settings' new values by key.
    public func isRecordOfSettings(_ argument: String) -> Bool { steps.contains(.setEach(argument: argument)) }

    /// The rule for the values of an argument that may be of any type, where another argument names the list whose items they
    /// are; nil for other arguments, and where that other one names no list.
    public func itemRule(of argument: String, in schema: Schema, key: (_ argument: String) -> String?) -> ValueRule? {
        for step in steps {
            switch step {
            case .insert(.argument(let list), .argument(argument), _), .remove(.argument(let list), .value(.argument(argument))):
                return key(list).flatMap { schema.setting(named: $0)?.rule.list?.item }
            default: continue
            }
        }
        return nil
    }
}
