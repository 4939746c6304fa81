/// The members of a JSON object, in order.
///
/// Keys are told apart byte for byte. Looking a key up and setting one take constant time, removing one takes time linear
/// in the number of members.
public struct JSONObject: Sendable {
    public private(set) var members: [(key: String, value: JSONValue)] = []
    /// The position of each key, where there are more members than a search from the start is good for.
    private var index: JSONKeyIndex?

    private static let searchable = 16

    public init() {}

    /// - Parameter members: in order; of members with the same key the last one's value counts, at the first one's place.
    public init(_ members: [(key: String, value: JSONValue)]) {
        self.members.reserveCapacity(members.count)
        for (key, value) in members { self[key] = value }
    }

    /// - Parameter members: in order, no key twice.
    public init(unique members: [(key: String, value: JSONValue)]) {
        self.members = members
        if members.count > Self.searchable { reindex() }
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key. Setting one replaces it in its place or appends it; setting nil removes it.
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil):
                members.remove(at: position)
                if index != nil { reindex() }
            case (nil, let value?):
                members.append((key, value))
                if index?.addLast(of: members) != true, members.count > Self.searchable { reindex() }
            case (nil, nil): break
            }
        }
    }

    /// The place of a key among the members, from 0.
    func position(of key: String) -> Int? {
        if let index { return index.place(of: key, in: members) }
        return members.indices.first { members[$0].key.hasSameBytes(as: key) }
    }

    private mutating func reindex() { index = JSONKeyIndex(members) }
}

/// Where each key of an object stands: a hash table of places among the members, with linear probing. A dictionary would hold
/// each key once more, which with tens of thousands of them are megabytes.
private struct JSONKeyIndex {
    typealias Members = [(key: String, value: JSONValue)]

    private static let free = UInt32.max
    /// A power of two of them, of which a quarter stays free.
    private var places: [UInt32]

    init(_ members: Members) {
        let room = members.count * 4 / 3 + 1
        places = [UInt32](repeating: Self.free, count: 1 << (Int.bitWidth - room.leadingZeroBitCount))
        for place in members.indices { places[slot(of: members[place].key, in: members)] = UInt32(place) }
    }

    func place(of key: String, in members: Members) -> Int? {
        let place = places[slot(of: key, in: members)]
        return place == Self.free ? nil : Int(place)
    }

    /// Adds the last of the members, whose key is new.
    ///
    /// - Returns: false where there is no room for it.
    mutating func addLast(of members: Members) -> Bool {
        guard members.count * 4 / 3 < places.count else { return false }
        places[slot(of: members[members.count - 1].key, in: members)] = UInt32(members.count - 1)
        return true
    }

    /// The slot that has a key, or the free one where it would go.
    private func slot(of key: String, in members: Members) -> Int {
        let mask = places.count - 1
        var slot = ExactText(key).hashValue & mask
        while places[slot] != Self.free, !members[Int(places[slot])].key.hasSameBytes(as: key) { slot = (slot + 1) & mask }
        return slot
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        for (key, value) in members {
            hasher.combine(ExactText(key))
            hasher.combine(value)
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members.map { (key: $0.0, value: $0.1) })
    }
}
