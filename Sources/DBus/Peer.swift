internal import CDBus

/// The interface that every connection answers, on every path (D-Bus specification, "org.freedesktop.DBus.Peer").
/// libdbus answers it in its own dispatching only, which is not used here.
enum Peer {
    static let interface = Interface(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            Interface.Method("Ping"),
            Interface.Method("GetMachineId", outputs: [Interface.Argument("machine_uuid", "s")]),
        ])

    static func answer(_ call: MethodCall) {
        guard call.member == "GetMachineId" else { return call.reply([]) }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let id = dbus_try_get_local_machine_id(&error) else { return call.fail(BusError(error)) }
        defer { dbus_free(id) }
        call.reply([.string(String(copying: id))])
    }
}
