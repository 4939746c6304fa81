/// What is different between two lists: at one place some items make room for others.
public struct Splice: Hashable, Sendable {
    /// The number of items before.
    public let count: Int
    /// The place of the first item that is removed or inserted, from 0.
    public let place: Int
    /// The items that make room.
    public let removed: [SettingValue]
    /// The items that take their place.
    public let inserted: [SettingValue]

    /// Makes one of its parts, which need not fit any list.
    public init(count: Int, place: Int, removed: [SettingValue], inserted: [SettingValue]) {
        self.count = count
        self.place = place
        self.removed = removed
        self.inserted = inserted
    }

    /// How many items two lists share, from the start and from the end; the two do not overlap.
    public static func shared(_ old: [SettingValue], _ new: [SettingValue]) -> (start: Int, end: Int) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        return (start, end)
    }

    /// The smallest difference, what stays before and after it left out.
    init(from old: [SettingValue], to new: [SettingValue]) {
        let (start, end) = Self.shared(old, new)
        self.init(
            count: old.count, place: start, removed: Array(old[start..<old.count - end]),
            inserted: Array(new[start..<new.count - end]))
    }

    /// The splice that takes this one back.
    var inverse: Splice {
        Splice(count: count - removed.count + inserted.count, place: place, removed: inserted, inserted: removed)
    }

    /// The list after it; nil where it does not fit the list.
    func applied(to items: [SettingValue]) -> [SettingValue]? {
        guard items.count == count, place >= 0, removed.count <= count, place <= count - removed.count else { return nil }
        let range = place..<place + removed.count
        guard items[range].elementsEqual(removed) else { return nil }
        var items = items
        items.replaceSubrange(range, with: inserted)
        return items
    }
}
