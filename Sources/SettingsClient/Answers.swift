public import DBus
public import SettingsBus
public import SettingsModel

/// Every setting's effective value at one revision.
public struct SettingsSnapshot: Hashable, Sendable {
    /// The revision at which the values stand.
    public var revision: UInt64
    /// The effective values by key.
    public var values: [String: SettingValue]

    /// Makes a snapshot of values that stand at a revision.
    public init(revision: UInt64, values: [String: SettingValue]) {
        self.revision = revision
        self.values = values
    }
}

/// Described settings, values and sources at one revision.
public struct SettingsDescription: Hashable, Sendable {
    /// One setting: what is understood of its description, and all that the service said (`a{sv}`).
    public struct Entry: Hashable, Sendable {
        /// The setting's key.
        public var key: String
        /// What the daemon says about the setting.
        public var description: SettingDescription
        /// The description as it came, for what this library does not know.
        public var wire: Value
    }

    /// The revision at which values and sources stand.
    public var revision: UInt64
    /// In the service's order.
    public var settings: [Entry]

    /// - Returns: nil where the body does not have the types `ta{sa{sv}}`. A setting whose value has a type that is newer
    ///   than this code is left out.
    init?(_ body: [Value]) {
        guard body.count == 2, let revision = body[0].uint64, let entries = body[1].named else { return nil }
        self.revision = revision
        settings = entries.compactMap { key, wire in
            SettingDescription(wire).map { Entry(key: key, description: $0, wire: wire) }
        }
    }
}

/// An action as the service lists it.
public struct DescribedAction: Hashable, Sendable {
    /// The action's name on the wire.
    public var name: String
    /// What the daemon says about the action.
    public var description: ActionDescription
    /// All that the service said (`a{sv}`).
    public var wire: Value

    /// - Returns: in the service's order; nil where the body does not have the type `a{sa{sv}}`.
    static func all(_ body: [Value]) -> [DescribedAction]? {
        body.first?.named?.compactMap { name, wire in
            ActionDescription(wire).map { DescribedAction(name: name, description: $0, wire: wire) }
        }
    }
}

/// The answer to `openSupportLink`.
public struct OpenedLink: Hashable, Sendable {
    /// The revision at which the link was looked up.
    public var revision: UInt64
    /// The link's URL.
    public var url: String
}

/// What the service says about itself: the properties of `org.settingsd.Settings1`.
public struct ServiceStatus: Hashable, Sendable {
    /// The current revision.
    public var revision: UInt64
    /// The daemon's version.
    public var version: String
    /// An identifier that is new each time the service starts.
    public var instance: String
    /// Paths by what they are: `document`, `journal`, `lock`, `admin`, `vendor`; the last two are lists joined by `:`.
    public var files: [String: String]
    /// What is wrong now, one sentence each.
    public var problems: [String]

    /// - Returns: nil where the body is no `a{sv}` or the revision is missing; what else is missing is empty.
    init?(_ body: [Value]) {
        guard let properties = body.first?.variants else { return nil }
        let fields = Dictionary(properties) { first, _ in first }
        func field(_ property: SettingsProperty) -> Value? { fields[property.rawValue] }
        guard let revision = field(.revision)?.uint64 else { return nil }
        self.revision = revision
        version = field(.version)?.string ?? ""
        instance = field(.instance)?.string ?? ""
        problems = field(.problems)?.strings ?? []
        files = [:]
        if case .dictionary("s", "s", let entries)? = field(.files) {
            for entry in entries {
                if let name = entry.key.string { files[name] = entry.value.string }
            }
        }
    }
}
