internal import SettingsModel

extension SettingValue {
    /// A value of a type of the program's as a setting's.
    ///
    /// - Parameters:
    ///   - value: what is encoded.
    ///   - type: the type that the setting has, where it is known: of a list with no items, and of a whole number that is
    ///     to be a number of the other kind, the value alone does not tell it.
    ///   - key: the setting that gets the value, for messages.
    /// - Throws: `mismatch` with the key and the field at fault.
    init<Value: Encodable>(encoding value: Value, as type: ValueType?, for key: String) throws(ClientError) {
        do {
            let slot = EncodingSlot([])
            try slot.encode(value)
            guard let result = try slot.value(as: type) else { throw slot.fault(value, "is nothing; reset the setting instead") }
            self = result
        } catch {
            throw ClientError(coding: error, key)
        }
    }
}

/// A place for one value that is being encoded, and for what is in it.
final class EncodingSlot {
    enum Content {
        /// Nothing has been encoded.
        case none
        case scalar(SettingValue)
        case fields([String: EncodingSlot])
        case items([EncodingSlot])
    }

    var content = Content.none
    let path: [any CodingKey]

    init(_ path: [any CodingKey]) {
        self.path = path
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard let scalar = value as? any SettingScalar else { return try value.encode(to: SettingEncoder(slot: self)) }
        guard let setting = scalar.setting else { throw fault(value, "is \(value), which no setting can hold") }
        content = .scalar(setting)
    }

    /// What was encoded, of the type that is wanted where it can be; nil where nothing was.
    ///
    /// - Throws: `EncodingError` for a list whose items have several types or are missing.
    func value(as type: ValueType?) throws -> SettingValue? {
        switch content {
        case .none: return nil
        case .scalar(.integer(let number)) where type == .number: return .number(Double(number))
        case .scalar(let value): return value
        case .fields(let slots): return .record(try slots.compactMapValues { try $0.value(as: nil) })
        case .items(let slots):
            var element: ValueType?
            if case .list(let wanted)? = type { element = wanted }
            let items = try slots.map { slot in
                guard let item = try slot.value(as: element) else { throw slot.fault(slot, "is nothing, which no list can hold") }
                return item
            }
            let found = items.first?.type ?? element ?? .string
            if let odd = items.firstIndex(where: { $0.type != found }) {
                throw slots[odd].fault(items[odd], "is \(items[odd].words), among items that are \(items[0].words)")
            }
            return .list(element: found, items)
        }
    }

    func fault(_ value: Any, _ text: String) -> EncodingError {
        EncodingError.invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: text))
    }

    // MARK: Parts

    fileprivate func field(_ key: any CodingKey) -> EncodingSlot {
        let slot = EncodingSlot(path + [key])
        var slots: [String: EncodingSlot] = [:]
        if case .fields(let present) = content { slots = present }
        content = .none
        slots[key.stringValue] = slot
        content = .fields(slots)
        return slot
    }

    fileprivate var items: [EncodingSlot] {
        if case .items(let slots) = content { slots } else { [] }
    }

    fileprivate func item() -> EncodingSlot {
        var slots = items
        let slot = EncodingSlot(path + [ItemIndex(slots.count)])
        // The array is this place's alone while it grows.
        content = .none
        slots.append(slot)
        content = .items(slots)
        return slot
    }

    fileprivate func fields<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .none = content { content = .fields([:]) }
        return KeyedEncodingContainer(FieldEncoder(slot: self))
    }

    fileprivate func list() -> any UnkeyedEncodingContainer {
        if case .none = content { content = .items([]) }
        return ItemEncoder(slot: self)
    }
}

/// Writes one value.
private struct SettingEncoder: Encoder, SingleValueEncodingContainer {
    let slot: EncodingSlot
    var codingPath: [any CodingKey] { slot.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { slot.fields(keyedBy: type) }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { slot.list() }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { slot.content = .none }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.encode(value) }
}

/// Writes a record's fields, or a section's settings; nil is a field that is not there.
private struct FieldEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodingSlot
    var codingPath: [any CodingKey] { slot.path }

    func encodeNil(forKey key: Key) {}
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try slot.field(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        slot.field(key).fields(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { slot.field(key).list() }
    func superEncoder() -> any Encoder { SettingEncoder(slot: slot) }
    func superEncoder(forKey key: Key) -> any Encoder { SettingEncoder(slot: slot.field(key)) }
}

/// Writes a list's items.
private struct ItemEncoder: UnkeyedEncodingContainer {
    let slot: EncodingSlot
    var codingPath: [any CodingKey] { slot.path }
    var count: Int { slot.items.count }

    func encodeNil() { _ = slot.item() }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.item().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        slot.item().fields(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { slot.item().list() }
    func superEncoder() -> any Encoder { SettingEncoder(slot: slot.item()) }
}
