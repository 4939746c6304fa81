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
        var label = text.isEmpty ? "_" : ""
        for (index, byte) in text.utf8.enumerated() {
            if byte.isASCIIAlphanumeric, index > 0 || !byte.isASCIIDigit {
                label.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                label += byte < 16 ? "_0" : "_"
                label += String(byte, radix: 16)
            }
        }
        return ObjectPath(valid: prefix + label)
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

    private var prefix: String { self == .root ? "/" : rawValue + "/" }

    private static func isValid(_ bytes: String.UTF8View) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        if bytes.count == 1 { return true }
        return bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { element in
                !element.isEmpty && element.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
            }
    }
}
