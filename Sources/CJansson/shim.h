// The public interface of jansson. Only Sources/JSON imports this module.
#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H

#include <jansson.h>

#endif
