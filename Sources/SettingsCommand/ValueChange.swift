internal import SettingsModel

/// What has changed of a value, in a line: which items of a list, of anything else old and new.
enum ValueChange {
    /// - Parameter rule: the value's, where it is known.
    static func text(from old: SettingValue?, to new: SettingValue?, rule: ValueRule?) -> String {
        guard let before = old?.items, let after = new?.items else { return "\(old.readable) → \(new.readable)" }
        return ListChange(from: before, to: after, ItemNames(rule?.list?.item.record)).text
    }
}

/// What has changed of a list: `added UTC; removed Asia/Tokyo`.
private struct ListChange {
    private let names: ItemNames
    private var added: [SettingValue]
    private var removed: [SettingValue]
    private var changed: [(old: SettingValue, new: SettingValue)] = []

    init(from old: [SettingValue], to new: [SettingValue], _ names: ItemNames) {
        self.names = names
        added = Self.items(of: new, beyond: old)
        removed = Self.items(of: old, beyond: new)
        changed = names.hasIDs ? pairsByID() : old.count == new.count ? Self.pairsByPlace(old, new) : []
        added = Self.items(of: added, beyond: changed.map(\.new))
        removed = Self.items(of: removed, beyond: changed.map(\.old))
    }

    var text: String {
        let clauses = [
            clause("added", added, names.name), clause("removed", removed, names.name),
            clause("changed", changed) { "\(names.name(of: $0.old)) (\(names.differences($0.old, $0.new)))" },
        ].compactMap { $0 }
        return clauses.isEmpty ? "in another order" : clauses.joined(separator: "; ")
    }

    private func clause<Item>(_ verb: String, _ items: [Item], _ text: (Item) -> String) -> String? {
        guard !items.isEmpty else { return nil }
        let rest = items.count > Self.longest ? " and \(items.count - Self.longest) more" : ""
        return "\(verb) \(items.prefix(Self.longest).map(text).joined(separator: ", "))\(rest)"
    }

    /// The most items that are named one by one.
    private static let longest = 5

    /// The items that one list has more of than the other, in order.
    private static func items(of list: [SettingValue], beyond other: [SettingValue]) -> [SettingValue] {
        var counts: [SettingValue: Int] = [:]
        for item in other { counts[item, default: 0] += 1 }
        return list.filter { item in
            guard let count = counts[item], count > 0 else { return true }
            counts[item] = count - 1
            return false
        }
    }

    private func pairsByID() -> [(old: SettingValue, new: SettingValue)] {
        var left = Dictionary(removed.compactMap { item in names.id(of: item).map { ($0, item) } }) { first, _ in first }
        return added.compactMap { item in
            names.id(of: item).flatMap { left.removeValue(forKey: $0) }.map { ($0, item) }
        }
    }

    private static func pairsByPlace(_ old: [SettingValue], _ new: [SettingValue]) -> [(old: SettingValue, new: SettingValue)] {
        let (before, after) = (Set(old), Set(new))
        return zip(old, new).filter { $0.record != nil && !after.contains($0) && !before.contains($1) }.map { ($0, $1) }
    }
}

/// What items of a list are called.
private struct ItemNames {
    /// The field that tells a record for good, and the one with the words that people know it by; nil where there is none.
    private let idField: String?
    private let nameField: String?

    init(_ rule: RecordRule?) {
        let fields = rule?.fields ?? []
        let id = fields.first { $0.rule.string?.format == .uuid || $0.name == "id" }?.name
        let texts = fields.filter { $0.name != id && $0.rule.string != nil }
        idField = id
        nameField = (texts.first { $0.rule.string?.isFreeText == true } ?? texts.first)?.name
    }

    var hasIDs: Bool { idField != nil }

    func id(of item: SettingValue) -> SettingValue? { idField.flatMap { item.record?[$0] } }

    /// The words that people know an item by, of many the first.
    func name(of item: SettingValue) -> String {
        let words = nameField.flatMap { item.record?[$0] }.flatMap { $0.string == "" ? nil : $0 }
        return (words ?? id(of: item) ?? item).brief
    }

    /// The fields of two records that differ: `done false → true`.
    func differences(_ old: SettingValue, _ new: SettingValue) -> String {
        let (old, new) = (old.record ?? [:], new.record ?? [:])
        return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { field in
            "\(field) \(old[field]?.brief ?? "absent") → \(new[field]?.brief ?? "absent")"
        }.joined(separator: ", ")
    }
}

extension StringRule {
    /// Whether the texts are what somebody has written, rather than one of a kind.
    fileprivate var isFreeText: Bool { format == nil && choices == nil && pattern == nil }
}

extension SettingValue {
    /// The value as text on one line, of a long one the beginning.
    fileprivate var brief: String {
        let line = Optional(self).readable.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        return line.count > 40 ? line.prefix(39) + "…" : line
    }
}
