internal import SettingsBus
internal import SettingsModel
internal import SettingsStore

/// The settings files of the account that runs this process.
enum OwnFiles {
    /// Where they are, by the environment.
    ///
    /// - Throws: `ReadOnly` where they belong to another account, as under sudo.
    @discardableResult
    static func check() throws(Failure) -> StorePaths {
        do throws(StoreError) {
            return try StorePaths.standard(environment: ProcessEnvironment.current)
        } catch {
            if case .foreignHome(let message) = error { throw Failure(SettingsError(.readOnly, message)) }
            throw .failed(error.message)
        }
    }
}
