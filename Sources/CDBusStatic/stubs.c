// libdbus.a as Debian ships it refers to two functions of libsystemd, for a dbus-daemon that systemd hands a socket.
// A client never is; with these two a program links statically without libsystemd, which has no static archive.
#include "stubs.h"

int sd_listen_fds(int unset_environment) {
    (void)unset_environment;
    return 0;
}

int sd_is_socket(int fd, int family, int type, int listening) {
    (void)fd;
    (void)family;
    (void)type;
    (void)listening;
    return 0;
}

// A client that asks the bus for leave to pass descriptors waits for that answer before it can say anything else. The
// command line passes none, and is linked with --wrap for this function.
unsigned __wrap__dbus_socket_can_pass_unix_fd(int fd) {
    (void)fd;
    return 0;
}
