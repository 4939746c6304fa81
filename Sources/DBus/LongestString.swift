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

    /// Nesting is bounded by libdbus (64 levels), so recursion is too.
    private static func longestString(at iterator: inout DBusMessageIter) -> LongestString {
        var longest = LongestString()
        while true {
            switch dbus_message_iter_get_arg_type(&iterator) {
            case 0: return longest
            case TypeCode.string, TypeCode.objectPath:
                let bytes = text(at: &iterator).map { strlen($0) } ?? 0
                if bytes > longest.bytes { longest = LongestString(bytes: bytes) }
            case TypeCode.array where dbus_type_is_fixed(dbus_message_iter_get_element_type(&iterator)) != 0: break
            case TypeCode.array, TypeCode.structure, TypeCode.variant:
                var content = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &content)
                let found = longestString(at: &content)
                if found.bytes > longest.bytes { longest = found }
            case TypeCode.dictionaryEntry:
                var content = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &content)
                var key = content
                var found = longestString(at: &content)
                if found.bytes > longest.bytes {
                    if found.key == nil { found.key = text(at: &key).map { String(cString: $0) } }
                    longest = found
                }
            default: break
            }
            dbus_message_iter_next(&iterator)
        }
    }

    /// The string or object path that an iterator stands at; nil where it is something else.
    private static func text(at iterator: inout DBusMessageIter) -> UnsafePointer<CChar>? {
        guard [TypeCode.string, TypeCode.objectPath].contains(dbus_message_iter_get_arg_type(&iterator)) else { return nil }
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        return text
    }
}
