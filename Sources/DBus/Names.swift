/// A name of one of the kinds that the D-Bus specification lists under "Valid Names". A value of such a type is valid,
/// so libdbus, which ends the process at a bad one, is never handed any.
public protocol DBusName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as text; ASCII only.
    var rawValue: String { get }
    /// Takes a name over unchanged, or is nil where the specification does not allow it.
    init?(_ string: String)
}

extension DBusName {
    public var description: String { rawValue }

    /// Takes a name that is written in the source; a bad one is a programming error.
    public init(stringLiteral value: String) {
        guard let name = Self(value) else { preconditionFailure("\"\(value)\" is not a valid \(Self.self).") }
        self = name
    }
}

/// A unique (`:1.42`) or well-known (`org.example.Name1`) bus name.
public struct BusName: DBusName {
    public let rawValue: String

    public init?(_ string: String) {
        let isUnique = string.utf8.first == UInt8(ascii: ":")
        let elements = isUnique ? string.utf8.dropFirst() : string.utf8[...]
        guard NameRule(allowsHyphen: true, allowsLeadingDigit: isUnique).allows(dotted: elements, in: string.utf8)
        else { return nil }
        rawValue = string
    }

    /// True for a name that the bus gave to one connection.
    public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }
}

/// The name of an interface, such as `org.freedesktop.DBus.Peer`.
public struct InterfaceName: DBusName {
    public let rawValue: String

    public init?(_ string: String) {
        guard NameRule().allows(dotted: string.utf8[...], in: string.utf8) else { return nil }
        rawValue = string
    }
}

/// The name of an error; the rule is that of an interface.
public struct ErrorName: DBusName {
    public let rawValue: String

    public init?(_ string: String) {
        guard NameRule().allows(dotted: string.utf8[...], in: string.utf8) else { return nil }
        rawValue = string
    }
}

/// The name of a method, signal or property.
public struct MemberName: DBusName {
    public let rawValue: String

    public init?(_ string: String) {
        guard string.utf8.count <= NameRule.maximumLength, NameRule().allows(element: string.utf8[...]) else {
            return nil
        }
        rawValue = string
    }
}

/// The characters of a name's elements, and how they are put together.
private struct NameRule {
    static let maximumLength = 255

    var allowsHyphen = false
    var allowsLeadingDigit = false

    /// - Parameter text: at least two elements with dots in between.
    func allows(dotted text: Substring.UTF8View, in whole: String.UTF8View) -> Bool {
        guard whole.count <= Self.maximumLength else { return false }
        var dots = 0
        var isFirst = true
        for byte in text {
            if byte == UInt8(ascii: "."), !isFirst {
                dots += 1
                isFirst = true
            } else {
                guard allows(byte, isFirst: isFirst) else { return false }
                isFirst = false
            }
        }
        return dots > 0 && !isFirst
    }

    func allows(element: Substring.UTF8View) -> Bool {
        var isFirst = true
        for byte in element {
            guard allows(byte, isFirst: isFirst) else { return false }
            isFirst = false
        }
        return !isFirst
    }

    private func allows(_ byte: UInt8, isFirst: Bool) -> Bool {
        if byte.isASCIIDigit { return allowsLeadingDigit || !isFirst }
        return byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || allowsHyphen && byte == UInt8(ascii: "-")
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    var isASCIIAlphanumeric: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }
}
