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

    /// Puts /dev/null in the place of a standard stream that was handed over closed, lest the connection to the bus get
    /// its number and what is printed go to the bus.
    static func claimStandardStreams() {
        while true {
            let descriptor = unsafe open("/dev/null", O_RDONLY)
            if descriptor < 0 { return }
            if descriptor > STDERR_FILENO {
                close(descriptor)
                return
            }
        }
    }
}
