public import DBus
public import SettingsModel

extension SettingsError.Name {
    /// The error's full name on the bus.
    public var errorName: ErrorName { ErrorName(stringLiteral: SettingsNames.errorPrefix + rawValue) }
}

extension BusError {
    /// A refusal as it goes over the bus.
    public init(_ error: SettingsError) {
        self.init(name: error.name.errorName, message: error.message)
    }
}

extension SettingsError {
    /// A refusal as it came over the bus; nil for the errors of D-Bus itself and for names that are newer than this code.
    public init?(_ error: BusError) {
        let name = error.name.rawValue
        guard name.hasPrefix(SettingsNames.errorPrefix),
            let known = Name(rawValue: String(name.dropFirst(SettingsNames.errorPrefix.count)))
        else { return nil }
        self.init(known, error.message)
    }
}
