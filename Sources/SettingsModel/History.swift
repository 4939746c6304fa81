/// What can be undone and redone: a pure function of the document's transactions, oldest first.
public struct History: Hashable, Sendable {
    /// Edits that made each undoable transaction, oldest first.
    private var done: [[Edit]] = []
    /// Edits that made each undone transaction, the last undone last.
    private var undone: [[Edit]] = []

    public init() {}

    /// The edits that take the last transaction back, or nil.
    ///
    /// A transaction that later changes of the layers have taken back already is stepped over.
    ///
    /// - Parameter values: the user's values now.
    public func undo(from values: [String: SettingValue]) -> [Edit]? {
        Self.last(of: done, inverted: true, from: values)?.edits
    }

    /// The edits that make the last undone transaction again, or nil.
    public func redo(from values: [String: SettingValue]) -> [Edit]? {
        Self.last(of: undone, inverted: false, from: values)?.edits
    }

    /// Follows one transaction.
    ///
    /// - Parameter values: the user's values before it.
    public mutating func record(_ transaction: Transaction, from values: [String: SettingValue]) {
        switch (transaction.change.origin, transaction.change.actions) {
        case (.layer, _): break
        case (.bus, ["Undo"]):
            done.removeLast(done.count - (Self.last(of: done, inverted: true, from: values)?.index ?? 0))
            undone.append(transaction.edits.map(\.inverse))
        case (.bus, ["Redo"]):
            undone.removeLast(undone.count - (Self.last(of: undone, inverted: false, from: values)?.index ?? 0))
            done.append(transaction.edits)
        default:
            undone = []
            done.append(transaction.edits)
        }
    }

    /// Forgets the oldest transactions beyond `count`.
    public mutating func trim(to count: Int) {
        if done.count > count { done.removeFirst(done.count - count) }
    }

    private static func last(
        of stack: [[Edit]], inverted: Bool, from values: [String: SettingValue]
    ) -> (index: Int, edits: [Edit])? {
        for index in stack.indices.reversed() {
            let edits = stack[index].compactMap { edit -> Edit? in
                let wanted = inverted ? edit.before : edit.after
                let current = values[edit.key]
                return current == wanted ? nil : Edit(key: edit.key, before: current, after: wanted)
            }
            if !edits.isEmpty { return (index, edits) }
        }
        return nil
    }
}
