// Stands between a program and the C library (LD_PRELOAD) and lets the calls that a test names fail, fall short, stop or
// kill the program. Only what concerns files below $FAULTY_ROOT counts.
//
// Built by the tests: cc -shared -fPIC -o faultyfiles.so faultyfiles.c
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// The calls, in the order of `FaultyCall` in FaultyFiles.swift.
enum call {
    OPENAT, OPENDIR, READDIR, CLOSE, STAT, LSTAT, FSTAT, FACCESSAT, READLINK, FLOCK, FCNTL, PREAD, PWRITE, FTRUNCATE,
    FCHMOD, FCHOWN, FDATASYNC, FSYNC, MKDIR, RENAMEAT2, UNLINK, INOTIFY_ADD_WATCH, CHMOD, STATX, STATVFS, CALLS
};

// What a call does instead of its work.
enum action {
    // Values above zero: it fails with this errno.
    SHORT = -1,      // reads or writes half of it
    KILL = -2,       // the process is killed before it
    TEAR = -3,       // writes half of it, then the process is killed
    STOP = -4,       // the process stops before it, and goes on when it is continued
    HANG = -5,       // it never returns
};

// Shared with the test.
struct plan {
    atomic_int armed;       // whether calls count, and may fail
    int call;               // which one fails; below zero: any
    int first, last;        // from which to which of its occurrences, counted from 1
    int action;
    atomic_int hits;        // how often it was done
    atomic_int total;       // calls of all kinds
    atomic_int counts[CALLS];
};

static struct plan *plan;
static const char *root;
static int log_file = -1;
static int is_plain;        // whether the file system cannot rename but by replacing
static _Atomic unsigned char is_ours[1 << 16];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("FAULTY_PLAN");
    root = getenv("FAULTY_ROOT");
    if (!path || !root) return;
    int file = NEXT(openat)(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void *memory = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    NEXT(close)(file);
    if (memory == MAP_FAILED) abort();
    plan = memory;
    is_plain = getenv("FAULTY_PLAIN") != NULL;
    const char *log = getenv("FAULTY_LOG");
    if (log) log_file = NEXT(openat)(AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_path_ours(const char *path) { return plan && strncmp(path, root, strlen(root)) == 0; }

static int is_file_ours(int file) { return plan && file >= 0 && file < (int)sizeof is_ours && is_ours[file]; }

static int mark(int file, int ours) {
    if (file >= 0 && file < (int)sizeof is_ours) is_ours[file] = ours;
    return file;
}

static void note(const char *name, const char *path, int file, int action) {
    char target[4096] = "", line[8300];
    if (!path) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t length = NEXT(readlink)(link, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
        path = target;
    }
    int length = snprintf(line, sizeof line, "%s%s %s\n", action > 0 ? "failed " : "", name, path);
    if (write(log_file, line, length) != length) abort();
}

// Counts a call. Returns 0 where it is to do its work, otherwise what it is to do.
static int begin(enum call call, const char *name, const char *path, int file) {
    if (!(path ? is_path_ours(path) : is_file_ours(file)) || !atomic_load(&plan->armed)) return 0;
    int count = atomic_fetch_add(&plan->counts[call], 1) + 1;
    int total = atomic_fetch_add(&plan->total, 1) + 1;
    if (plan->call < 0) count = total;
    int strikes = (plan->call < 0 || plan->call == (int)call) && count >= plan->first && count <= plan->last;
    int action = strikes ? plan->action : 0;
    if (log_file >= 0) note(name, path, file, action);
    if (!strikes) return 0;
    atomic_fetch_add(&plan->hits, 1);
    switch (action) {
    case KILL: kill(getpid(), SIGKILL); for (;;) pause();
    case STOP: raise(SIGSTOP); return 0;
    case HANG: for (;;) pause();
    default: return action;
    }
}

#define FAIL_OR(call, path, file)                            \
    int action = begin(call, __func__, path, file);          \
    if (action > 0) {                                        \
        errno = action;                                      \
        return -1;                                           \
    }

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    FAIL_OR(OPENAT, path, -1)
    return mark(NEXT(openat)(folder, path, flags, mode), is_path_ours(path));
}

DIR *opendir(const char *path) {
    int action = begin(OPENDIR, __func__, path, -1);
    if (action > 0) {
        errno = action;
        return NULL;
    }
    DIR *folder = NEXT(opendir)(path);
    if (folder) mark(dirfd(folder), is_path_ours(path));
    return folder;
}

struct dirent *readdir(DIR *folder) {
    int action = begin(READDIR, __func__, NULL, dirfd(folder));
    if (action > 0) {
        errno = action;
        return NULL;
    }
    return NEXT(readdir)(folder);
}

int closedir(DIR *folder) {
    // The C library closes the descriptor without close(3).
    mark(dirfd(folder), 0);
    return NEXT(closedir)(folder);
}

int close(int file) {
    int action = begin(CLOSE, __func__, NULL, file);
    mark(file, 0);
    // The descriptor is gone whatever close(2) says.
    int result = NEXT(close)(file);
    if (action <= 0) return result;
    errno = action;
    return -1;
}

int stat(const char *path, struct stat *status) {
    FAIL_OR(STAT, path, -1)
    return NEXT(stat)(path, status);
}

int lstat(const char *path, struct stat *status) {
    FAIL_OR(LSTAT, path, -1)
    return NEXT(lstat)(path, status);
}

int fstat(int file, struct stat *status) {
    FAIL_OR(FSTAT, NULL, file)
    return NEXT(fstat)(file, status);
}

int faccessat(int folder, const char *path, int mode, int flags) {
    FAIL_OR(FACCESSAT, path, -1)
    return NEXT(faccessat)(folder, path, mode, flags);
}

ssize_t readlink(const char *path, char *buffer, size_t size) {
    FAIL_OR(READLINK, path, -1)
    return NEXT(readlink)(path, buffer, size);
}

int flock(int file, int operation) {
    FAIL_OR(FLOCK, NULL, file)
    return NEXT(flock)(file, operation);
}

int fcntl(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    FAIL_OR(FCNTL, NULL, file)
    int result = NEXT(fcntl)(file, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) mark(result, is_file_ours(file));
    return result;
}

ssize_t pread(int file, void *buffer, size_t size, off_t offset) {
    FAIL_OR(PREAD, NULL, file)
    return NEXT(pread)(file, buffer, action == SHORT && size > 1 ? size / 2 : size, offset);
}

ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset) {
    FAIL_OR(PWRITE, NULL, file)
    ssize_t result = NEXT(pwrite)(file, buffer, action != 0 && size > 1 ? size / 2 : size, offset);
    if (action == TEAR) kill(getpid(), SIGKILL);
    return result;
}

