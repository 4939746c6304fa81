import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME, PATH = "org.settingsd.Settings1", "/org/settingsd/Settings1"
settings = Gio.DBusProxy.new_for_bus_sync(Gio.BusType.SESSION, 0, None, NAME, PATH, NAME, None)


def on_signal(proxy, sender, signal, parameters):
    if signal == "Changed":
        revision, values, details = parameters.unpack()
        print(f"revision {revision} by {details['application']}: {values}", flush=True)


settings.connect("g-signal", on_signal)  # before the first ReadAll, so that nothing is missed
revision, values = settings.call_sync("ReadAll", None, 0, 5000, None).unpack()
print(f"revision {revision}: {values['provider.id']}", flush=True)
tidal = GLib.Variant("(a{sv}a{sv})", ({"provider.id": GLib.Variant("s", "tidal")}, {}))
settings.call_sync("Write", tidal, 0, 5000, None)
GLib.MainLoop().run()
