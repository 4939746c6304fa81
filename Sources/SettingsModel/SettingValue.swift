/// The type of a setting's value or of an action's argument.
public indirect enum ValueType: Hashable, Sendable {
    /// A text.
    case string
    /// True or false.
    case boolean
    /// A whole number of 64 bits.
    case integer
    /// A number in double precision.
    case number
    /// Values of one type.
    case list(ValueType)
    /// Named values of any type.
    case record
    /// A value of any type, which carries that type with it; only arguments of actions have this one.
    case variant
}

/// One value of a setting, or one argument of an action.
///
/// Strings compare byte for byte: two spellings that Unicode calls canonically equivalent ("é" as one scalar or as two)
/// are two values here, since a value is stored exactly as it was given.
public indirect enum SettingValue: Sendable {
    /// A text, kept byte for byte.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A number in double precision.
    case number(Double)
    /// Values of one type, which an empty list has as well.
    case list(element: ValueType, [SettingValue])
    /// Values by name.
    case record([String: SettingValue])

    /// The type that the value has.
    public var type: ValueType {
        switch self {
        case .string: .string
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .list(let element, _): .list(element)
        case .record: .record
        }
    }

    /// The text of a string value, else nil.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The items of a list, else nil.
    public var items: [SettingValue]? {
        if case .list(_, let items) = self { items } else { nil }
    }

    /// The texts of a list of strings, else nil.
    public var strings: [String]? {
        guard case .list(.string, let items) = self else { return nil }
        return items.compactMap(\.string)
    }

    /// The fields of a record, else nil.
    public var record: [String: SettingValue]? {
        if case .record(let fields) = self { fields } else { nil }
    }

    /// How many values it consists of, itself and the names of fields included.
    public var totalCount: Int {
        switch self {
        case .list(_, let items): items.reduce(1) { $0 + $1.totalCount }
        case .record(let fields): fields.values.reduce(1) { $0 + 2 + $1.totalCount }
        default: 1
        }
    }

    /// How much there is to look at: each value that it consists of, and each further 64 bytes of a text.
    var weight: Int {
        switch self {
        case .string(let text): 1 + text.utf8.count / 64
        case .list(_, let items): items.reduce(1) { $0 + $1.weight }
        case .record(let fields): fields.values.reduce(1) { $0 + 2 + $1.weight }
        default: 1
        }
    }

    /// A list of strings.
    public static func strings(_ items: [String]) -> SettingValue {
        .list(element: .string, items.map(SettingValue.string))
    }
}

extension SettingValue: Hashable {
    public static func == (left: SettingValue, right: SettingValue) -> Bool {
        if isSame(left, right) { return true }
        return switch (left, right) {
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a.bitPattern == b.bitPattern
        case (.list(let a, let left), .list(let b, let right)): a == b && left == right
        case (.record(let a), .record(let b)): a == b
        default: false
        }
    }

    /// Whether two values are one, in one place in memory: most of what two versions of a long list hold.
    static func isSame(_ left: SettingValue, _ right: SettingValue) -> Bool {
        // All that an indirect case consists of is where its content is.
        unsafe unsafeBitCast(left, to: UInt.self) == unsafeBitCast(right, to: UInt.self)
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(var text): text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .boolean(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .number(let number): hasher.combine(number.bitPattern)
        case .list(let element, let items):
            hasher.combine(element)
            hasher.combine(items)
        case .record(let fields): hasher.combine(fields)
        }
    }
}

extension String {
    /// Unlike `==`, which takes canonically equivalent texts for equal.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
                let (whole, size) = (count & ~7, MemoryLayout<UInt64>.size)
                for at in stride(from: 0, to: whole, by: size) {
                    let isSame =
                        unsafe one.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                        == other.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                    if !isSame { return false }
                }
                return unsafe one[whole...].elementsEqual(other[whole...])
            }
        }
    }
}

extension SettingValue: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
}
