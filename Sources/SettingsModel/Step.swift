/// One step of what an action does to the user's values.
public enum Step: Hashable, Sendable {
    /// Gives the setting a value; an absent optional argument leaves it as it is.
    case set(KeyReference, to: Operand)
    /// Gives every setting that the record argument names its value.
    case setEach(argument: String)
    /// Takes the user's value away from every setting that the list argument names.
    case resetEach(argument: String)
    /// Takes the user's value away.
    case reset(String)
    /// Takes every user value away that is not locked.
    case resetAll
    /// Takes the user's value away; where another layer then still gives one, the user's becomes `value`.
    case clear(String, to: SettingValue)
    /// Puts an item into a list, at the end where no index is given; one that is there already changes nothing where each may
    /// be there once.
    case insert(KeyReference, Operand, at: Operand?)
    /// Takes all items out of a list that are selected.
    case remove(KeyReference, Selection)
    /// Gives fields of all records of a list that are selected a value; an absent optional argument leaves its field as it is.
    case update(KeyReference, where: [String: Operand], with: [String: Operand])
    /// Turns a boolean setting round.
    case toggle(KeyReference)
    /// Turns a boolean field round in all records of a list that are selected; an absent field counts as false.
    case toggleField(KeyReference, where: [String: Operand], field: String)
    /// Adds to a number.
    case add(KeyReference, Operand)
    /// Refuses the action with `InvalidArgument` while the setting's effective value is `value`.
    case refuse(while: String, is: SettingValue, because: String)
    /// Answers the setting's effective value under a name; refuses the action where it is empty.
    case answer(String, KeyReference, otherwise: String)
    /// Takes the last transaction back.
    case undo
    /// Makes the last undone transaction again.
    case redo
}

/// A key in a step: a fixed one, or one that an argument names.
public enum KeyReference: Hashable, Sendable {
    /// A fixed key.
    case key(String)
    /// The key that an argument is.
    case argument(String)
    /// The member of a section that an argument names.
    case member(section: String, argument: String)

    /// The key that is meant, which need not be one of the schema.
    public func key(in action: Action) -> String {
        switch self {
        case .key(let key): key
        case .argument(let argument): action.arguments[argument]?.string ?? ""
        case .member(let section, let argument): "\(section).\(action.arguments[argument]?.string ?? "")"
        }
    }
}

/// Which items of a list a step is about.
public enum Selection: Hashable, Sendable {
    /// Those that are equal to a value; none: nothing changes.
    case value(Operand)
    /// The records all of whose named fields have these values; none: `InvalidArgument`.
    case matching([String: Operand])
}

/// A value in a step, as far as it is known before the action is carried out.
public indirect enum Operand: Hashable, Sendable {
    /// A value that is known beforehand.
    case literal(SettingValue)
    /// The value of an argument; none where that is optional and absent.
    case argument(String)
    /// A new UUID.
    case uuid
    /// The time of the request: RFC 3339 text in UTC for a string, microseconds since the epoch for a number.
    case now
    /// A list, without the items that have no value.
    case list([Operand])
    /// A record, without the fields that have no value.
    case record([String: Operand])
}
