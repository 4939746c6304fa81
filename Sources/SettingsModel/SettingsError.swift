/// A refusal that a client sees: a name that programs tell apart and a message for people.
///
/// The names are the last part of the D-Bus error names (`org.settingsd.Settings1.Error.*`).
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What programs tell refusals apart by.
    public enum Name: String, CaseIterable, Sendable {
        /// No setting or link has this name.
        case unknownKey = "UnknownKey"
        /// No action has this name.
        case unknownAction = "UnknownAction"
        /// The setting does not take the value.
        case invalidValue = "InvalidValue"
        /// An argument is missing, unknown, wrongly typed or not possible now.
        case invalidArgument = "InvalidArgument"
        /// An administrator has locked the setting.
        case locked = "Locked"
        /// The revision is not the expected one.
        case conflict = "Conflict"
        /// The document cannot be replaced, or has a newer format.
        case readOnly = "ReadOnly"
        /// The change could not be stored.
        case storageFailed = "StorageFailed"
        /// The user's document does not parse.
        case documentDamaged = "DocumentDamaged"
        /// There is no transaction to undo or to redo.
        case nothingToUndo = "NothingToUndo"
        /// The request is over a limit.
        case tooLarge = "TooLarge"
    }

    /// What kind of refusal it is.
    public var name: Name
    /// What was refused, why, and what to do.
    public var message: String

    /// Makes a refusal of a kind, with a message for people.
    public init(_ name: Name, _ message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { "\(name.rawValue): \(message)" }
}

extension SettingsError.Name {
    /// When a client meets the error; the interface XML and the manual are made from it.
    public var summary: String {
        switch self {
        case .unknownKey: "No setting or link has this name; the message names the nearest one."
        case .unknownAction: "No action has this name; the message names the nearest one."
        case .invalidValue: "The setting does not take this value, or not this D-Bus type; the message says what it takes."
        case .invalidArgument: "An argument is missing, unknown, wrongly typed, or not possible now."
        case .locked: "An administrator has locked the setting; the message names the file."
        case .conflict: "expected_revision is not the current revision; the message names both."
        case .readOnly: "The document cannot be replaced, or has a newer format; the message names the path."
        case .storageFailed: "The change could not be stored: disk full, input/output error, or lock not had in time."
        case .documentDamaged: "The user's document does not parse; the message names the position."
        case .nothingToUndo: "There is no transaction to undo or to redo."
        case .tooLarge: "The message, a string, the list of actions, or the lists and patterns they go through are over a limit."
        }
    }
}
