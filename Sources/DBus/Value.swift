/// A value of any D-Bus type but a file descriptor.
///
/// Arrays and dictionaries carry the type of what they hold, so that an empty one has a type too. Strings are compared
/// and hashed byte for byte: two spellings of `é` are two values.
public enum Value: Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    indirect case array(element: Signature, [Value])
    /// An array or a dictionary as it comes in: each of numbers, and in a method call's arguments each that is large. Equal to
    /// what it is once it is `unpacked`.
    indirect case packed(PackedArray)
    /// An array that only goes out: nothing that came in has one.
    indirect case ready(ReadyArray)
    /// Entries keep their order, and those with the same key are all kept.
    indirect case dictionary(key: Signature, value: Signature, [Entry])
    indirect case structure([Value])
    indirect case variant(Value)

    /// One key and its value.
    public struct Entry: Hashable, Sendable {
        public var key: Value
        public var value: Value

        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The value's complete type.
    public var signature: Signature { Signature(valid: typeCodes) }

    private var typeCodes: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a" + element.rawValue
        case .packed(let array): "a" + array.element.rawValue
        case .ready(let array): "a" + array.element.rawValue
        case .dictionary(let key, let value, _): "a{" + key.rawValue + value.rawValue + "}"
        case .structure(let fields): fields.reduce(into: "(") { $0 += $1.typeCodes } + ")"
        case .variant: "v"
        }
    }
}

extension Value: Hashable {
    /// Byte for byte; numbers as Swift compares them, so a double that is no number equals nothing.
    public static func == (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (.byte(let a), .byte(let b)): a == b
        case (.boolean(let a), .boolean(let b)): a == b
        case (.int16(let a), .int16(let b)): a == b
        case (.uint16(let a), .uint16(let b)): a == b
        case (.int32(let a), .int32(let b)): a == b
        case (.uint32(let a), .uint32(let b)): a == b
        case (.int64(let a), .int64(let b)): a == b
        case (.uint64(let a), .uint64(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.objectPath(let a), .objectPath(let b)): a == b
        case (.signature(let a), .signature(let b)): a == b
        case (.array(let a, let x), .array(let b, let y)): a == b && x == y
        case (.packed(let a), let b), (let b, .packed(let a)): a.unpacked == b.unpacked
        case (.ready(let a), .ready(let b)): a == b
        case (.dictionary(let a, let b, let x), .dictionary(let c, let d, let y)): a == c && b == d && x == y
        case (.structure(let a), .structure(let b)): a == b
        case (.variant(let a), .variant(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .byte(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        case .int16(let value): hasher.combine(value)
        case .uint16(let value): hasher.combine(value)
        case .int32(let value): hasher.combine(value)
        case .uint32(let value): hasher.combine(value)
        case .int64(let value): hasher.combine(value)
        case .uint64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .objectPath(let value): hasher.combine(value)
        case .signature(let value): hasher.combine(value)
        case .array(_, let values): hasher.combine(values)
        case .packed(let array): array.unpacked.hash(into: &hasher)
        case .ready(let array): hasher.combine(array)
        case .dictionary(_, _, let entries): hasher.combine(entries)
        case .structure(let fields): hasher.combine(fields)
        case .variant(let content): hasher.combine(content)
        }
    }
}

/// The shapes that the project's interfaces use, in and out.
extension Value {
    /// An array of strings (`as`).
    public static func strings(_ strings: [String]) -> Value {
        .array(element: "s", strings.map(Value.string))
    }

    /// A dictionary from names to values of any type (`a{sv}`); wraps each value in a variant.
    public static func variants(_ values: [(String, Value)]) -> Value {
        .dictionary(key: "s", value: "v", values.map { Entry(key: .string($0.0), value: .variant($0.1)) })
    }

    /// How many elements an array has, or entries a dictionary; nil for everything else.
    public var count: Int? {
        switch self {
        case .array(_, let values): values.count
        case .dictionary(_, _, let entries): entries.count
        case .packed(let array): array.count
        default: nil
        }
    }

    /// The text of a string; nil for everything else, object paths too.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    public var uint32: UInt32? {
        if case .uint32(let value) = self { value } else { nil }
    }

    public var uint64: UInt64? {
        if case .uint64(let value) = self { value } else { nil }
    }

    /// The content of an `as`.
    public var strings: [String]? {
        guard case .array("s", let values) = unpacked(as: "as") else { return nil }
        return values.compactMap(\.string)
    }

    /// The content of an `a{sv}`, each value taken out of its variant.
    public var variants: [(String, Value)]? {
        guard case .dictionary("s", "v", let entries) = unpacked(as: "a{sv}") else { return nil }
        return entries.compactMap { entry in entry.key.string.map { ($0, entry.value.unwrapped) } }
    }

    /// An `array` or `dictionary` where it is a `packed` one; every other value as it is.
    public var unpacked: Value {
        if case .packed(let array) = self { array.unpacked } else { self }
    }

    /// Not taken apart for nothing where it is of another type.
    private func unpacked(as type: Signature) -> Value {
        if case .packed = self, signature == type { unpacked } else { self }
    }

    /// A variant's content, one level down; every other value as it is.
    public var unwrapped: Value {
        if case .variant(let content) = self { content } else { self }
    }
}
