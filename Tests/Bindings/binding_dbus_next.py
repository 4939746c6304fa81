import asyncio

from dbus_next import Message, MessageType, Variant
from dbus_next.aio import MessageBus
from dbus_next.errors import DBusError

from scenario import NAME, PATH, Refusal, shown


def native(signature, value):
    if signature == "v":
        return Variant(value[0], native(*value))
    if signature == "a{sv}":
        return {key: native("v", item) for key, item in value.items()}
    if signature == "a(sa{sv})":
        return [[name, native("a{sv}", arguments)] for name, arguments in value]
    return value


class Client:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.signals = []
        self.run(self.connect())

    def run(self, work):
        return self.loop.run_until_complete(asyncio.wait_for(work, 10))

    async def connect(self):
        self.bus = await MessageBus().connect()
        self.object = self.bus.get_proxy_object(NAME, PATH, await self.bus.introspect(NAME, PATH))
        self.settings, self.profile = (self.object.get_interface(NAME + part) for part in ("", ".Profile"))

    def subscribe(self):
        def changed(revision, values, details):
            self.signals.append(["Changed", {key: shown(item.signature, item.value) for key, item in values.items()}])

        def properties_changed(interface, values, gone):
            values = {f"{interface}.{key}": shown(item.signature, item.value) for key, item in values.items()}
            self.signals.append(["PropertiesChanged", values])

        self.settings.on_changed(changed)
        self.object.get_interface("org.freedesktop.DBus.Properties").on_properties_changed(properties_changed)

    def wait(self, count):
        async def enough():
            while len(self.signals) < count:
                await asyncio.sleep(0.005)

        self.run(enough())

    def read_all(self):
        revision, values = self.run(self.settings.call_read_all())
        return [revision, {key: shown(item.signature, item.value) for key, item in values.items()}]

    def set_name(self, name):
        self.run(self.profile.set_name(name))

    def name(self):
        return self.run(self.profile.get_name())

    def select(self, provider):
        return self.run(self.object.get_interface(NAME + ".Actions").call_select_provider(provider))

    def call(self, path, interface, member, arguments):
        signature = "".join(signature for signature, _ in arguments)
        body = [native(*argument) for argument in arguments]
        reply = self.run(self.bus.call(Message(NAME, path, interface, member, signature=signature, body=body)))
        if reply.message_type == MessageType.ERROR:
            raise Refusal(reply.error_name)
