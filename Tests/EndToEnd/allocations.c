// Stands between a program and the C library (LD_PRELOAD) and counts what each thread allocates.
//
// Built by the tests: cc -shared -fPIC -o allocations.so allocations.c
#include <errno.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static __thread unsigned long count __attribute__((tls_model("initial-exec")));

// Of the calling thread, since it began.
unsigned long allocation_count(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    count++;
    return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    count++;
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}
