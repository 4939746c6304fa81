/// How a transaction came to be.
public enum Origin: String, CaseIterable, Sendable {
    /// A client's call.
    case bus
    /// An edit of the user's document by hand.
    case file
    /// A change of an admin or vendor file.
    case layer
}

/// What a transaction changed, as every client sees it.
public struct SettingsChange: Hashable, Sendable {
    public var revision: UInt64
    /// The new effective values; empty where only a user value changed.
    public var values: [String: SettingValue]
    /// The effective values before, for the same keys.
    public var previous: [String: SettingValue]
    /// The names of the transaction's actions; empty for files and layers.
    public var actions: [String]
    public var origin: Origin
    /// The caller's app id, desktop id or program name; empty for files and layers.
    public var application: String
    /// Microseconds since the epoch.
    public var time: UInt64

    public init(
        revision: UInt64, values: [String: SettingValue], previous: [String: SettingValue], actions: [String],
        origin: Origin, application: String, time: UInt64
    ) {
        self.revision = revision
        self.values = values
        self.previous = previous
        self.actions = actions
        self.origin = origin
        self.application = application
        self.time = time
    }
}

/// One durable step of the document: what clients see of it and what it did to the user's values.
public struct Transaction: Hashable, Sendable {
    public var change: SettingsChange
    public var edits: [Edit]

    public init(change: SettingsChange, edits: [Edit]) {
        self.change = change
        self.edits = edits
    }
}
