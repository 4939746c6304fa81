internal import DBus
internal import SettingsBus
internal import SettingsModel

extension Message {
    /// The change that a signal `Changed` tells of; nil where it has other types.
    var settingsChange: SettingsChange? {
        wellTypedBody.flatMap { SettingsChange(changed: $0) }
    }

    /// The action that a signal `ActionDispatched` tells of; nil where it has other types.
    var dispatchedAction: (action: Action, revision: UInt64)? {
        guard let body = wellTypedBody, body.count == 3, let name = body[0].string, let arguments = body[1].settings,
            let revision = body[2].uint64
        else { return nil }
        return (Action(name, arguments), revision)
    }

    /// What is wrong now, where a signal `PropertiesChanged` tells of that.
    var changedProblems: [String]? {
        guard let body = wellTypedBody, body.count == 3, body[0].string == SettingsNames.interface.rawValue else { return nil }
        return body[1].variants?.first { $0.0 == SettingsProperty.problems.rawValue }?.1.strings
    }

    /// The body; nil for one with a file descriptor, which no signal of the contract has.
    private var wellTypedBody: [Value]? {
        do throws(BusError) { return try body() } catch { return nil }
    }
}
