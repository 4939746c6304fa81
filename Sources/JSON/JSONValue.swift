/// One JSON value (RFC 8259).
///
/// Values are equal when they would be written with the same bytes: strings and keys compare byte for byte, numbers by their
/// literals (`1` and `1.0` differ), objects member by member in order.
public enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The truth value, else nil.
    public var boolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    /// The number, else nil.
    public var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The text of a string, else nil.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array, else nil.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object, else nil.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let flag): hasher.combine(flag)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(ExactText(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { (key: $0.0, value: $0.1) }))
    }
}

extension String {
    /// Unlike `==`, which takes canonically equivalent texts for equal. Most texts that differ differ in their size.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { UnsafeRawBufferPointer(one).hasSameContent(as: UnsafeRawBufferPointer($0)) }
        }
    }
}

/// A text that is equal to another only byte for byte, where `String` would take canonically equivalent ones for the same.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
