from dasbus.connection import SessionMessageBus
from dasbus.error import DBusError
from dasbus.typing import get_variant
from gi.repository import GLib

from scenario import NAME, PATH, Cannot, Refusal, shown


def native(signature, value):
    if signature == "v":
        return get_variant(value[0], native(*value))
    if signature == "a{sv}":
        return {key: native("v", item) for key, item in value.items()}
    if signature == "a(sa{sv})":
        return [(name, native("a{sv}", arguments)) for name, arguments in value]
    return value


def values_of(variants):
    return {key: shown(item.get_type_string(), item.unpack()) for key, item in variants.items()}


class Client:
    def __init__(self):
        self.bus = SessionMessageBus()
        self.settings, self.profile, self.actions, self.properties = (
            self.bus.get_proxy(NAME, PATH, interface_name=name)
            for name in (NAME, NAME + ".Profile", NAME + ".Actions", "org.freedesktop.DBus.Properties")
        )
        self.signals = []

    def subscribe(self):
        def changed(revision, values, details):
            self.signals.append(["Changed", values_of(values)])

        def properties_changed(interface, values, gone):
            values = {f"{interface}.{key}": item for key, item in values_of(values).items()}
            self.signals.append(["PropertiesChanged", values])

        self.settings.Changed.connect(changed)
        self.properties.PropertiesChanged.connect(properties_changed)

    def wait(self, count):
        while len(self.signals) < count:
            GLib.MainContext.default().iteration(True)

    def read_all(self):
        revision, values = self.settings.ReadAll()
        return [revision, values_of(values)]

    def set_name(self, name):
        self.profile.Name = name

    def name(self):
        return self.profile.Name

    def select(self, provider):
        return self.actions.SelectProvider(provider)

    def call(self, path, interface, member, arguments):
        proxy = self.bus.get_proxy(NAME, path, interface_name=interface)
        try:
            getattr(proxy, member)(*[native(*argument) for argument in arguments])
        except DBusError as error:
            raise Refusal(error.dbus_name or str(error)) from error
        except (AttributeError, TypeError) as error:  # what introspection does not show is not sent
            raise Cannot from error
