/// The path of an object (D-Bus specification, "Valid Object Paths").
public struct ObjectPath: DBusName {
    public let rawValue: String

    public init?(_ string: String) {
        guard Self.isValid(string.utf8) else { return nil }
        rawValue = string
    }

    /// Takes over what is valid already.
    init(valid: String) {
        rawValue = valid
    }

    /// The path `/`.
    public static let root = ObjectPath(valid: "/")

    /// The path below this one whose last element stands for any text, as sd_bus_path_encode(3) makes it: ASCII letters
    /// and digits stay, everything else (a digit in front too) becomes `_` and two hexadecimal digits, and the empty
    /// text a lone `_`.
    public func appending(encoded text: String) -> ObjectPath {
        func digit(_ number: UInt8) -> UInt8 { number + (number < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
        var bytes = Array(prefix.utf8)
        bytes.reserveCapacity(bytes.count + 3 * text.utf8.count + 1)
        if text.isEmpty { bytes.append(UInt8(ascii: "_")) }
        for (index, byte) in text.utf8.enumerated() {
            if byte.isASCIIAlphanumeric, index > 0 || !byte.isASCIIDigit {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "_"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            }
        }
        return ObjectPath(valid: String(decoding: bytes, as: UTF8.self))
    }

    /// The text that the last element of a path directly below this one stands for, as `appending(encoded:)` makes it; nil for
    /// every other path.
    public func encodedText(of path: ObjectPath) -> String? {
        guard path.parent == self else { return nil }
        let label = Array(path.rawValue.utf8.dropFirst(prefix.utf8.count))
        var bytes: [UInt8] = []
        var rest = label == [UInt8(ascii: "_")] ? [] : label[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        // Another spelling would be another object.
        guard let text = String(validating: bytes, as: UTF8.self), appending(encoded: text) == path else { return nil }
        return text
    }

    /// The path one element up; nil for `/`.
    public var parent: ObjectPath? {
        guard self != .root, let slash = rawValue.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == rawValue.startIndex ? .root : ObjectPath(valid: String(rawValue[..<slash]))
    }

    /// The names of a path's direct children that the given paths lie at or below; sorted, each once.
    public static func children(of path: ObjectPath, among paths: some Sequence<ObjectPath>) -> [String] {
        let prefix = path.prefix
        var names: Set<String> = []
        for other in paths where other.rawValue.utf8.starts(with: prefix.utf8) {
            let rest = other.rawValue.utf8.dropFirst(prefix.utf8.count)
            if let name = rest.split(separator: UInt8(ascii: "/")).first { names.insert(String(Substring(name))) }
        }
        return names.sorted()
    }

    /// True for this path and everything below it, as `path_namespace` of a match rule means it.
    func contains(_ other: String) -> Bool {
        other == rawValue || other.utf8.starts(with: prefix.utf8)
    }

    /// True for everything below this path.
    func isAbove(_ other: String) -> Bool { other != rawValue && contains(other) }

    private var prefix: String { self == .root ? "/" : rawValue + "/" }

    private static func isValid(_ bytes: String.UTF8View) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        if bytes.count == 1 { return true }
        var isFirst = true
        for byte in bytes.dropFirst() {
            guard byte == UInt8(ascii: "/") ? !isFirst : byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_")
            else { return false }
            isFirst = byte == UInt8(ascii: "/")
        }
        return !isFirst
    }
}
