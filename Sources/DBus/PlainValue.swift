internal import CDBus

extension Value {
    /// Longer texts are for `BodyWriter`, which bounds what a message holds.
    private static let plainLength = 1024

    /// Whether libdbus may add the value to a message as it is: a number, a short text without NUL, or a variant of one.
    var isPlain: Bool {
        switch self {
        case .boolean, .int32, .uint32, .int64, .uint64, .double: true
        case .string(let text): text.utf8.count <= Self.plainLength && !text.hasNUL
        case .variant(.variant): false
        case .variant(let content): content.isPlain
        default: false
        }
    }

    /// Adds a plain value to the end of a message.
    ///
    /// - Returns: false where memory has run out.
    func append(to iterator: inout DBusMessageIter) -> Bool {
        switch self {
        case .boolean(let flag): Self.append(dbus_bool_t(flag ? 1 : 0), TypeCode.boolean, to: &iterator)
        case .int32(let number): Self.append(number, TypeCode.int32, to: &iterator)
        case .uint32(let number): Self.append(number, TypeCode.uint32, to: &iterator)
        case .int64(let number): Self.append(number, TypeCode.int64, to: &iterator)
        case .uint64(let number): Self.append(number, TypeCode.uint64, to: &iterator)
        case .double(let number): Self.append(number, TypeCode.double, to: &iterator)
        case .string(let text): text.withCString { Self.append($0, TypeCode.string, to: &iterator) }
        case .variant(let content): content.appendAsVariant(to: &iterator)
        default: false
        }
    }

    private static func append<Basic>(_ value: Basic, _ code: Int32, to iterator: inout DBusMessageIter) -> Bool {
        withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, code, $0) != 0 }
    }

    private func appendAsVariant(to iterator: inout DBusMessageIter) -> Bool {
        var content = DBusMessageIter()
        let isOpen = signature.rawValue.withCString {
            dbus_message_iter_open_container(&iterator, TypeCode.variant, $0, &content)
        }
        guard isOpen != 0 else { return false }
        guard append(to: &content) else {
            dbus_message_iter_abandon_container(&iterator, &content)
            return false
        }
        return dbus_message_iter_close_container(&iterator, &content) != 0
    }
}
