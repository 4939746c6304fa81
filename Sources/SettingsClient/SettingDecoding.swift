internal import SettingsModel

extension SettingValue {
    /// The value as a type of the program's.
    ///
    /// - Parameter key: the setting that has the value, for messages.
    /// - Throws: `mismatch` with the key and the field at fault.
    func decoded<Value: Decodable>(as type: Value.Type, for key: String) throws(ClientError) -> Value {
        do {
            return try SettingDecoder(self, []).decode(type)
        } catch {
            throw ClientError(coding: error, key)
        }
    }
}

/// Reads one value, and what is in it.
private struct SettingDecoder: Decoder, SingleValueDecodingContainer {
    let value: SettingValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: SettingValue, _ path: [any CodingKey]) {
        self.value = value
        codingPath = path
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields = value.record else { throw mismatch([String: SettingValue].self, "named values") }
        return KeyedDecodingContainer(FieldDecoder(fields: fields, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let items = value.items else { throw mismatch([SettingValue].self, "a list") }
        return ItemDecoder(items: items, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// A missing value is a missing field; there is none that stands for nothing.
    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let scalar = type as? any SettingScalar.Type else { return try Value(from: self) }
        guard let result = scalar.init(setting: value) as? Value else { throw mismatch(type, scalar.words) }
        return result
    }

    private func mismatch(_ type: any Any.Type, _ words: String) -> DecodingError {
        let text = "is \(value.words), where the program reads \(words)"
        return DecodingError.typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }
}

/// Reads a record's fields, or a section's settings.
private struct FieldDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: SettingValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.keys.sorted().compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { SettingDecoder(.record(fields), codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> SettingDecoder {
        guard let value = fields[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath + [key], debugDescription: "is not there"))
        }
        return SettingDecoder(value, codingPath + [key])
    }
}

/// Reads a list's items.
private struct ItemDecoder: UnkeyedDecodingContainer {
    let items: [SettingValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(items: [SettingValue], codingPath: [any CodingKey]) {
        self.items = items
        self.codingPath = codingPath
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Only what could be read is passed over.
        let result = try decoder().decode(type)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let result = try decoder().container(keyedBy: type)
        currentIndex += 1
        return result
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let result = try decoder().unkeyedContainer()
        currentIndex += 1
        return result
    }

    mutating func superDecoder() throws -> any Decoder {
        let result = try decoder()
        currentIndex += 1
        return result
    }

    private func decoder() throws -> SettingDecoder {
        let path = codingPath + [ItemIndex(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                SettingValue.self, DecodingError.Context(codingPath: path, debugDescription: "is not there"))
        }
        return SettingDecoder(items[currentIndex], path)
    }
}
