from gi.repository import Gio, GLib

from scenario import NAME, PATH, Refusal, shown


def native(signature, value):
    if signature == "v":
        return GLib.Variant(value[0], native(*value))
    if signature == "a{sv}":
        return {key: native("v", item) for key, item in value.items()}
    if signature == "a(sa{sv})":
        return [(name, native("a{sv}", arguments)) for name, arguments in value]
    return value


def values_of(values):
    """The values of an a{sv} with their types."""
    found = {}
    for index in range(values.n_children()):
        entry = values.get_child_value(index)
        value = entry.get_child_value(1).get_variant()
        found[entry.get_child_value(0).get_string()] = shown(value.get_type_string(), value.unpack())
    return found


class Client:
    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.settings, self.profile, self.provider, self.actions = (
            Gio.DBusProxy.new_sync(self.bus, 0, None, NAME, PATH, NAME + part)
            for part in ("", ".Profile", ".Provider", ".Actions")
        )
        self.signals = []

    def subscribe(self):
        def signalled(proxy, sender, member, arguments):
            if member == "Changed":
                self.signals.append([member, values_of(arguments.get_child_value(1))])

        def properties_changed(proxy, values, gone):
            # The proxy has put the values into its cache before it tells.
            found = {}
            for key, item in values_of(values).items():
                cached = proxy.get_cached_property(key)
                assert shown(cached.get_type_string(), cached.unpack()) == item
                found[f"{proxy.get_interface_name()}.{key}"] = item
            self.signals.append(["PropertiesChanged", found])

        self.settings.connect("g-signal", signalled)
        for proxy in (self.profile, self.provider):
            proxy.connect("g-properties-changed", properties_changed)

    def wait(self, count):
        while len(self.signals) < count:
            GLib.MainContext.default().iteration(True)

    def read_all(self):
        answer = self.settings.call_sync("ReadAll", None, 0, 10000)
        return [answer.get_child_value(0).get_uint64(), values_of(answer.get_child_value(1))]

    def set_name(self, name):
        value = GLib.Variant("(ssv)", (NAME + ".Profile", "Name", GLib.Variant("s", name)))
        self.profile.call_sync("org.freedesktop.DBus.Properties.Set", value, 0, 10000)

    def name(self):
        return self.profile.get_cached_property("Name").unpack()

    def select(self, provider):
        return self.actions.SelectProvider("(s)", provider)

    def call(self, path, interface, member, arguments):
        signature = "".join(signature for signature, _ in arguments)
        body = GLib.Variant(f"({signature})", tuple(native(*argument) for argument in arguments))
        try:
            self.bus.call_sync(NAME, path, interface, member, body, None, 0, 10000)
        except GLib.Error as error:
            raise Refusal(Gio.DBusError.get_remote_error(error)) from error
