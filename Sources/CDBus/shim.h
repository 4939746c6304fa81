// The public interface of libdbus-1. Only Sources/DBus imports this module.
#ifndef CDBUS_SHIM_H
#define CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
