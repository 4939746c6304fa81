internal import SettingsModel

/// Something that waits for its turn to change the state.
enum Work {
    case request(Request, completion: (Result<Commit, SettingsError>) -> Void)
    case edit(DocumentEdit)
    case layers(Layers)
    /// The store goes by another schema; the effective values before.
    case schema(before: [String: SettingValue])
    /// Nothing but to tell that all before it is done.
    case mark(() -> Void)

    var origin: Origin {
        switch self {
        case .request: .bus
        case .edit: .file
        case .layers, .schema: .layer
        case .mark: .bus
        }
    }

    var isEdit: Bool {
        if case .edit = self { true } else { false }
    }

    /// Whether it comes from a change of a file.
    var isFromFiles: Bool { origin != .bus }

    /// Whether somebody waits for an answer.
    var isAsked: Bool {
        if case .request = self { true } else { false }
    }
}
