import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from scenario import NAME, PATH, Refusal, shown

SIGNATURES = {dbus.String: "s", dbus.Boolean: "b", dbus.Int64: "x", dbus.Double: "d"}


def native(signature, value):
    if signature == "v":
        kinds = {"s": dbus.String, "t": dbus.UInt64, "i": dbus.Int32}
        return kinds[value[0]](value[1], variant_level=1)
    if signature == "a{sv}":
        return dbus.Dictionary({key: native("v", item) for key, item in value.items()}, signature="sv")
    if signature == "a(sa{sv})":
        items = [dbus.Struct((name, native("a{sv}", arguments))) for name, arguments in value]
        return dbus.Array(items, signature="(sa{sv})")
    return value


def values_of(values):
    return {str(key): shown(SIGNATURES[type(item)], str(item)) for key, item in values.items()}


class Client:
    def __init__(self):
        self.bus = dbus.SessionBus(mainloop=DBusGMainLoop())
        self.object = self.bus.get_object(NAME, PATH)
        self.settings = dbus.Interface(self.object, NAME)
        self.properties = dbus.Interface(self.object, "org.freedesktop.DBus.Properties")
        self.signals = []

    def subscribe(self):
        def changed(revision, values, details):
            self.signals.append(["Changed", values_of(values)])

        def properties_changed(interface, values, gone):
            values = {f"{interface}.{key}": item for key, item in values_of(values).items()}
            self.signals.append(["PropertiesChanged", values])

        self.settings.connect_to_signal("Changed", changed)
        self.properties.connect_to_signal("PropertiesChanged", properties_changed)

    def wait(self, count):
        while len(self.signals) < count:
            GLib.MainContext.default().iteration(True)

    def read_all(self):
        revision, values = self.settings.ReadAll()
        return [int(revision), values_of(values)]

    def set_name(self, name):
        self.properties.Set(NAME + ".Profile", "Name", name)

    def name(self):
        return str(self.properties.Get(NAME + ".Profile", "Name"))

    def select(self, provider):
        return int(dbus.Interface(self.object, NAME + ".Actions").SelectProvider(provider))

    def call(self, path, interface, member, arguments):
        signature = "".join(signature for signature, _ in arguments)
        try:
            self.bus.call_blocking(
                NAME, path, interface, member, signature, [native(*argument) for argument in arguments], timeout=10)
        except dbus.DBusException as error:
            raise Refusal(error.get_dbus_name()) from error
