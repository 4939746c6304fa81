/// What can be undone and redone: a pure function of the document's transactions, oldest first.
public struct History: Hashable, Sendable {
    /// One step over a transaction, back or forth.
    public struct Step: Hashable, Sendable {
        /// The edits that carry the step out.
        public internal(set) var edits: [Edit]
        /// The effective values before the step, of the keys whose effective value it changes.
        public let before: [String: SettingValue]
        /// The effective values after it.
        public let after: [String: SettingValue]

        init(_ transaction: Transaction) {
            self.init(edits: transaction.edits, before: transaction.change.previous, after: transaction.change.values)
        }

        private init(edits: [Edit], before: [String: SettingValue], after: [String: SettingValue]) {
            self.edits = edits
            self.before = before
            self.after = after
        }

        var inverse: Step { Step(edits: edits.map(\.inverse), before: after, after: before) }
    }

    /// The undoable transactions, oldest first.
    private var done: [Step] = []
    /// The undone transactions, the last undone last.
    private var undone: [Step] = []

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
    public mutating func record(_ transaction: Transaction, from values: [String: SettingValue]) {
        let step = Step(transaction)
        switch (transaction.change.origin, transaction.change.actions) {
        case (.layer, _): break
        case (.bus, ["Undo"]):
            done.removeLast(done.count - (Self.last(of: done, \.inverse, from: values)?.index ?? 0))
            undone.append(step.inverse)
        case (.bus, ["Redo"]):
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
        of steps: [Step], _ direction: (Step) -> Step, from values: [String: SettingValue]
    ) -> (index: Int, step: Step)? {
        for index in steps.indices.reversed() {
            var step = direction(steps[index])
            step.edits = step.edits.compactMap { edit in
                let current = values[edit.key]
                return current == edit.after ? nil : Edit(key: edit.key, before: current, after: edit.after)
            }
            if !step.edits.isEmpty { return (index, step) }
        }
        return nil
    }
}
