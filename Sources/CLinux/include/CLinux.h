// The Linux calls that Swift's Glibc module leaves out, or exposes in a shape that Swift cannot use.
#ifndef CLINUX_H
#define CLINUX_H

#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// The environment, which Swift 6 refuses to touch as a global variable.
char **linux_environ(void);

// What main gets, the program's name first, for which the Swift runtime would search the process's memory at each start.
int linux_argument_count(void);
char **linux_arguments(void);

// Tells the thread sanitizer that a lock was taken or is let go, where it does not see this itself; nothing without it.
void linux_lock_taken(const void *lock);
void linux_lock_let_go(const void *lock);

// renameat2(2): the Glibc module hides it behind _GNU_SOURCE.
enum {
    LINUX_RENAME_NOREPLACE = 1 << 0,
    LINUX_RENAME_EXCHANGE = 1 << 1,
};
int linux_renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path,
                    unsigned int flags);

// Whether a file may only be appended to, as chattr(1) sets it (statx(2)): 1, 0, or -1 where nobody knows.
int linux_is_append_only(const char *path);

// openat2(2): a name in a folder, opened as a place alone (O_PATH) and only where the kernel knows it already: no file
// system is asked, not even for the folder. -1 and errno on failure.
int linux_open_cached(const char *folder, const char *name);

// statx(2): the mount that an open place is on, without asking its file system. -1 and errno on failure.
int64_t linux_mount_id(int descriptor);

// memfd_create(2), closed on exec: a file without a name, in memory. -1 and errno on failure.
int linux_memory_file(const char *name);

#endif
