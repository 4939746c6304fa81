/// Requests for the actions that every schema has; `insertValue` and `removeValue` are those of applications' alone.
extension Action {
    /// Sets each of the given settings.
    ///
    /// - Parameter values: new values by key.
    public static func setValues(_ values: [String: SettingValue]) -> Action {
        Action(ActionDeclaration.setValues.name, ["values": .record(values)])
    }

    /// Takes the user's values of these keys away.
    public static func resetValues(_ keys: [String]) -> Action {
        Action(ActionDeclaration.resetValues.name, ["keys": .strings(keys)])
    }

    /// Takes every user value away that is not locked.
    public static var resetAll: Action { Action(ActionDeclaration.resetAll.name) }

    /// Appends an item to a list; one that is there already changes nothing where each may be there once.
    public static func insertValue(_ item: SettingValue, into key: String) -> Action {
        Action(ActionDeclaration.insertValue.name, ["key": .string(key), "value": item])
    }

    /// Takes an item out of a list, wherever it is there.
    public static func removeValue(_ item: SettingValue, from key: String) -> Action {
        Action(ActionDeclaration.removeValue.name, ["key": .string(key), "value": item])
    }

    /// Takes the last transaction back, whoever made it.
    public static var undo: Action { Action(ActionDeclaration.undo.name) }

    /// Makes the last undone transaction again.
    public static var redo: Action { Action(ActionDeclaration.redo.name) }
}

extension ActionDeclaration {
    /// The actions that every schema has.
    public static let basic = [setValues, resetValues, resetAll, undo, redo]

    /// The actions that every application's schema has.
    public static let common = [setValues, resetValues, resetAll, insertValue, removeValue, undo, redo]

    /// The names of those that go by what was done before.
    package static let steppingOverOthers = [undo.name, redo.name]

    /// Sets each of the given settings.
    public static let setValues = ActionDeclaration(
        "SetValues", "Sets each of the given settings",
        arguments: [Argument("values", .record, "New values by key")],
        [.setEach(argument: "values")])

    /// Takes the user's values of the given keys away.
    public static let resetValues = ActionDeclaration(
        "ResetValues", "Takes the user's values away, so that the layers below decide",
        arguments: [Argument("keys", .list(.string), "Keys to reset")],
        [.resetEach(argument: "keys")])

    /// Takes every user value away that is not locked.
    public static let resetAll = ActionDeclaration("ResetAll", "Takes every user value away that is not locked", [.resetAll])

    /// Appends an item to a list.
    public static let insertValue = ActionDeclaration(
        "InsertValue", "Appends an item to a list; one that is there already changes nothing where each may be there once",
        arguments: [Argument("key", .string, "The list's key"), Argument("value", .variant, "The item")],
        [.insert(.argument("key"), .argument("value"), at: nil)])

    /// Takes an item out of a list.
    public static let removeValue = ActionDeclaration(
        "RemoveValue", "Takes an item out of a list, wherever it is there",
        arguments: [Argument("key", .string, "The list's key"), Argument("value", .variant, "The item")],
        [.remove(.argument("key"), .value(.argument("value")))])

    /// Takes the last transaction back.
    public static let undo = ActionDeclaration("Undo", "Takes the last transaction back, whoever made it", [.undo])

    /// Makes the last undone transaction again.
    public static let redo = ActionDeclaration("Redo", "Makes the last undone transaction again", [.redo])
}
