/// The members of a JSON object, in order.
///
/// Keys are told apart byte for byte. Looking a key up and setting one take constant time, removing one takes time linear
/// in the number of members.
public struct JSONObject: Sendable {
    public private(set) var members: [(key: String, value: JSONValue)] = []
    /// The position of each key, where there are more members than a search from the start is good for.
    private var index: [ExactText: Int]?

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
                if index != nil {
                    index?[ExactText(key)] = members.count - 1
                } else if members.count > Self.searchable {
                    reindex()
                }
            case (nil, nil): break
            }
        }
    }

    /// The place of a key among the members, from 0.
    func position(of key: String) -> Int? {
        if let index { return index[ExactText(key)] }
        return members.indices.first { members[$0].key.hasSameBytes(as: key) }
    }

    private mutating func reindex() {
        var index: [ExactText: Int] = [:]
        index.reserveCapacity(members.count)
        for (position, member) in members.enumerated() { index[ExactText(member.key)] = position }
        self.index = index
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
