#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(LINUX_RENAME_NOREPLACE == RENAME_NOREPLACE, "as the kernel has it");
_Static_assert(LINUX_RENAME_EXCHANGE == RENAME_EXCHANGE, "as the kernel has it");

char **linux_environ(void) { return environ; }

int linux_renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path,
                    unsigned int flags) {
    return renameat2(old_directory, old_path, new_directory, new_path, flags);
}

int linux_is_append_only(const char *path) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, 0, &status) != 0 || !(status.stx_attributes_mask & STATX_ATTR_APPEND))
        return -1;
    return (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

int linux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
