public import SettingsModel
internal import Synchronization

/// One transaction that a client asks for.
public struct Request: Hashable, Sendable {
    /// Carried out in order, all or none.
    public var actions: [Action]
    /// The request is refused with `Conflict` unless this is the current revision; nil: whatever it is.
    public var expectedRevision: UInt64?
    /// The caller's app id, desktop id or program name.
    public var application: String
    /// What the actions find out about the world; the same however often the request is judged.
    public var facts: Facts

    public init(
        actions: [Action], expectedRevision: UInt64? = nil, application: String = "", facts: Facts = .current()
    ) {
        self.facts = facts
        self.actions = actions
        self.expectedRevision = expectedRevision
        self.application = application
    }
}

extension Facts {
    /// Random bits that the process asks the kernel for once; what it gives out is made of them and a number.
    private static let secret: (UInt64, UInt64) = {
        var random = SystemRandomNumberGenerator()
        return (random.next(), random.next())
    }()
    private static let count = Atomic<UInt64>(0)

    /// The time now, and new random bits.
    public static func current() -> Facts {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return Facts(time: currentTime(), seed: secret, number: number)
    }
}

/// What became of a request, or of a change in a file.
public struct Commit: Hashable, Sendable {
    /// The current revision, after it.
    public var revision: UInt64
    /// nil where nothing changed.
    public var transaction: Transaction?
    /// The actions as they were carried out; none for files and layers.
    public var actions: [Action]
    /// What actions answer besides the revision, by the answer's name.
    public var answers: [String: SettingValue]

    public init(revision: UInt64, transaction: Transaction?, actions: [Action], answers: [String: SettingValue]) {
        self.revision = revision
        self.transaction = transaction
        self.actions = actions
        self.answers = answers
    }
}
