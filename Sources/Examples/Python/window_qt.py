import sys

from PyQt5.QtCore import pyqtSlot
from PyQt5.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage
from PyQt5.QtWidgets import QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget

NAME, PATH = "org.settingsd.Settings1", "/org/settingsd/Settings1"


class Window(QWidget):
    """The user's name in an entry, live both ways."""

    def __init__(self):
        super().__init__(windowTitle="Profile")
        self.name, self.message = QLineEdit(), QLabel()
        self.name.returnPressed.connect(self.rename)
        box = QVBoxLayout(self)
        box.addWidget(self.name)
        box.addWidget(self.message)
        bus = QDBusConnection.sessionBus()
        # Before the first read, so that nothing is missed; another look when a daemon has come back.
        bus.connect(NAME, PATH, NAME, "Changed", self.changed)
        bus.connect("", "", "org.freedesktop.DBus", "NameOwnerChanged", self.owner_changed)
        self.settings = QDBusInterface(NAME, PATH, NAME, bus)
        self.read_all()

    def read_all(self):
        answer = self.settings.call("ReadAll")
        if self.is_answer(answer):
            revision, values = answer.arguments()
            self.show_name(values)

    def is_answer(self, answer):
        """Whether it is one; the window says why not."""
        if answer.type() != QDBusMessage.ErrorMessage:
            return True
        self.message.setText(answer.errorMessage())
        print("refused:", answer.errorMessage(), flush=True)
        return False

    @pyqtSlot(QDBusMessage)
    def changed(self, signal):
        revision, values, details = signal.arguments()
        self.show_name(values)

    @pyqtSlot(QDBusMessage)
    def owner_changed(self, signal):
        name, old, new = signal.arguments()
        if name == NAME and new:
            self.message.clear()
            self.read_all()

    def show_name(self, values):
        if "profile.name" in values:
            self.name.setText(values["profile.name"])
            print(values["profile.name"], flush=True)

    def rename(self):
        self.message.clear()
        if not self.is_answer(self.settings.call("Write", {"profile.name": self.name.text()}, {})):
            self.read_all()


application = QApplication(sys.argv)
window = Window()
window.show()
application.exec_()
