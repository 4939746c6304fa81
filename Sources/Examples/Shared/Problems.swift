/// What the daemon says is wrong with the settings, as far as the user has been told.
final class Problems {
    fileprivate(set) var sentences: [String] = []
}

extension Invocation {
    /// Whether something is wrong with the settings, so that what seems to be missing may be there and unreadable.
    public var hasProblems: Bool { !problems.sentences.isEmpty }

    /// Tells what is wrong with the settings and has not been told yet, and when all of it was mended.
    func tell(_ now: [String], quietly: Bool = false) {
        let before = problems.sentences
        problems.sentences = now
        if quietly || now == before { return }
        for sentence in now where !before.contains(sentence) { remark(sentence) }
        if now.isEmpty { notice("nothing is wrong with the settings any more") }
    }
}
