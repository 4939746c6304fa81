import SettingsClient

/// What the daemon says is wrong with the settings, and what of that the user has been told.
final class Problems {
    private(set) var sentences: [String] = []

    /// Takes over what is wrong now.
    ///
    /// - Returns: what was not wrong before.
    func update(_ now: [String]) -> [String] {
        defer { sentences = now }
        return now.filter { !sentences.contains($0) }
    }
}

extension Invocation {
    /// Whether something is wrong with the settings, so that what seems to be missing may be there and unreadable.
    public var hasProblems: Bool { !problems.sentences.isEmpty }

    /// Asks the daemon what is wrong with the settings, and tells what has not been told yet.
    func tellProblems(of client: ApplicationClient, quietly: Bool = false) throws(ClientError) {
        for sentence in problems.update(try client.statusAndWait().problems) where !quietly { remark(sentence) }
    }
}
