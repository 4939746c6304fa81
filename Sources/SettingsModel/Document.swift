/// The user's values and the revision that they stand at.
public struct Document: Hashable, Sendable {
    /// The user's own values by key; a key that is absent has the layers' value.
    public var values: [String: SettingValue]
    /// The number of the last transaction; 0 for an empty document, never goes back.
    public var revision: UInt64

    /// The largest number that counts as a revision: the largest up to which every reader of JSON keeps whole numbers apart
    /// (RFC 8259, section 6). A larger one in a file is somebody's slip, no revision, and would leave no room to count on.
    public static let largestRevision: UInt64 = 1 << 53

    /// Makes a document of a user's values by key.
    public init(values: [String: SettingValue] = [:], revision: UInt64 = 0) {
        self.values = values
        self.revision = revision
    }

    /// The same document with edits made, its revision unchanged.
    public func applying(_ edits: [Edit]) -> Document {
        var result = self
        for edit in edits { result.values[edit.key] = edit.after }
        return result
    }
}

/// One change of one user value.
public struct Edit: Hashable, Sendable {
    /// The setting whose user value changes.
    public let key: String
    /// The user's value before; nil: there was none.
    public let before: SettingValue?
    /// The user's value after; nil: there is none any more.
    public let after: SettingValue?

    /// Makes an edit from one user value to another, nil standing for none.
    public init(key: String, before: SettingValue?, after: SettingValue?) {
        self.key = key
        self.before = before
        self.after = after
    }

    /// The edit that takes this one back.
    public var inverse: Edit { Edit(key: key, before: after, after: before) }
}
