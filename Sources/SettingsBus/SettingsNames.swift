public import DBus
internal import SettingsModel

/// The names under which the service is found on the session bus.
public enum SettingsNames {
    public static let busName: BusName = "org.settingsd.Settings1"
    public static let path: ObjectPath = "/org/settingsd/Settings1"
    public static let interface: InterfaceName = "org.settingsd.Settings1"
    public static let actionsInterface: InterfaceName = "org.settingsd.Settings1.Actions"
    /// What the service's own error names begin with; the rest is a `SettingsError.Name`.
    public static let errorPrefix = "org.settingsd.Settings1.Error."
    /// The one option that calls take.
    public static let expectedRevision = "expected_revision"

    /// The interface with the properties of a built-in section: `profile` → `org.settingsd.Settings1.Profile`.
    public static func interface(forSection section: String) -> InterfaceName {
        InterfaceName(stringLiteral: interface.rawValue + "." + section.camelCase)
    }

    /// The property of a built-in setting in its section's interface: `profile.name` → `Name`.
    public static func propertyName(forKey key: String) -> MemberName {
        let name = key.drop { $0 != "." }
        return MemberName(stringLiteral: name.camelCase)
    }
}

/// The methods of `org.settingsd.Settings1`.
public enum SettingsMethod: String, CaseIterable, Sendable {
    case readAll = "ReadAll"
    case read = "Read"
    case write = "Write"
    case reset = "Reset"
    case dispatch = "Dispatch"
    case preview = "Preview"
    case describe = "Describe"
    case listActions = "ListActions"
    case changesSince = "ChangesSince"
    case reload = "Reload"

    public var member: MemberName { MemberName(stringLiteral: rawValue) }
}

/// The signals of `org.settingsd.Settings1`.
public enum SettingsSignal: String, CaseIterable, Sendable {
    case changed = "Changed"
    case actionDispatched = "ActionDispatched"

    public var member: MemberName { MemberName(stringLiteral: rawValue) }
}

/// The properties of `org.settingsd.Settings1`.
public enum SettingsProperty: String, CaseIterable, Sendable {
    case revision = "Revision"
    case version = "Version"
    case instance = "Instance"
    case files = "Files"
    case problems = "Problems"

    public var member: MemberName { MemberName(stringLiteral: rawValue) }
}
