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
        let longest = call.longestString
        if longest.bytes <= Limits.stringBytes { return nil }
        let what = longest.key.map { "the value given for \($0.quoted()) has a string" } ?? "the call has a string"
        return tooLarge("\(what) of \(longest.bytes) bytes; at most \(Limits.stringBytes) are allowed")
    }

    /// The error for too many actions in one call, or nil.
    static func refusal(ofActions wire: Value) -> BusError? {
        guard let count = wire.count, count > Limits.actions else { return nil }
        return tooLarge("the call has \(count) actions; at most \(Limits.actions) are allowed, so split it")
    }

    private static func tooLarge(_ message: String) -> BusError { BusError(SettingsError(.tooLarge, message)) }
}
