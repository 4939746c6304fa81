public import DBus
public import SettingsModel

/// The long lists of one object's settings, ready for messages: each is made of the one before it, which has most of it.
public struct ReadyLists: Sendable {
    private struct List: Sendable {
        let items: [SettingValue]
        let ready: ReadyArray
    }

    /// The last value of each setting that is a long list.
    private var lists: [String: List] = [:]

    public init() {}

    /// Values by key as they go over the bus.
    ///
    /// - Parameter keys: those of all values at least, in the order in which they go; nil: sorted.
    public mutating func settings(_ values: [String: SettingValue], order keys: [String]? = nil) -> Value {
        // Most changes are of one value.
        let keys = values.count == 1 ? Array(values.keys) : keys ?? values.keys.sorted()
        return .variants(keys.compactMap { key in values[key].map { (key, value($0, of: key)) } })
    }

    /// The value of a setting as it goes over the bus.
    public mutating func value(_ value: SettingValue, of key: String) -> Value {
        guard case .list(let element, let items) = value, items.count >= KeptEdit.longList else {
            lists[key] = nil
            return Value(value)
        }
        do throws(BusError) {
            let known = lists[key].flatMap { $0.ready.element == element.signature ? $0 : nil }
            let shared = known.map { Splice.shared($0.items, items) } ?? (start: 0, end: 0)
            if let known, shared.start == items.count, known.items.count == items.count { return .ready(known.ready) }
            let ready = try ReadyArray(of: element.signature, count: items.count, like: known?.ready, shared: shared) {
                Value(items[$0])
            }
            lists[key] = List(items: items, ready: ready)
            return .ready(ready)
        } catch {
            // Whoever sends it is told what is wrong with it.
            return Value(value)
        }
    }
}
