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
    /// The revision that the change has led to.
    public var revision: UInt64
    /// The new effective values; empty where only a user value changed.
    public var values: [String: SettingValue]
    /// The effective values before, for the same keys.
    public var previous: [String: SettingValue]
    /// The names of the transaction's actions; empty for files and layers.
    public var actions: [String]
    /// What the change came from.
    public var origin: Origin
    /// The caller's app id, desktop id or program name; empty for files and layers.
    public var application: String
    /// Microseconds since the epoch.
    public var time: UInt64

    /// Makes a change of its parts.
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
    /// What everybody hears of.
    public var change: SettingsChange
    /// What happens to the user's values.
    public var edits: [Edit]

    /// Makes a transaction of what is told and what is done.
    public init(change: SettingsChange, edits: [Edit]) {
        self.change = change
        self.edits = edits
    }
}