int ftruncate(int file, off_t size) {
    FAIL_OR(FTRUNCATE, NULL, file)
    return NEXT(ftruncate)(file, size);
}

int fchmod(int file, mode_t mode) {
    FAIL_OR(FCHMOD, NULL, file)
    return NEXT(fchmod)(file, mode);
}

int fchown(int file, uid_t owner, gid_t group) {
    FAIL_OR(FCHOWN, NULL, file)
    return NEXT(fchown)(file, owner, group);
}

int fdatasync(int file) {
    FAIL_OR(FDATASYNC, NULL, file)
    return NEXT(fdatasync)(file);
}

int fsync(int file) {
    FAIL_OR(FSYNC, NULL, file)
    return NEXT(fsync)(file);
}

int mkdir(const char *path, mode_t mode) {
    FAIL_OR(MKDIR, path, -1)
    return NEXT(mkdir)(path, mode);
}

int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned flags) {
    FAIL_OR(RENAMEAT2, new_path, -1)
    if (is_plain && flags != 0 && is_path_ours(new_path)) {
        errno = EINVAL;
        return -1;
    }
    return NEXT(renameat2)(old_folder, old_path, new_folder, new_path, flags);
}

int unlink(const char *path) {
    FAIL_OR(UNLINK, path, -1)
    return NEXT(unlink)(path);
}

int inotify_add_watch(int file, const char *path, uint32_t events) {
    FAIL_OR(INOTIFY_ADD_WATCH, path, -1)
    return NEXT(inotify_add_watch)(file, path, events);
}

int chmod(const char *path, mode_t mode) {
    FAIL_OR(CHMOD, path, -1)
    return NEXT(chmod)(path, mode);
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *status) {
    FAIL_OR(STATX, path, -1)
    return NEXT(statx)(folder, path, flags, mask, status);
}

int statvfs(const char *path, struct statvfs *status) {
    FAIL_OR(STATVFS, path, -1)
    return NEXT(statvfs)(path, status);
}
