/// A request to change settings, as it goes over the bus: a declared name and its arguments.
public struct Action: Hashable, Sendable {
    public var name: String
    public var arguments: [String: SettingValue]

    public init(_ name: String, _ arguments: [String: SettingValue] = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

/// One action of a schema: its arguments and, as data, what it does.
public struct ActionDeclaration: Hashable, Sendable {
    public struct Argument: Hashable, Sendable {
        public let name: String
        public let type: ValueType
        public let isOptional: Bool
        /// What the argument means, in one line without a full stop.
        public let summary: String

        public init(_ name: String, _ type: ValueType, optional: Bool = false, _ summary: String) {
            self.name = name
            self.type = type
            isOptional = optional
            self.summary = summary
        }
    }

    public let name: String
    /// What the action does, in one line without a full stop.
    public let summary: String
    public let arguments: [Argument]
    /// What the action does, one after the other; none: it only announces itself.
    public let steps: [Step]

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

/// One step of what an action does to the user's values.
public enum Step: Hashable, Sendable {
    /// Gives the setting the argument's value; an absent optional argument leaves it as it is.
    case set(KeyReference, argument: String)
    /// Gives every setting that the record argument names its value.
    case setEach(argument: String)
    /// Takes the user's value away from every setting that the list argument names.
    case resetEach(argument: String)
    case reset(String)
    /// Takes every user value away that is not locked.
    case resetAll
    /// Takes the user's value away; where another layer then still gives one, the user's becomes `value`.
    case clear(String, to: SettingValue)
    /// Refuses the action with `InvalidArgument` while the setting's effective value is `value`.
    case refuse(while: String, is: SettingValue, because: String)
    /// Answers the setting's effective value under a name; refuses the action where it is empty.
    case answer(String, KeyReference, otherwise: String)
    case undo
    case redo
}

/// A key in a step: a fixed one, or the member of a section that an argument names.
public enum KeyReference: Hashable, Sendable {
    case key(String)
    case member(section: String, argument: String)
}

extension ActionDeclaration {
    /// The actions that every schema has.
    public static let common: [ActionDeclaration] = [
        ActionDeclaration(
            "SetValues", "Sets each of the given settings",
            arguments: [Argument("values", .record, "New values by key")],
            [.setEach(argument: "values")]),
        ActionDeclaration(
            "ResetValues", "Takes the user's values away, so that the layers below decide",
            arguments: [Argument("keys", .list(.string), "Keys to reset")],
            [.resetEach(argument: "keys")]),
        ActionDeclaration("ResetAll", "Takes every user value away that is not locked", [.resetAll]),
        ActionDeclaration("Undo", "Takes the last transaction back, whoever made it", [.undo]),
        ActionDeclaration("Redo", "Makes the last undone transaction again", [.redo]),
    ]
}
