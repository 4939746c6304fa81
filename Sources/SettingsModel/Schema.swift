internal import Spelling

/// The declared settings and actions of one application: the single table from which validation, the D-Bus interfaces,
/// the command line's help and completion, and the documentation come.
public struct Schema: Hashable, Sendable {
    /// The application's id, as in `org.example.WorldClock`; empty for the daemon's own settings.
    public let application: String
    /// What people call the application; empty where the schema does not say.
    public let title: String
    /// What the settings are about.
    public let summary: String
    /// Every setting, in the order in which the document shows them.
    public let settings: [Setting]
    /// The keys in schema order.
    public let keys: [String]
    /// Every action, the ones that each schema has included.
    public let actions: [ActionDeclaration]
    /// What else changes when a setting does.
    public let cascades: [Cascade]
    private let indexes: [String: Int]
    private let formerIndexes: [String: Int]
    private let actionIndexes: [String: Int]

    /// - Parameters:
    ///   - application: the application's id; empty for the daemon's own settings.
    ///   - commonActions: those that are not the application's own.
    ///   - settings: in the order in which the document shows them.
    ///   - actions: the application's own.
    public init(
        application: String = "", title: String = "", summary: String = "",
        commonActions: [ActionDeclaration] = ActionDeclaration.common, settings: [Setting], actions: [ActionDeclaration] = [],
        cascades: [Cascade] = []
    ) {
        self.application = application
        self.title = title
        self.summary = summary
        self.settings = settings
        keys = settings.map(\.key)
        self.actions = commonActions + actions
        self.cascades = cascades
        var indexes: [String: Int] = [:]
        var formerIndexes: [String: Int] = [:]
        for (index, setting) in settings.enumerated() {
            indexes[setting.key] = index
            if let alias = setting.alias { indexes[alias] = index }
            for key in setting.renamedFrom { formerIndexes[key] = index }
        }
        self.indexes = indexes
        self.formerIndexes = formerIndexes
        actionIndexes = Dictionary(self.actions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The sections in schema order.
    public var sections: [String] {
        var found: [String] = []
        for setting in settings where found.last != setting.section { found.append(setting.section) }
        return found
    }

    /// The setting of a key or an alias, or nil.
    public func setting(named name: String) -> Setting? { indexes[name].map { settings[$0] } }

    /// The setting that had this key in an older schema, or nil.
    public func setting(formerly key: String) -> Setting? { formerIndexes[key].map { settings[$0] } }

    /// The position of a key in schema order.
    public func position(of key: String) -> Int? { indexes[key] }

    /// The keys that a name stands for: that of a key or an alias, those of a section; empty where it is none of them.
    public func keys(named name: String) -> [String] {
        if let setting = setting(named: name) { return [setting.key] }
        return settings.filter { $0.key.utf8.starts(with: "\(name).".utf8) }.map(\.key)
    }

    /// The setting of a key or an alias.
    ///
    /// - Throws: `UnknownKey` with the nearest known key, or with the settings of a section.
    public func setting(_ name: String) throws(SettingsError) -> Setting {
        if let setting = setting(named: name) { return setting }
        let members = keys(named: name)
        if !members.isEmpty {
            throw SettingsError(
                .unknownKey, "\(name.quoted()) is a section; its settings are \(Suggestion.list(members))")
        }
        let known = keys + settings.compactMap(\.alias)
        let hint = Suggestion.hint(for: name, among: known, otherwise: "; known are \(Suggestion.list(keys))")
        throw SettingsError(.unknownKey, "there is no setting \(name.quoted())\(hint)")
    }

    /// The declaration of an action.
    ///
    /// - Throws: `UnknownAction` with the nearest known action.
    public func action(_ name: String) throws(SettingsError) -> ActionDeclaration {
        if let index = actionIndexes[name] { return actions[index] }
        let known = actions.map(\.name)
        let hint = Suggestion.hint(for: name, among: known, otherwise: "; known are \(Suggestion.list(known))")
        throw SettingsError(.unknownAction, "there is no action \(name.quoted())\(hint)")
    }
}

/// An invariant between two settings: when the effective value of one changes, in whichever way, the user's value of
/// the other is reset, unless the same edit gives it or it is locked.
public struct Cascade: Hashable, Sendable {
    /// The setting whose effective value is looked at.
    public let watched: String
    /// The setting whose user value is reset.
    public let reset: String

    /// Makes the invariant that a change of one setting resets another.
    public init(when watched: String, changes reset: String) {
        self.watched = watched
        self.reset = reset
    }
}
