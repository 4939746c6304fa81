#ifndef CDBUSSTATIC_STUBS_H
#define CDBUSSTATIC_STUBS_H

int sd_listen_fds(int unset_environment);
int sd_is_socket(int fd, int family, int type, int listening);
unsigned __wrap__dbus_socket_can_pass_unix_fd(int fd);

#endif
