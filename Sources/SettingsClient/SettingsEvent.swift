public import SettingsModel

/// What somebody who follows the settings is told, in order and without a gap.
public enum SettingsEvent: Hashable, Sendable {
    /// Everything: at the start, after each loss, and for a slow reader in place of what it has not read. It takes the
    /// place of all that was told before.
    case snapshot(SettingsSnapshot)
    /// One transaction, of anybody's.
    case changed(SettingsChange)
    /// An action was carried out at a revision. `SettingsFollower` tells every action, behind its change; `SettingsClient`
    /// those alone that change nothing and ask others to do something: `OpenSupportLink`. `ApplicationClient` tells every
    /// one, too, since what an application's actions do only the service knows.
    case action(Action, revision: UInt64)
    /// What is wrong with the settings' files now is another thing than before: a sentence each, as in `status`; none: all is
    /// well. Values may be older than their file until then. Told at the start, too, where something is wrong.
    case problems([String])
    /// The service or the bus has gone. Once a loss; a snapshot comes when it is back.
    case lost(ClientError)
}
