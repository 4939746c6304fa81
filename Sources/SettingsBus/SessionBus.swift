public import DBus
internal import Glibc

/// Where the session bus is.
public enum SessionBus {
    /// The address to connect to: that of DBUS_SESSION_BUS_ADDRESS if it is set and not empty, else the socket
    /// `$XDG_RUNTIME_DIR/bus`.
    ///
    /// - Throws: `NoServer` with what to set, where there is neither; for `autolaunch:` too, which would start a bus of
    ///   its own that nobody else is on.
    public static func address(environment: [String: String]) throws(BusError) -> String {
        try address { environment[$0] }
    }

    /// The same, with the variables that are asked for one by one.
    package static func address(variable: (String) -> String?) throws(BusError) -> String {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            guard !Connection.startsBus(address) else {
                throw .noBus(
                    "DBUS_SESSION_BUS_ADDRESS is \(address), which starts a new bus; set it to the address of a running session bus"
                )
            }
            return address
        }
        guard let directory = variable("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else {
            throw .noBus(
                "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set; log in to a session, start a session bus, as with dbus-run-session, or set DBUS_SESSION_BUS_ADDRESS to its address"
            )
        }
        let socket = directory + (directory.hasSuffix("/") ? "bus" : "/bus")
        guard isSocket(socket) else {
            throw .noBus(
                "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and \(socket) is not a socket; start a session bus, as with dbus-run-session, or set DBUS_SESSION_BUS_ADDRESS to its address"
            )
        }
        return "unix:path=" + escaped(socket)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// A value in a server address (D-Bus specification, "Server Addresses").
    private static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch Unicode.Scalar(byte) {
            case let plain
            where plain.isASCII && (plain.properties.isAlphabetic || "-0123456789_/.\\*".unicodeScalars.contains(plain)):
                result.unicodeScalars.append(plain)
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return result
    }
}
