internal import DBus
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsJSON
internal import SettingsModel

extension JSONValue {
    /// A value from the bus: what has no JSON type of its own becomes the nearest one.
    init(_ value: DBus.Value) {
        switch value {
        case .byte(let number): self.init(UInt64(number))
        case .boolean(let flag): self = .boolean(flag)
        case .int16(let number): self.init(Int64(number))
        case .uint16(let number): self.init(UInt64(number))
        case .int32(let number): self.init(Int64(number))
        case .uint32(let number): self.init(UInt64(number))
        case .int64(let number): self.init(number)
        case .uint64(let number): self.init(number)
        case .double(let number): self = .number(JSONNumber(number))
        case .string(let text): self = .string(text)
        case .objectPath(let path): self = .string(path.rawValue)
        case .signature(let signature): self = .string(signature.rawValue)
        case .array(_, let items): self = .array(items.map { JSONValue($0) })
        case .packed(let array): self.init(array.unpacked)
        case .ready: self = .null
        case .dictionary(_, _, let entries):
            self = .object(JSONObject(entries.map { ($0.key.string ?? "\($0.key)", JSONValue($0.value)) }))
        case .structure(let fields): self = .array(fields.map { JSONValue($0) })
        case .variant(let content): self.init(content)
        }
    }

    init(_ number: UInt64) { self = .number(JSONNumber(number)) }

    init(_ number: Int64) { self = .number(JSONNumber(number)) }

    init(_ value: SettingValue) { self = value.json }

    /// Values by key.
    init(_ values: [String: SettingValue]) {
        self = .object(JSONObject(values.map { ($0.key, JSONValue($0.value)) }))
    }

    init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }

    /// Everything at a revision, as `watch` prints it.
    init(_ snapshot: SettingsSnapshot) {
        self = ["event": "snapshot", "revision": JSONValue(snapshot.revision), "values": JSONValue(snapshot.values)]
    }

    /// A change, as `watch` and `log` print it.
    init(_ change: SettingsChange) {
        self = [
            "event": "changed", "revision": JSONValue(change.revision), "values": JSONValue(change.values),
            "previous": JSONValue(change.previous), "actions": JSONValue(change.actions),
            "origin": .string(change.origin.rawValue), "application": .string(change.application),
            "time": JSONValue(change.time),
        ]
    }

    /// An action that only announces itself, as `watch` prints it.
    init(_ action: Action, revision: UInt64) {
        self = [
            "event": "action", "action": .string(action.name), "arguments": JSONValue(action.arguments),
            "revision": JSONValue(revision),
        ]
    }

    /// What a command has changed.
    init(revision: UInt64, change: SettingsChange?) {
        self = ["revision": JSONValue(revision), "values": JSONValue(change?.values ?? [:])]
    }
}

extension SettingValue {
    /// The value as text: a string as it is, a number as people write it, everything else as JSON.
    var text: String {
        switch self {
        case .string(let text): text
        case .number(let number): String(written: number)
        default: String(decoding: JSONWriter.sortedLine(JSONValue(self)), as: UTF8.self)
        }
    }
}
