/// One change of one user value as it is kept for later: of a long list only what is different, so that it takes room and
/// time for what was changed and not for the list.
public enum KeptEdit: Hashable, Sendable {
    /// All of it.
    case whole(Edit)
    /// What is different in a long list of items of a type.
    case splice(key: String, element: ValueType, Splice)

    /// The length from which on a list is long.
    public static let longList = 64

    /// The edit as a splice, where that is much smaller.
    static func splice(of edit: Edit) -> KeptEdit? {
        guard case .list(let element, let old)? = edit.before, case .list(element, let new)? = edit.after,
            min(old.count, new.count) >= longList
        else { return nil }
        let splice = Splice(from: old, to: new)
        guard (splice.removed.count + splice.inserted.count) * 4 <= old.count else { return nil }
        return .splice(key: edit.key, element: element, splice)
    }

    /// The key of the setting.
    public var key: String {
        switch self {
        case .whole(let edit): edit.key
        case .splice(let key, _, _): key
        }
    }

    /// Whether it holds both values.
    public var isWhole: Bool {
        if case .whole = self { true } else { false }
    }

    /// Whether there is a user's value after it.
    public var leavesValue: Bool {
        switch self {
        case .whole(let edit): edit.after != nil
        case .splice: true
        }
    }

    /// The edit that takes this one back.
    public var inverse: KeptEdit {
        switch self {
        case .whole(let edit): .whole(edit.inverse)
        case .splice(let key, let element, let splice): .splice(key: key, element: element, splice.inverse)
        }
    }

    /// The whole edit.
    ///
    /// - Parameter values: the user's values before it.
    /// - Returns: nil where it does not fit these values.
    public func edit(from values: [String: SettingValue]) -> Edit? {
        switch self {
        case .whole(let edit): return Edit(key: edit.key, before: values[edit.key], after: edit.after)
        case .splice(let key, let element, let splice):
            guard case .list(element, let items)? = values[key], let new = splice.applied(to: items) else { return nil }
            return Edit(key: key, before: values[key], after: .list(element: element, new))
        }
    }
}

/// A transaction as it is kept for later.
public struct KeptTransaction: Hashable, Sendable {
    /// Without the effective values of the settings whose edit is a splice, which are the user's.
    public let change: SettingsChange
    /// What it did to the user's values.
    public let edits: [KeptEdit]

    /// Makes one of what was kept.
    ///
    /// - Parameters:
    ///   - change: what clients see, the values of settings whose edit is a splice left out.
    ///   - edits: what it did to the user's values.
    public init(change: SettingsChange, edits: [KeptEdit]) {
        self.change = change
        self.edits = edits
    }

    /// Leaves out what of a transaction need not be kept.
    public init(_ transaction: Transaction) {
        var change = transaction.change
        edits = transaction.edits.map { edit in
            guard change.values[edit.key] == edit.after, change.previous[edit.key] == edit.before,
                let splice = KeptEdit.splice(of: edit)
            else { return .whole(edit) }
            change.values[edit.key] = nil
            change.previous[edit.key] = nil
            return splice
        }
        self.change = change
    }

    /// The transaction as it was.
    ///
    /// - Parameter values: the user's values before it.
    public func whole(from values: [String: SettingValue]) -> Transaction {
        var change = change
        var whole: [Edit] = []
        for kept in edits {
            switch kept {
            case .whole(let edit): whole.append(edit)
            case .splice:
                // One that does not fit follows a line of the journal that was damaged.
                guard let edit = kept.edit(from: values) else { continue }
                change.values[edit.key] = edit.after
                change.previous[edit.key] = edit.before
                whole.append(edit)
            }
        }
        return Transaction(change: change, edits: whole)
    }
}

extension Document {
    /// Makes kept edits, the revision unchanged; one that does not fit changes nothing.
    public mutating func apply(_ edits: [KeptEdit]) {
        for kept in edits {
            if let edit = kept.edit(from: values) { values[edit.key] = edit.after }
        }
    }
}
