import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

NAME, PATH = "org.settingsd.Settings1", "/org/settingsd/Settings1"


class Window(Gtk.ApplicationWindow):
    """The user's name in an entry, live both ways."""

    def __init__(self, application, profile):
        super().__init__(application=application, title="Profile")
        self.profile = profile
        self.profile.connect("g-properties-changed", self.show_name)
        self.name, self.message = Gtk.Entry(), Gtk.Label()
        self.name.connect("activate", self.rename)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(self.name)
        box.append(self.message)
        self.set_child(box)
        self.show_name()

    def show_name(self, *_):
        name = self.profile.get_cached_property("Name")
        if name is not None:  # while no daemon runs, the last name stays
            self.name.set_text(name.unpack())
            print(name.unpack(), flush=True)

    def rename(self, entry):
        value = GLib.Variant("(ssv)", (NAME + ".Profile", "Name", GLib.Variant("s", entry.get_text())))
        self.profile.call("org.freedesktop.DBus.Properties.Set", value, 0, 5000, None, self.renamed)

    def renamed(self, profile, result):
        try:
            profile.call_finish(result)
            self.message.set_text("")
        except GLib.Error as error:
            message = error.message.partition(": ")[2]  # behind the error's name
            self.message.set_text(message)
            print("refused:", message, flush=True)
            self.show_name()


try:
    # The proxy keeps the properties and follows PropertiesChanged and restarts of the daemon by itself.
    profile = Gio.DBusProxy.new_for_bus_sync(Gio.BusType.SESSION, 0, None, NAME, PATH, NAME + ".Profile", None)
except GLib.Error as error:
    sys.exit(f"no bus: {error.message}")
application = Gtk.Application(application_id="org.example.Profile")
application.connect("activate", lambda application: Window(application, profile).present())
application.run()
