public import DBus
public import SettingsBus
public import SettingsModel

/// One method call of the contract, as a value: what is sent, and how the answer reads.
///
/// The calls are the static members: `.readAll`, `.write(_:expecting:)` and so on.
public struct SettingsCall<Answer> {
    @usableFromInline package let request: SettingsRequest
    /// Makes the answer from the body of the reply; nil where that has other types than the contract says.
    @usableFromInline package let decode: ([Value]) -> Answer?

    init(
        _ member: MemberName, of interface: InterfaceName = SettingsNames.interface, _ arguments: [Value] = [],
        effect: SettingsCallEffect = .none, decode: @escaping ([Value]) -> Answer?
    ) {
        request = SettingsRequest(interface: interface, member: member, arguments: arguments, effect: effect)
        self.decode = decode
    }

    /// The options of a call that makes a change.
    private static func options(_ expectedRevision: UInt64?) -> Value {
        .variants(expectedRevision.map { [(SettingsNames.expectedRevision, .uint64($0))] } ?? [])
    }
}

/// What a call sends.
@usableFromInline package struct SettingsRequest {
    let interface: InterfaceName
    let member: MemberName
    package let arguments: [Value]
    package let effect: SettingsCallEffect
}

/// What a call does beside answering.
package enum SettingsCallEffect: Sendable {
    /// Nothing: it can be made again where no answer came.
    case none
    /// Everybody hears of it; no value changes.
    case announcement
    case change
}

// MARK: Reading

extension SettingsCall where Answer == SettingsSnapshot {
    /// Reads every setting's effective value.
    public static var readAll: Self {
        Self(SettingsMethod.readAll.member) { body in
            guard body.count == 2, let revision = body[0].uint64, let values = body[1].settings else { return nil }
            return SettingsSnapshot(revision: revision, values: values)
        }
    }
}

extension SettingsCall where Answer == SettingValue {
    /// Reads one setting's effective value.
    public static func read(_ key: String) -> Self {
        Self(SettingsMethod.read.member, [.string(key)]) { body in
            guard body.count == 1, case .variant(let value) = body[0] else { return nil }
            return value.settingValue()
        }
    }
}

extension SettingsCall where Answer == SettingsDescription {
    /// Describes settings, with their values and sources.
    ///
    /// - Parameter keys: keys or aliases; none: every setting.
    public static func describe(_ keys: [String] = []) -> Self {
        Self(SettingsMethod.describe.member, [.strings(keys)]) { SettingsDescription($0) }
    }
}

extension SettingsCall where Answer == [DescribedAction] {
    /// Lists the actions.
    public static var listActions: Self {
        Self(SettingsMethod.listActions.member) { DescribedAction.all($0) }
    }
}

extension SettingsCall where Answer == ChangesAnswer {
    /// Asks for the changes after a revision.
    public static func changes(since revision: UInt64) -> Self {
        Self(SettingsMethod.changesSince.member, [.uint64(revision)]) { ChangesAnswer($0) }
    }
}

extension SettingsCall where Answer == ServiceStatus {
    /// Reads what the service says about itself.
    public static var status: Self {
        Self("GetAll", of: "org.freedesktop.DBus.Properties", [.string(SettingsNames.interface.rawValue)]) {
            ServiceStatus($0)
        }
    }
}

extension SettingsCall where Answer == [String] {
    /// Asks what is wrong with the settings' files, a sentence each.
    public static var problems: Self {
        let names: [Value] = [.string(SettingsNames.interface.rawValue), .string(SettingsProperty.problems.rawValue)]
        return Self("Get", of: "org.freedesktop.DBus.Properties", names) { body in
            guard body.count == 1, case .variant(let value) = body[0] else { return nil }
            return value.strings
        }
    }
}

// MARK: Changing

/// The calls that make a transaction. They answer the revision after it: one more than before, or the same where nothing
/// changed.
extension SettingsCall where Answer == UInt64 {
    /// Sets user values, all or none.
    ///
    /// - Parameters:
    ///   - values: by key or alias.
    ///   - expectedRevision: refuse with `Conflict` unless it is the current one; nil: whatever it is.
    public static func write(_ values: [String: SettingValue], expecting expectedRevision: UInt64? = nil) -> Self {
        Self(SettingsMethod.write.member, [.settings(values), options(expectedRevision)], effect: .change) {
            $0.first?.uint64
        }
    }

    /// Takes user values away, so that the layers below decide.
    ///
    /// - Parameters:
    ///   - keys: keys or aliases.
    ///   - expectedRevision: as for `write`.
    public static func reset(_ keys: [String], expecting expectedRevision: UInt64? = nil) -> Self {
        Self(SettingsMethod.reset.member, [.strings(keys), options(expectedRevision)], effect: .change) {
            $0.first?.uint64
        }
    }

    /// Carries actions out as one transaction.
    ///
    /// - Parameters:
    ///   - actions: in the order in which they apply.
    ///   - expectedRevision: as for `write`.
    public static func dispatch(_ actions: [Action], expecting expectedRevision: UInt64? = nil) -> Self {
        Self(SettingsMethod.dispatch.member, [actions.wire, options(expectedRevision)], effect: .change) {
            $0.first?.uint64
        }
    }
}

extension SettingsCall where Answer == [String: SettingValue] {
    /// Asks what actions would change, without making the change.
    public static func preview(_ actions: [Action]) -> Self {
        Self(SettingsMethod.preview.member, [actions.wire]) { $0.first?.settings }
    }
}

extension SettingsCall where Answer == OpenedLink {
    /// Announces that a support link is to be opened, and asks for its URL.
    ///
    /// - Parameter link: the name of a support link: `help`.
    public static func openSupportLink(_ link: String) -> Self {
        Self("OpenSupportLink", of: SettingsNames.actionsInterface, [.string(link)], effect: .announcement) { body in
            guard body.count == 2, let revision = body[0].uint64, let url = body[1].string else { return nil }
            return OpenedLink(revision: revision, url: url)
        }
    }
}

extension SettingsCall where Answer == Void {
    /// Lets the service read its files again.
    public static var reload: Self {
        Self(SettingsMethod.reload.member) { _ in }
    }

    /// Asks for nothing but an answer, which comes after everything that the service has sent before.
    public static var ping: Self {
        Self("Ping", of: "org.freedesktop.DBus.Peer") { _ in }
    }
}
