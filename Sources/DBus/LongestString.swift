internal import CDBus
internal import Glibc

extension Message {
    /// Bytes of the longest string or object path in the body, wherever it stands; found without decoding the body.
    public var longestString: Int {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(raw, &iterator) != 0 else { return 0 }
        return Self.longestString(at: &iterator)
    }

    /// Nesting is bounded by libdbus (64 levels), so recursion is too.
    private static func longestString(at iterator: inout DBusMessageIter) -> Int {
        var longest = 0
        while true {
            switch dbus_message_iter_get_arg_type(&iterator) {
            case 0: return longest
            case TypeCode.string, TypeCode.objectPath:
                var text: UnsafePointer<CChar>?
                dbus_message_iter_get_basic(&iterator, &text)
                longest = max(longest, text.map { strlen($0) } ?? 0)
            case TypeCode.array where dbus_type_is_fixed(dbus_message_iter_get_element_type(&iterator)) != 0: break
            case TypeCode.array, TypeCode.structure, TypeCode.variant, TypeCode.dictionaryEntry:
                var content = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &content)
                longest = max(longest, longestString(at: &content))
            default: break
            }
            dbus_message_iter_next(&iterator)
        }
    }
}
