internal import CDBus
internal import Glibc

/// A string in a message.
public struct LongestString: Hashable, Sendable {
    /// Its length in bytes of UTF-8.
    public var bytes = 0
    /// The key of the innermost dictionary's entry that holds it; nil where none does.
    public var key: String?
}

extension Message {
    /// The longest string or object path in the body, wherever it stands; found without decoding the body.
    public var longestString: LongestString {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(raw, &iterator) != 0 else { return LongestString() }
        return Self.longestString(at: &iterator)
    }

    private static let texts = [TypeCode.string, TypeCode.objectPath]

    /// Nesting is bounded by libdbus (64 levels), so recursion is too.
    private static func longestString(at iterator: inout DBusMessageIter, inArray: Bool = false) -> LongestString {
        var longest = LongestString()
        var type = dbus_message_iter_get_arg_type(&iterator)
        while type != 0 {
            switch type {
            case TypeCode.string, TypeCode.objectPath:
                let bytes = text(at: &iterator).map { strlen($0) } ?? 0
                if bytes > longest.bytes { longest = LongestString(bytes: bytes) }
            case TypeCode.array where dbus_type_is_fixed(dbus_message_iter_get_element_type(&iterator)) != 0: break
            case TypeCode.array, TypeCode.structure, TypeCode.variant:
                var content = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &content)
                let found = longestString(at: &content, inArray: type == TypeCode.array)
                if found.bytes > longest.bytes { longest = found }
            case TypeCode.dictionaryEntry:
                var content = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &content)
                var key = content
                var found = longestString(at: &content)
                if found.bytes > longest.bytes {
                    if found.key == nil, texts.contains(dbus_message_iter_get_arg_type(&key)) {
                        found.key = text(at: &key).map { String(cString: $0) }
                    }
                    longest = found
                }
            default: break
            }
            if dbus_message_iter_next(&iterator) == 0 { break }
            // Asking takes as long as reading does, and all of an array are of one type.
            if !inArray { type = dbus_message_iter_get_arg_type(&iterator) }
        }
        return longest
    }

    /// The string or object path that an iterator stands at.
    private static func text(at iterator: inout DBusMessageIter) -> UnsafePointer<CChar>? {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text
    }
}
