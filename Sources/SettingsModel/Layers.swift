/// Where a setting's effective value comes from.
public enum Source: String, CaseIterable, Sendable {
    /// An administrator's file that locks the key.
    case locked
    /// The user's document.
    case user
    /// An administrator's file.
    case admin
    /// A vendor's file.
    case vendor
    /// The schema's default.
    case `default`
}

/// What one file of the admin or vendor layer says.
public struct LayerFile: Hashable, Sendable {
    /// Where the file is.
    public let path: String
    /// Valid values by key.
    public let values: [String: SettingValue]
    /// Keys that users may not change; always empty in the vendor layer.
    public let locked: Set<String>

    /// Makes the content of a file: its values and the keys that it locks.
    public init(path: String, values: [String: SettingValue], locked: Set<String> = []) {
        self.path = path
        self.values = values
        self.locked = locked
    }
}

/// The values below the user's: the files of each layer, the most important first.
public struct Layers: Hashable, Sendable {
    /// The administrator's files, the most important first.
    public var admin: [LayerFile]
    /// The vendor's files, the most important first.
    public var vendor: [LayerFile]
    /// Whether it is known what each file says; one that was broken from the start might say anything.
    public var isWhole: Bool

    /// Makes the layers of files, the most important first.
    public init(admin: [LayerFile] = [], vendor: [LayerFile] = [], isWhole: Bool = true) {
        self.admin = admin
        self.vendor = vendor
        self.isWhole = isWhole
    }

    /// The most important admin file that locks the key, or nil.
    public func lock(on key: String) -> LayerFile? { admin.first { $0.locked.contains(key) } }

    /// The effective value of a setting and where it comes from.
    ///
    /// - Parameter user: the user's own value, if there is one.
    public func resolve(_ setting: Setting, user: SettingValue?) -> ResolvedValue {
        let key = setting.key
        if let file = lock(on: key) {
            if let value = file.values[key] { return ResolvedValue(value, .locked, file.path, user: user, isLocked: true) }
            return resolveBelowUser(setting, user, isLocked: true)
        }
        if let user { return ResolvedValue(user, .user, nil, user: user, isLocked: false) }
        return resolveBelowUser(setting, nil, isLocked: false)
    }

    private func resolveBelowUser(_ setting: Setting, _ user: SettingValue?, isLocked: Bool) -> ResolvedValue {
        for file in admin {
            guard let value = file.values[setting.key] else { continue }
            let source = file.locked.contains(setting.key) ? Source.locked : .admin
            return ResolvedValue(value, source, file.path, user: user, isLocked: isLocked)
        }
        for file in vendor {
            guard let value = file.values[setting.key] else { continue }
            return ResolvedValue(value, .vendor, file.path, user: user, isLocked: isLocked)
        }
        return ResolvedValue(setting.defaultValue, .default, nil, user: user, isLocked: isLocked)
    }
}

/// A setting's effective value and its origin.
public struct ResolvedValue: Hashable, Sendable {
    /// The effective value.
    public let value: SettingValue
    /// Where the value comes from.
    public let source: Source
    /// The layer file that gave the value; nil for the user's values and defaults.
    public let file: String?
    /// The user's own value, even where a lock keeps it from being in force; nil: there is none.
    public let user: SettingValue?
    /// Whether an admin file locks the key, with a value of its own or not.
    public let isLocked: Bool

    init(_ value: SettingValue, _ source: Source, _ file: String?, user: SettingValue?, isLocked: Bool) {
        self.value = value
        self.user = user
        self.source = source
        self.file = file
        self.isLocked = isLocked
    }
}
