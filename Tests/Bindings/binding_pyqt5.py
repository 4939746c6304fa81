from PyQt5.QtCore import QCoreApplication, QMetaType, QObject, pyqtSlot
from PyQt5.QtDBus import QDBusArgument, QDBusConnection, QDBusInterface, QDBusMessage, QDBusVariant

from scenario import NAME, PATH, Cannot, Refusal, shown

# PyQt hands values over as Python's own, without their D-Bus types.
SIGNATURES = {str: "s", bool: "b", int: "x", float: "d"}


def native(signature, value):
    if signature == "v":
        if value[0] == "t":
            return QDBusArgument(value[1], QMetaType.ULongLong)
        return value[1]
    if signature == "a{sv}":
        return {key: native("v", item) for key, item in value.items()}
    if signature == "a(sa{sv})":
        raise Cannot  # there is no way to say an array of structures
    return value


def values_of(values):
    return {key: shown(SIGNATURES[type(item)], item) for key, item in values.items()}


class Client(QObject):
    def __init__(self):
        super().__init__()
        self.application = QCoreApplication([])
        self.bus = QDBusConnection.sessionBus()
        self.settings, self.actions, self.properties = (
            QDBusInterface(NAME, PATH, name, self.bus)
            for name in (NAME, NAME + ".Actions", "org.freedesktop.DBus.Properties")
        )
        self.signals = []

    @pyqtSlot(QDBusMessage)
    def changed(self, signal):
        self.signals.append(["Changed", values_of(signal.arguments()[1])])

    @pyqtSlot(QDBusMessage)
    def properties_changed(self, signal):
        interface, values, gone = signal.arguments()
        values = {f"{interface}.{key}": item for key, item in values_of(values).items()}
        self.signals.append(["PropertiesChanged", values])

    def subscribe(self):
        assert self.bus.connect(NAME, PATH, NAME, "Changed", self.changed)
        properties = "org.freedesktop.DBus.Properties"
        assert self.bus.connect(NAME, PATH, properties, "PropertiesChanged", self.properties_changed)

    def wait(self, count):
        while len(self.signals) < count:
            self.application.processEvents()

    def read_all(self):
        revision, values = self.settings.call("ReadAll").arguments()
        return [revision, values_of(values)]

    def set_name(self, name):
        reply = self.properties.call("Set", NAME + ".Profile", "Name", QDBusVariant(name))
        assert reply.type() == QDBusMessage.ReplyMessage, reply.errorMessage()

    def name(self):
        return self.properties.call("Get", NAME + ".Profile", "Name").arguments()[0]

    def select(self, provider):
        return self.actions.call("SelectProvider", provider).arguments()[0]

    def call(self, path, interface, member, arguments):
        message = QDBusMessage.createMethodCall(NAME, path, interface, member)
        message.setArguments([
            QDBusVariant(native(*value)) if signature == "v" else native(signature, value)
            for signature, value in arguments
        ])
        reply = self.bus.call(message)
        if reply.type() == QDBusMessage.ErrorMessage:
            raise Refusal(reply.errorName())
