"""What every binding has to do with the daemon; prints one JSON object of what it saw.

usage: scenario.py BINDING JOB: the module of the binding beside this file, and a file with the job as JSON.
"""

import importlib
import json
import sys

NAME, PATH = "org.settingsd.Settings1", "/org/settingsd/Settings1"


class Refusal(Exception):
    """An error answer; its argument is the error's name."""


class Cannot(Exception):
    """The binding has no way to send this, or refuses it by itself."""


def shown(signature, value):
    """A value with its D-Bus type, for the report."""
    return f"{signature}:{value}"


def follow(client, name):
    """Reads, subscribes, sets a property, calls an action, reads again."""
    client.subscribe()
    report = {"before": client.read_all()}
    client.set_name(name)
    client.wait(2)
    report["property"] = client.name()
    report["selected"] = client.select("mpd")
    client.wait(4)
    report["signals"] = client.signals
    report["after"] = client.read_all()
    return report


def errors(client, calls):
    """The names of the errors that calls are answered with."""
    names = []
    for path, interface, member, arguments in calls:
        try:
            client.call(path, interface, member, arguments)
            names.append("none")
        except Refusal as refusal:
            names.append(refusal.args[0])
        except Cannot:
            names.append("cannot")
    return names


if __name__ == "__main__":
    sys.modules["scenario"] = sys.modules["__main__"]
    with open(sys.argv[2]) as file:
        job = json.load(file)
    client = importlib.import_module("binding_" + sys.argv[1]).Client()
    result = errors(client, job["calls"]) if "calls" in job else follow(client, job["name"])
    print(json.dumps(result))
