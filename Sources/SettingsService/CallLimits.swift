internal import DBus
internal import SettingsBus
internal import SettingsModel

/// The first check of every call: its size.
enum CallLimits {
    /// The answer to a call that is too large, or nil.
    static func refusal(of call: Message) -> BusError? {
        let size = call.wireSize
        if size > Limits.messageBytes {
            return tooLarge("the call has \(size) bytes; at most \(Limits.messageBytes) are allowed, so split it")
        }
        // A string that is too long needs a message that is longer still.
        guard size > Limits.stringBytes else { return nil }
        do throws(BusError) {
            let longest = try call.body().map(\.longestString).max() ?? 0
            if longest <= Limits.stringBytes { return nil }
            return tooLarge("a string in the call has \(longest) bytes; at most \(Limits.stringBytes) are allowed")
        } catch {
            return error
        }
    }

    /// The error for too many actions in one call, or nil.
    static func refusal(ofActions wire: Value) -> BusError? {
        guard case .array(_, let actions) = wire, actions.count > Limits.actions else { return nil }
        return tooLarge("the call has \(actions.count) actions; at most \(Limits.actions) are allowed, so split it")
    }

    private static func tooLarge(_ message: String) -> BusError { BusError(SettingsError(.tooLarge, message)) }
}

extension Value {
    /// Bytes of the longest string in the value, wherever it stands.
    fileprivate var longestString: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(_, let items), .structure(let items): items.map(\.longestString).max() ?? 0
        case .dictionary(_, _, let entries): entries.map { max($0.key.longestString, $0.value.longestString) }.max() ?? 0
        case .variant(let content): content.longestString
        case .objectPath(let path): path.rawValue.utf8.count
        default: 0
        }
    }
}
