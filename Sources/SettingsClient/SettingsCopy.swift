internal import SettingsModel

/// The settings as the client knows them, never changed after it was made: a reader keeps it as long as it likes while
/// newer ones take its place.
final class SettingsCopy: Sendable {
    let snapshot: SettingsSnapshot
    /// Why the copy is not kept up to date; nil while it is.
    let loss: ClientError?
    // The typed faces are made here, once a change, rather than at each read.
    let profile: UserProfile
    let provider: MusicProvider
    let account: String
    let support: SupportLinks

    init(_ snapshot: SettingsSnapshot, loss: ClientError? = nil) {
        self.snapshot = snapshot
        self.loss = loss
        profile = UserProfile(snapshot.values)
        provider = snapshot.values["provider.id"]?.string.map(MusicProvider.init(rawValue:)) ?? .none
        account = snapshot.values["provider.account"]?.string ?? ""
        support = SupportLinks(snapshot.values)
    }

    /// A value by key or alias; nil where there is no such setting.
    subscript(name: String) -> SettingValue? {
        snapshot.values[name] ?? Schema.builtIn.setting(named: name).flatMap { snapshot.values[$0.key] }
    }

    /// The copy after an event; itself where the event tells of no state.
    func after(_ event: SettingsEvent) -> SettingsCopy {
        switch event {
        case .snapshot(let snapshot): return SettingsCopy(snapshot)
        case .changed(let change):
            let values = snapshot.values.merging(change.values) { $1 }
            return SettingsCopy(SettingsSnapshot(revision: change.revision, values: values), loss: loss)
        case .action: return self
        case .lost(let error): return SettingsCopy(snapshot, loss: error)
        }
    }
}
