// Tries what a sandbox is to forbid and prints one line a try: its name, and "ok" or how it was refused. It is run both as
// the service's own command and outside of it, so that a directive which has no effect shows.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *name, int succeeded) { printf("%s %s\n", name, succeeded ? "ok" : strerrorname_np(errno)); }

static void say_write(const char *name, const char *folder)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/probe", folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	say(name, fd >= 0);
	if (fd < 0) return;
	close(fd);
	unlink(path);
}

// What changes or may end the process is tried in a child; the try returns whether it succeeded.
static void say_child(const char *name, int (*try)(void))
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) _exit(try() ? 0 : errno);
	if (child < 0 || waitpid(child, &status, 0) < 0) return say(name, 0);
	if (WIFSIGNALED(status)) {
		printf("%s SIG%s\n", name, sigabbrev_np(WTERMSIG(status)));
		return;
	}
	errno = WEXITSTATUS(status);
	say(name, errno == 0);
}

static int unshare_user(void) { return unshare(CLONE_NEWUSER) == 0; }
static int trace(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }
static int lower_priority(void) { return setpriority(PRIO_PROCESS, 0, 5) == 0; }
static int change_personality(void) { return personality(ADDR_NO_RANDOMIZE) != -1; }
static int set_clock(void) { return syscall(SYS_clock_settime, 0, NULL) == 0; }
static int load_module(void) { return syscall(SYS_delete_module, NULL, 0) == 0; }
static int schedule_realtime(void) { return syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, NULL) == 0; }
static int read_kernel_log(void) { return syscall(SYS_syslog, 3, NULL, -1) >= 0; }

// getpid(2) of the 32-bit interface
static int call_foreign(void)
{
#ifdef __x86_64__
	long answer = 20;
	__asm__ volatile("int $0x80" : "+a"(answer) : : "memory", "r8", "r9", "r10", "r11");
	return answer > 0;
#else
	errno = ENOSYS;
	return 0;
#endif
}

static void say_status(const char *field)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "re");
	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, field, strlen(field)) && line[strlen(field)] == ':')
			printf("%s %s", field, line + strlen(field) + 1 + strspn(line + strlen(field) + 1, "\t "));
	if (status) fclose(status);
}

// Each mount point that may be written, whatever it is for.
static void say_writable_mounts(void)
{
	char line[4096], point[4096];
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	struct stat status;
	while (mounts && fgets(line, sizeof line, mounts))
		if (sscanf(line, "%*s %*s %*s %*s %4095s", point) == 1 && stat(point, &status) == 0 && S_ISDIR(status.st_mode)
			&& access(point, W_OK) == 0)
			printf("writable %s\n", point);
	if (mounts) fclose(mounts);
}

int main(int count, char **arguments)
{
	char path[4096];
	const char *home = getenv("HOME");
	for (int i = 1; i < count; i++) say_write(arguments[i], arguments[i]);
	say_writable_mounts();

	say("read-modules", access("/usr/lib/modules/probe", R_OK) == 0);
	say("read-outer-tmp", access("/tmp/outside", R_OK) == 0);
	say("read-device", access("/dev/probe", R_OK) == 0);
	say("socket-inet", socket(AF_INET, SOCK_STREAM, 0) >= 0);
	say("socket-netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
	say("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
	say("map-write-execute", mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	say_child("unshare-user", unshare_user);
	say_child("trace", trace);
	say_child("lower-priority", lower_priority);
	say_child("change-personality", change_personality);
	say_child("call-foreign", call_foreign);
	say_child("set-clock", set_clock);
	say_child("load-module", load_module);
	say_child("schedule-realtime", schedule_realtime);
	say_child("read-kernel-log", read_kernel_log);

	snprintf(path, sizeof path, "%s/.local/state/settingsd/mode", home ? home : "");
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	struct stat status;
	if (fd >= 0 && fstat(fd, &status) == 0) printf("new-file-mode %o\n", status.st_mode & 07777);
	say("set-uid-bit", fd >= 0 && fchmod(fd, 04700) == 0);
	unlink(path);
	for (const char **field = (const char *[]){"CapBnd", "CapEff", "NoNewPrivs", "Seccomp", NULL}; *field; field++)
		say_status(*field);
	return 0;
}
