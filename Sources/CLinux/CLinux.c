#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(LINUX_RENAME_NOREPLACE == RENAME_NOREPLACE, "as the kernel has it");
_Static_assert(LINUX_RENAME_EXCHANGE == RENAME_EXCHANGE, "as the kernel has it");

char **linux_environ(void) { return environ; }

static int argument_count;
static char **arguments;

// glibc hands constructors what main gets, in programs with and without shared libraries.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int linux_argument_count(void) { return argument_count; }

char **linux_arguments(void) { return arguments; }

#if defined(__has_feature) && __has_feature(thread_sanitizer)
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void linux_lock_taken(const void *lock) { __tsan_acquire((void *)lock); }
void linux_lock_let_go(const void *lock) { __tsan_release((void *)lock); }
#else
void linux_lock_taken(const void *lock) {}
void linux_lock_let_go(const void *lock) {}
#endif

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

int linux_open_cached(const char *folder, const char *name) {
    int root = open(folder, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (root < 0) return -1;
    struct open_how how = {.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW, .resolve = RESOLVE_CACHED};
    int place = (int)syscall(SYS_openat2, root, name, &how, sizeof how);
    int code = errno;
    close(root);
    errno = code;
    return place;
}

int64_t linux_mount_id(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) != 0) return -1;
    return (int64_t)status.stx_mnt_id;
}

int linux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
