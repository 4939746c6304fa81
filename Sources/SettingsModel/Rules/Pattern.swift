/// A regular expression that texts must match: its source, and what decides about a text.
///
/// The model has no engine of its own; whoever makes a pattern brings one. Two patterns are equal when their sources are.
public struct Pattern: Sendable {
    /// What an engine says of a text.
    public enum Verdict: Hashable, Sendable {
        /// The text matches.
        case matches
        /// The text does not match.
        case differs
        /// The engine gave up, for the reason given: matching would take too long.
        case undecided(String)
    }

    /// Decides about a text, from any thread, within a number of steps of about a hundredth of a microsecond; tells how many
    /// it took, which are as many where it gave up for them.
    public typealias Judge = @Sendable (_ text: String, _ steps: Int) -> (Verdict, steps: Int)

    /// The regular expression as it is written.
    public let source: String
    private let judge: Judge

    /// - Parameters:
    ///   - source: the regular expression as it is written.
    ///   - judge: decides about texts.
    public init(source: String, judge: @escaping Judge) {
        self.source = source
        self.judge = judge
    }

    /// Says what is wrong with `text`, or nil when it matches.
    func fault(in text: String, _ effort: inout Effort) -> String? {
        switch effort.verdict(on: text, by: judge) {
        case .matches: nil
        case .differs: "it does not match the pattern \(source.quoted(limit: 100))"
        case .undecided(let reason): "whether it matches the pattern \(source.quoted(limit: 100)) cannot be told: \(reason)"
        }
    }
}

extension Pattern: Hashable {
    public static func == (left: Pattern, right: Pattern) -> Bool { left.source.utf8.elementsEqual(right.source.utf8) }

    public func hash(into hasher: inout Hasher) {
        for byte in source.utf8 { hasher.combine(byte) }
    }
}
