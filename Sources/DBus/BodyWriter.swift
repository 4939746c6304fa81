internal import CDBus

/// Writes checked values into a body.
enum BodyWriter {
    /// Adds a value that `BodyCheck` has passed; false when memory has run out.
    static func append(_ value: Value, to iterator: inout DBusMessageIter) -> Bool {
        switch value {
        case .byte(let value): append(number: value, TypeCode.byte, to: &iterator)
        case .boolean(let value): append(number: value ? 1 as UInt32 : 0, TypeCode.boolean, to: &iterator)
        case .int16(let value): append(number: value, TypeCode.int16, to: &iterator)
        case .uint16(let value): append(number: value, TypeCode.uint16, to: &iterator)
        case .int32(let value): append(number: value, TypeCode.int32, to: &iterator)
        case .uint32(let value): append(number: value, TypeCode.uint32, to: &iterator)
        case .int64(let value): append(number: value, TypeCode.int64, to: &iterator)
        case .uint64(let value): append(number: value, TypeCode.uint64, to: &iterator)
        case .double(let value): append(number: value.bitPattern, TypeCode.double, to: &iterator)
        case .string(let text): append(text: text, TypeCode.string, to: &iterator)
        case .objectPath(let path): append(text: path.rawValue, TypeCode.objectPath, to: &iterator)
        case .signature(let signature): append(text: signature.rawValue, TypeCode.signature, to: &iterator)
        case .array(let element, let values):
            container(TypeCode.array, of: element.rawValue, in: &iterator) { append(all: values, to: &$0) }
        case .dictionary(let key, let value, let entries):
            container(TypeCode.array, of: "{\(key)\(value)}", in: &iterator) { append(entries, to: &$0) }
        case .structure(let fields):
            container(TypeCode.structure, of: nil, in: &iterator) { append(all: fields, to: &$0) }
        case .variant(let content):
            container(TypeCode.variant, of: content.signature.rawValue, in: &iterator) { append(content, to: &$0) }
        }
    }

    private static func append(all values: [Value], to iterator: inout DBusMessageIter) -> Bool {
        for value in values {
            guard append(value, to: &iterator) else { return false }
        }
        return true
    }

    private static func append(_ entries: [Value.Entry], to iterator: inout DBusMessageIter) -> Bool {
        for entry in entries {
            let isDone = container(TypeCode.dictionaryEntry, of: nil, in: &iterator) {
                append(entry.key, to: &$0) && append(entry.value, to: &$0)
            }
            guard isDone else { return false }
        }
        return true
    }

    private static func append(
        number: some FixedWidthInteger, _ code: Int32, to iterator: inout DBusMessageIter
    ) -> Bool {
        withUnsafePointer(to: number) { dbus_message_iter_append_basic(&iterator, code, $0) != 0 }
    }

    private static func append(text: String, _ code: Int32, to iterator: inout DBusMessageIter) -> Bool {
        text.withCString { text in
            withUnsafePointer(to: text) { dbus_message_iter_append_basic(&iterator, code, $0) != 0 }
        }
    }

    private static func container(
        _ code: Int32, of signature: String?, in iterator: inout DBusMessageIter,
        fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var content = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, code, signature, &content) != 0 else { return false }
        guard fill(&content) else {
            dbus_message_iter_abandon_container(&iterator, &content)
            return false
        }
        return dbus_message_iter_close_container(&iterator, &content) != 0
    }
}
