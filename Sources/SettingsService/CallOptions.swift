internal import DBus
internal import SettingsBus
internal import SettingsModel

/// The options of a call that changes something.
struct CallOptions {
    /// The revision that the caller has seen; nil: it does not matter.
    var expectedRevision: UInt64?

    init() {}

    /// - Parameter wire: the argument `options` (a{sv}).
    /// - Throws: `InvalidArgs` for an option that is unknown, wrongly typed or given twice.
    init(_ wire: Value) throws(BusError) {
        for (name, value) in wire.variants ?? [] {
            guard name == SettingsNames.expectedRevision else {
                throw .invalidArgs("there is no option \(name.quoted()); known is \(SettingsNames.expectedRevision) (t)")
            }
            guard let revision = value.uint64 else {
                throw .invalidArgs("the option \(name) takes the D-Bus type t, got \(value.signature)")
            }
            guard expectedRevision == nil else { throw .invalidArgs("the option \(name) is given twice") }
            expectedRevision = revision
        }
    }
}
