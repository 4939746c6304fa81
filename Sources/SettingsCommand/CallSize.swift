internal import DBus
internal import SettingsBus
internal import SettingsClient

extension SettingsRequest {
    /// The refusal of a call that is too large, in the words of somebody who has typed a command: which value is too large,
    /// how large it is, and the most that is taken. Other errors stay as they are.
    func explaining(_ error: ClientError) -> ClientError {
        guard error.kind == .refused(.tooLarge) else { return error }
        let parts = arguments.flatMap(\.parts)
        var error = error
        if let part = parts.first(where: { $0.value.longestText > Limits.stringBytes }) {
            let bytes = part.value.longestText
            error.message = "\(part.name) has a text of \(bytes) bytes; a text may have \(Limits.stringBytes) at most"
        } else if let size = arguments.wireSize, size > Limits.messageBytes {
            let sizes = parts.compactMap { part in [part.value].wireSize.map { (part.name, $0) } }
            guard let (name, largest) = sizes.max(by: { $0.1 < $1.1 }) else { return error }
            let most = "one change takes \(Limits.messageBytes) at most"
            error.message =
                parts.count == 1
                ? "\(name) has \(size) bytes; \(most)" : "the values have \(size) bytes, \(largest) of them \(name); \(most)"
        }
        return error
    }
}

extension [Value] {
    /// Bytes of a call with these arguments; nil where no message takes them.
    fileprivate var wireSize: Int? {
        let call = Message.methodCall(to: .bus, path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
        do throws(BusError) {
            try call.append(self)
            return call.wireSize
        } catch {
            return nil
        }
    }
}

extension Value {
    /// The values with names: of `a{sv}` the entries, those of an inner one instead of it.
    fileprivate var parts: [(name: String, value: Value)] {
        switch self {
        case .array(_, let items): items.flatMap(\.parts)
        case .structure(let fields): fields.flatMap(\.parts)
        case .dictionary:
            (variants ?? []).flatMap { name, value in value.variants == nil ? [(name, value)] : value.parts }
        default: []
        }
    }

    /// Bytes of the longest string in it.
    fileprivate var longestText: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(_, let items), .structure(let items): items.map(\.longestText).max() ?? 0
        case .dictionary(_, _, let entries): entries.map { Swift.max($0.key.longestText, $0.value.longestText) }.max() ?? 0
        case .variant(let content): content.longestText
        default: 0
        }
    }
}
