// The floor: the least that a durable setting on D-Bus costs. It holds one value, checks nothing and forgets nothing.
//
//   Floor NAME [FILE]
//
// Serves Get() -> s and Set(s), and announces Changed(s), under a bus name. With a file, every value is appended to it, and
// what waits at once is flushed at once, before any of it is answered.
#include <dbus/dbus.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INTERFACE "org.settingsd.Floor"

enum { BATCH = 4096 };

static char value[4096];
static int file = -1;
static DBusMessage *answers[2 * BATCH];

// Carries a call out; returns how many answers it has left behind those that are there already.
static int serve(DBusMessage *call, int count) {
    const char *text = value;
    if (dbus_message_is_method_call(call, INTERFACE, "Get")) {
        answers[count] = dbus_message_new_method_return(call);
        dbus_message_append_args(answers[count], DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
        return 1;
    }
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID)) return 0;
    snprintf(value, sizeof value, "%s", text);
    if (file >= 0 && dprintf(file, "%s\n", value) < 0) exit(1);
    answers[count] = dbus_message_new_method_return(call);
    answers[count + 1] = dbus_message_new_signal("/", INTERFACE, "Changed");
    dbus_message_append_args(answers[count + 1], DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    return 2;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    if (count > 2) {
        file = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (file < 0) return 1;
    }
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    dbus_bus_request_name(bus, arguments[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL);
    do {
        DBusMessage *call;
        int waiting = 0;
        while (waiting < 2 * BATCH - 2 && (call = dbus_connection_pop_message(bus))) {
            if (dbus_message_get_type(call) == DBUS_MESSAGE_TYPE_METHOD_CALL) waiting += serve(call, waiting);
            dbus_message_unref(call);
        }
        if (waiting > 0 && file >= 0 && fdatasync(file) != 0) return 1;
        for (int index = 0; index < waiting; index++) {
            dbus_connection_send(bus, answers[index], NULL);
            dbus_message_unref(answers[index]);
        }
        dbus_connection_flush(bus);
    } while (dbus_connection_get_dispatch_status(bus) == DBUS_DISPATCH_DATA_REMAINS || dbus_connection_read_write(bus, -1));
    return 0;
}
