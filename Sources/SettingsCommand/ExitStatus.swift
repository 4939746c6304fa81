internal import DBus
package import SettingsClient
internal import SettingsModel

/// What the exit status says to scripts.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case unknownName = 3
    case refused = 4
    case unavailable = 5
    case conflict = 6
    case lockedOrReadOnly = 7
    case storage = 8

    /// The meaning, as help has it.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed (nothing to undo and the like)"
        case .usage: "wrong usage"
        case .unknownName: "unknown key, action or link"
        case .refused: "value or argument refused"
        case .unavailable: "no bus, no daemon, or no answer in time"
        case .conflict: "the revision is not the expected one"
        case .lockedOrReadOnly: "locked, or the document is read-only"
        case .storage: "storage failed, or the document is damaged"
        }
    }

    /// The status for an error of the service.
    init(_ name: SettingsError.Name) {
        self =
            switch name {
            case .unknownKey, .unknownAction: .unknownName
            case .invalidValue, .invalidArgument, .tooLarge: .refused
            case .locked, .readOnly: .lockedOrReadOnly
            case .conflict: .conflict
            case .storageFailed, .documentDamaged: .storage
            case .nothingToUndo: .failed
            }
    }

    /// The status for any failed call.
    package init(_ kind: ClientError.Kind) {
        self =
            switch kind {
            case .refused(let name): ExitStatus(name)
            case .noBus, .noDaemon, .timeout, .bus(.noReply): .unavailable
            case .bus(.invalidArgs), .mismatch: .refused
            case .bus: .failed
            }
    }
}
