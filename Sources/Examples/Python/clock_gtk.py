import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

APP, NAME = "org.settingsd.WorldClock", "org.settingsd.Settings1"
PATH = "/org/settingsd/Settings1/apps/" + APP.replace(".", "_2e")  # see sd_bus_path_encode(3)


class Window(Gtk.ApplicationWindow):
    """The selected time zones and the time there."""

    def __init__(self, application, clock):
        super().__init__(application=application, title="World Clock")
        self.clock, self.text = clock, Gtk.Label()
        self.set_child(self.text)
        # The proxy keeps the properties and follows changes and restarts of the daemon by itself.
        clock.connect("g-properties-changed", self.show_zones)
        GLib.timeout_add_seconds(1, self.show_times)
        self.show_zones()

    def show_zones(self, *_):
        if self.zones is not None:
            print("zones:", *self.zones, flush=True)
        self.show_times()

    @property
    def zones(self):
        zones = self.clock.get_cached_property("Zones")
        return None if zones is None else zones.unpack()

    def show_times(self):
        lines = [f"{self.time(zone)}  {zone}" for zone in self.zones or []]
        if self.zones is None:
            lines = [f"waiting for the settings of {APP}"]
        self.text.set_text("\n".join(lines) or "no zone is selected")
        return True  # again in a second

    def time(self, zone):
        try:
            return f"{datetime.now(ZoneInfo(zone)):%H:%M}"
        except (KeyError, ValueError, OSError):  # a zone that this system does not know
            return "--:--"


try:
    clock = Gio.DBusProxy.new_for_bus_sync(Gio.BusType.SESSION, 0, None, NAME, PATH, APP + ".Settings", None)
except GLib.Error as error:
    sys.exit(f"no bus: {error.message}")
application = Gtk.Application(application_id="org.example.Clock")
application.connect("activate", lambda application: Window(application, clock).present())
application.run()
