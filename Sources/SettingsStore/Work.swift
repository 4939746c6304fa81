internal import SettingsModel

/// Something that waits for its turn to change the state.
enum Work {
    case request(Request, completion: (Result<Commit, SettingsError>) -> Void)
    case edit(DocumentEdit)
    case layers(Layers)
    /// Nothing but to tell that all before it is done.
    case mark(() -> Void)

    var origin: Origin {
        switch self {
        case .request: .bus
        case .edit: .file
        case .layers: .layer
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

/// Work that is stored together, with one flush.
struct Batch {
    /// The state with everything done.
    private(set) var state: StoreState
    private(set) var outcomes: [Outcome] = []
    /// What goes to the journal.
    private(set) var lines: [UInt8] = []
    /// Whether somebody waits whose change must be refused where the document cannot follow.
    private(set) var isAsked = false

    struct Outcome {
        let work: Work
        let result: Result<Commit, SettingsError>
        /// Whether it waits for the journal to have it.
        let isStored: Bool
    }

    private let file: DocumentState

    init(_ state: StoreState, _ file: DocumentState) {
        self.state = state
        self.file = file
    }

    /// Carries one piece of work out on top of those before it.
    mutating func add(_ work: Work) {
        let time = currentTime()
        let step: StoreState.Step
        do {
            switch work {
            case .request(let request, _): step = try state.carryOut(request, on: file, time: time)
            case .edit(let edit): step = state.carryOut(edit, on: file, time: time)
            case .layers(let layers): step = state.carryOut(layers, on: file, time: time)
            case .mark: step = state.unchanged
            }
        } catch {
            outcomes.append(Outcome(work: work, result: .failure(error), isStored: false))
            return
        }
        lines += step.line
        if work.isAsked, !step.line.isEmpty { isAsked = true }
        outcomes.append(Outcome(work: work, result: .success(step.commit), isStored: !step.line.isEmpty))
    }
}
