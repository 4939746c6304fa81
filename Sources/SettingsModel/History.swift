/// What can be undone and redone: a pure function of the document's transactions, oldest first.
public struct History: Hashable, Sendable {
    /// One step over a transaction, back or forth.
    public struct Step: Hashable, Sendable {
        /// The edits that carry the step out.
        public let edits: [Edit]
        /// The effective values after the step, of the keys whose effective value it changes; long lists left out.
        public let after: [String: SettingValue]
    }

    /// A step as it is kept.
    private struct Kept: Hashable, Sendable {
        let edits: [KeptEdit]
        let before: [String: SettingValue]
        let after: [String: SettingValue]

        var inverse: Kept { Kept(edits: edits.map(\.inverse), before: after, after: before) }
    }

    /// The undoable transactions, oldest first.
    private var done: [Kept] = []
    /// The undone transactions, the last undone last.
    private var undone: [Kept] = []

    /// Makes an empty history.
    public init() {}

    /// The step that takes the last transaction back, or nil.
    ///
    /// A transaction that later changes of the layers have taken back already is stepped over.
    ///
    /// - Parameter values: the user's values now.
    public func undo(from values: [String: SettingValue]) -> Step? {
        Self.last(of: done, \.inverse, from: values)?.step
    }

    /// The step that makes the last undone transaction again, or nil.
    ///
    /// - Parameter values: the user's values now.
    public func redo(from values: [String: SettingValue]) -> Step? {
        Self.last(of: undone, \.self, from: values)?.step
    }

    /// Follows one transaction.
    ///
    /// - Parameter values: the user's values before it.
    public mutating func record(_ transaction: KeptTransaction, from values: [String: SettingValue]) {
        let change = transaction.change
        let step = Kept(edits: transaction.edits, before: change.previous, after: change.values)
        switch (transaction.change.origin, transaction.change.actions) {
        case (.layer, _): break
        case (.bus, [ActionDeclaration.undo.name]):
            done.removeLast(done.count - (Self.last(of: done, \.inverse, from: values)?.index ?? 0))
            undone.append(step.inverse)
        case (.bus, [ActionDeclaration.redo.name]):
            undone.removeLast(undone.count - (Self.last(of: undone, \.self, from: values)?.index ?? 0))
            done.append(step)
        default:
            undone = []
            done.append(step)
        }
    }

    /// Forgets the oldest transactions beyond `count`.
    public mutating func trim(to count: Int) {
        if done.count > count { done.removeFirst(done.count - count) }
    }

    private static func last(
        of steps: [Kept], _ direction: (Kept) -> Kept, from values: [String: SettingValue]
    ) -> (index: Int, step: Step)? {
        for index in steps.indices.reversed() {
            let step = direction(steps[index])
            let edits = step.edits.compactMap { $0.edit(from: values) }.filter { $0.before != $0.after }
            if !edits.isEmpty { return (index, Step(edits: edits, after: step.after)) }
        }
        return nil
    }
}
