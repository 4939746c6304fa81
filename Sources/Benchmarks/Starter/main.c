// Starts a program, its output thrown away, and prints how long it ran in microseconds and its peak memory in KiB. The
// kernel counts the starter's own memory as the program's until the program takes its place, so the starter is small.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 2) return 2;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    struct timespec start, end;
    struct rusage usage;
    pid_t id;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (posix_spawnp(&id, arguments[1], &actions, NULL, arguments + 1, environ) != 0) return 1;
    if (wait4(id, &status, 0, &usage) != id || status != 0) return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double time = (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
    printf("%.1f %ld\n", time, usage.ru_maxrss);
    return 0;
}
