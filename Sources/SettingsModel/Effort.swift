/// What one request, file or schema may cost altogether, so that none holds others up for long.
///
/// A step of an action looks at each item of the list that it changes, some more than once, which takes about a tenth of a
/// microsecond each, and checks those that are new, which takes about as long for each part of them. A step of a pattern's match takes about a hundredth of one; what ordinary patterns take for ordinary
/// texts is free, so that only the sum of odd ones is limited.
public struct Effort: Sendable {
    /// The items of lists that a request's steps may go through.
    static let items = 600_000
    /// The steps that matches may take beyond the free ones, and that the match of one text may take at most: about 25 ms.
    static let steps = 2_000_000

    private var itemsLeft = items
    private var hasSteps = false
    private var stepsLeft: Int
    /// Whether only matches that fail are charged.
    private let sparesMatches: Bool
    /// What the limit is for, for messages.
    private let subject: String
    /// Whether there was a match that the steps left were too few for.
    private(set) var isSpent = false

    private init(_ subject: String, steps: Int = steps, sparesMatches: Bool = false) {
        self.subject = subject
        self.sparesMatches = sparesMatches
        stepsLeft = steps
    }

    /// For all that a request asks for.
    package static var request: Effort { Effort("this request; give fewer at once") }

    /// For the default values and the like of a schema.
    package static var schema: Effort { Effort("this schema") }

    /// For all that a document, a layer's file or the journal says. What was taken once is in there, and is not lost for what
    /// others cost.
    package static var file: Effort { Effort("this file", steps: 4 * steps, sparesMatches: true) }

    /// Takes in a step of an action on a list. One step is taken however long the list is.
    ///
    /// - Throws: `TooLarge`.
    mutating func spend(on items: [SettingValue], of setting: Setting, for action: Action) throws(SettingsError) {
        guard !hasSteps || items.count <= itemsLeft else {
            throw SettingsError(
                .tooLarge,
                "the actions go through more than \(Self.items) items of lists, those with much in them counted several times, "
                    + "\(items.count) of \(setting.key) for each step on it; split them, or set the whole list at once")
        }
        hasSteps = true
        // What is looked for may be long, and be the same as the items but for its end.
        spend(items.count * (1 + action.arguments.values.reduce(0) { $0 + $1.weight } / 16))
    }

    /// Takes in what there is to look at.
    mutating func spend(_ weight: Int) { itemsLeft -= min(itemsLeft, weight) }

    /// The error for a value that is refused: `InvalidValue`, `TooLarge` where the effort was too little to tell.
    package func refusal(_ message: String) -> SettingsError { SettingsError(isSpent ? .tooLarge : .invalidValue, message) }

    /// Lets an engine decide about a text, within the steps that are left.
    mutating func verdict(on text: String, by judge: Pattern.Judge) -> Pattern.Verdict {
        let size = text.utf8.count
        let free = 32 + size
        let most = min(20_000 + 64 * size, Self.steps)
        let limit = min(most, free + stepsLeft)
        let (verdict, taken) = judge(text, limit)
        if sparesMatches, verdict == .matches { return verdict }
        stepsLeft -= min(stepsLeft, max(0, taken - free))
        guard taken >= limit, case .undecided = verdict else { return verdict }
        if limit == most { return .undecided("it takes too many steps") }
        isSpent = true
        return .undecided("too many steps are taken for the values of \(subject)")
    }
}
