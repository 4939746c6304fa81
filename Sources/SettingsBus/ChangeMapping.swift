public import DBus
public import SettingsModel

extension SettingsChange {
    /// The names in the `details` of a change.
    private enum Detail {
        static let previous = "previous"
        static let actions = "actions"
        static let origin = "origin"
        static let application = "application"
        static let time = "time"
    }

    /// The arguments of the signal `Changed`, which are also the fields of an entry of `ChangesSince`.
    public var wire: [Value] { wire(values: .settings(values), previous: .settings(previous)) }

    /// The arguments of the signal `Changed`, from values that are as on the wire already.
    public func wire(values: Value, previous: Value) -> [Value] {
        [
            .uint64(revision), values,
            .variants([
                (Detail.previous, previous),
                (Detail.actions, .strings(actions)),
                (Detail.origin, .string(origin.rawValue)),
                (Detail.application, .string(application)),
                (Detail.time, .uint64(time)),
            ]),
        ]
    }

    /// A change from the arguments of `Changed` or from an entry of `ChangesSince`.
    ///
    /// Details that are missing count as empty and unknown ones are passed over, so that another version's changes are
    /// understood; an origin that is newer than this code counts as `bus`.
    ///
    /// - Returns: nil where the arguments do not have the types `ta{sv}a{sv}`.
    public init?(changed arguments: [Value]) {
        guard arguments.count == 3, let revision = arguments[0].uint64, let values = arguments[1].settings,
            let details = arguments[2].variants
        else { return nil }
        func detail(_ name: String) -> Value? { details.first { $0.0 == name }?.1 }
        self.init(
            revision: revision, values: values,
            previous: detail(Detail.previous)?.settings ?? [:],
            actions: detail(Detail.actions)?.strings ?? [],
            origin: detail(Detail.origin)?.string.flatMap(Origin.init) ?? .bus,
            application: detail(Detail.application)?.string ?? "",
            time: detail(Detail.time)?.uint64 ?? 0)
    }
}

/// The answer of `ChangesSince`.
public struct ChangesAnswer: Hashable, Sendable {
    /// The current revision.
    public var revision: UInt64
    /// False where the history does not reach back as far as asked, or not yet: read everything anew.
    public var isComplete: Bool
    /// Oldest first; empty where not complete.
    public var changes: [SettingsChange]

    public init(revision: UInt64, isComplete: Bool, changes: [SettingsChange]) {
        self.revision = revision
        self.isComplete = isComplete
        self.changes = changes
    }

    /// The arguments of the method's answer.
    public var wire: [Value] {
        var lists = ReadyLists()
        let entries = changes.map { change in
            // What was before comes first, since the new values are made of it.
            let previous = lists.settings(change.previous)
            return Value.structure(change.wire(values: lists.settings(change.values), previous: previous))
        }
        return [.uint64(revision), .boolean(isComplete), .array(element: "(ta{sv}a{sv})", entries)]
    }

    /// - Returns: nil where the arguments do not have the types `tba(ta{sv}a{sv})`.
    public init?(_ arguments: [Value]) {
        guard arguments.count == 3, let revision = arguments[0].uint64, let isComplete = arguments[1].boolean,
            case .array(_, let entries) = arguments[2]
        else { return nil }
        var changes: [SettingsChange] = []
        for entry in entries {
            guard case .structure(let fields) = entry, let change = SettingsChange(changed: fields) else { return nil }
            changes.append(change)
        }
        self.init(revision: revision, isComplete: isComplete, changes: changes)
    }
}
