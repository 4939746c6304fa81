internal import DBus
internal import Glibc
internal import SettingsBus
internal import SettingsClient

/// What the command line takes from its environment.
enum Environment {
    /// A variable; nil where it is not set.
    static func variable(_ name: String) -> String? {
        unsafe name.withCString { unsafe getenv($0) }.map { unsafe String(copying: $0) }
    }

    /// Whether somebody who looks at a terminal wants colour (no-color.org: any value but the empty one means no).
    static var wantsColour: Bool {
        (variable("NO_COLOR") ?? "").isEmpty && !["", "dumb"].contains(variable("TERM") ?? "")
    }

    /// The address of the session bus.
    ///
    /// - Throws: `NoBus`.
    static func busAddress() throws(Failure) -> String {
        do throws(BusError) {
            return try SessionBus.address(variable: variable)
        } catch {
            // The message says what to set.
            var failure = Failure(ClientError(.noBus, error.message))
            failure.hint = nil
            throw failure
        }
    }

    /// The variable that says where the session bus is.
    static var busVariable: String {
        (variable("DBUS_SESSION_BUS_ADDRESS") ?? "").isEmpty ? "XDG_RUNTIME_DIR" : "DBUS_SESSION_BUS_ADDRESS"
    }
}
