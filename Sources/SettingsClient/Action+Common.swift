public import SettingsModel

/// Requests for the actions that every schema has; `insertValue` and `removeValue` are those of applications' alone.
extension Action {
    /// Sets each of the given settings.
    ///
    /// - Parameter values: new values by key.
    public static func setValues(_ values: [String: SettingValue]) -> Action { SettingsAction.setValues(values).action }

    /// Takes the user's values of these keys away.
    public static func resetValues(_ keys: [String]) -> Action { SettingsAction.resetValues(keys).action }

    /// Takes every user value away that is not locked.
    public static var resetAll: Action { SettingsAction.resetAll.action }

    /// Appends an item to a list; one that is there already changes nothing where each may be there once.
    public static func insertValue(_ item: SettingValue, into key: String) -> Action {
        Action("InsertValue", ["key": .string(key), "value": item])
    }

    /// Takes an item out of a list, wherever it is there.
    public static func removeValue(_ item: SettingValue, from key: String) -> Action {
        Action("RemoveValue", ["key": .string(key), "value": item])
    }

    /// Takes the last transaction back, whoever made it.
    public static var undo: Action { SettingsAction.undo.action }

    /// Makes the last undone transaction again.
    public static var redo: Action { SettingsAction.redo.action }
}
