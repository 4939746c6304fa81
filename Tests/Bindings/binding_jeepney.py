from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import open_dbus_connection

from scenario import NAME, PATH, Refusal, shown


def native(signature, value):
    if signature == "v":
        return (value[0], native(*value))
    if signature == "a{sv}":
        return {key: native("v", item) for key, item in value.items()}
    if signature == "a(sa{sv})":
        return [(name, native("a{sv}", arguments)) for name, arguments in value]
    return value


class Client:
    def __init__(self):
        self.connection = open_dbus_connection("SESSION")
        self.settings = DBusAddress(PATH, NAME, NAME)
        self.properties = Properties(DBusAddress(PATH, NAME, NAME + ".Profile"))
        self.signals = []

    def ask(self, message):
        # Signals that come before the answer are kept for the filter's queue.
        reply = self.connection.send_and_get_reply(message, timeout=10)
        if reply.header.message_type == MessageType.error:
            raise Refusal(reply.header.fields[HeaderFields.error_name])
        return reply.body

    def subscribe(self):
        rule = MatchRule(type="signal", sender=NAME, path=PATH)
        self.ask(message_bus.AddMatch(rule))
        # The daemon's signals carry its unique name.
        (owner,) = self.ask(message_bus.GetNameOwner(NAME))
        self.queue = self.connection.filter(MatchRule(type="signal", sender=owner, path=PATH)).__enter__()

    def wait(self, count):
        while len(self.signals) < count:
            signal = self.connection.recv_until_filtered(self.queue, timeout=10)
            member = signal.header.fields[HeaderFields.member]
            if member == "Changed":
                self.signals.append([member, {key: shown(*item) for key, item in signal.body[1].items()}])
            elif member == "PropertiesChanged":
                interface, values, _ = signal.body
                self.signals.append([member, {f"{interface}.{key}": shown(*item) for key, item in values.items()}])

    def read_all(self):
        revision, values = self.ask(new_method_call(self.settings, "ReadAll"))
        return [revision, {key: shown(*item) for key, item in values.items()}]

    def set_name(self, name):
        self.ask(self.properties.set("Name", "s", name))

    def name(self):
        return self.ask(self.properties.get("Name"))[0][1]

    def select(self, provider):
        actions = DBusAddress(PATH, NAME, NAME + ".Actions")
        return self.ask(new_method_call(actions, "SelectProvider", "s", (provider,)))[0]

    def call(self, path, interface, member, arguments):
        signature = "".join(signature for signature, _ in arguments)
        body = tuple(native(*argument) for argument in arguments)
        self.ask(new_method_call(DBusAddress(path, NAME, interface), member, signature or None, body))
