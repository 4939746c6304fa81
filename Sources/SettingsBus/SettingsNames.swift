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

    /// Where the objects of applications are, each at a path of its own below it.
    public static let applicationsPath: ObjectPath = "/org/settingsd/Settings1/apps"

    /// The object of an application's settings; its last element is the id as sd_bus_path_encode(3) makes it.
    ///
    /// - Parameter application: the id, as in `org.example.WorldClock`; empty for the daemon's own settings.
    public static func path(ofApplication application: String) -> ObjectPath {
        application.isEmpty ? path : applicationsPath.appending(encoded: application)
    }

    /// The application whose settings an object holds, empty for the daemon's own; nil for every other path.
    public static func application(ofPath path: ObjectPath) -> String? {
        path == Self.path ? "" : applicationsPath.encodedText(of: path)
    }

    /// The interface with a property for each setting of an application: `org.example.WorldClock.Settings`.
    ///
    /// - Parameter application: an id that is a bus name (D-Bus specification, "Bus names"), at most 246 bytes long.
    public static func settingsInterface(ofApplication application: String) -> InterfaceName {
        interface("Settings", ofApplication: application)
    }

    /// The interface with a method for each action of an application: `org.example.WorldClock.Actions`.
    ///
    /// - Parameter application: as for `settingsInterface`.
    public static func actionsInterface(ofApplication application: String) -> InterfaceName {
        interface("Actions", ofApplication: application)
    }

    /// Bus names may have hyphens, interfaces may not.
    private static func interface(_ last: String, ofApplication application: String) -> InterfaceName {
        InterfaceName(
            stringLiteral: application.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "_") + "." + last
        )
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
