/**
 * @file shortage.c
 * @brief Implementation of shortage.h: reads limits, and the kernel's counts of what is in use.
 */
#include "shortage.h"
#include "libc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char why[320];

/* Reads the start of a file, without stdio's buffers. @return whether there is any text */
static bool read_file(const char *path, char *text, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : umsim_real_read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* The number behind `name` at the start of a line; -1 when there is none. */
static long long number_of(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0)
            return strtoll(line + length, NULL, 10);
        if (!*line)
            break;
    }
    return -1;
}

static long long number_in(const char *path, const char *name)
{
    char text[8192];
    return read_file(path, text, sizeof text) ? number_of(text, name) : -1;
}

static rlim_t limit_of(int what)
{
    struct rlimit limit;
    return getrlimit(what, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/* ---- limits on memory ---- */

static bool exceeds(int what, const char *used_name, size_t bytes, const char *words)
{
    const rlim_t limit = limit_of(what);
    const long long used_kib = limit == RLIM_INFINITY ? -1 : number_in("/proc/self/status", used_name);
    if (used_kib < 0 || (rlim_t)used_kib * 1024 + bytes <= limit)
        return false;
    snprintf(why, sizeof why, "%s is %llu KiB, of which %lld are in use, and %zu more are needed", words,
             (unsigned long long)limit / 1024, used_kib, bytes / 1024);
    return true;
}

/* Under vm.overcommit_memory = 2 the system promises no more memory than it has. */
static bool exceeds_promises(size_t bytes)
{
    if (number_in("/proc/sys/vm/overcommit_memory", "") != 2)
        return false;
    const long long limit = number_in("/proc/meminfo", "CommitLimit:"),
                    promised = number_in("/proc/meminfo", "Committed_AS:");
    snprintf(
        why, sizeof why,
        "the system promises no more memory than it has (vm.overcommit_memory = 2), %lld of %lld KiB are "
        "promised, and %zu more are needed",
        promised, limit, bytes / 1024);
    return true;
}

static bool exceeds_mappings(void)
{
    char text[8192];
    long long lines = 0;
    const long long most = number_in("/proc/sys/vm/max_map_count", "");
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    for (ssize_t got; file >= 0 && (got = umsim_real_read(file, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    if (file >= 0)
        close(file);
    if (most < 0 || lines + 8 < most)
        return false;
    snprintf(why, sizeof why, "the process has %lld separate mappings, as many as vm.max_map_count allows",
             lines);
    return true;
}

/* Leaves in `why` which limit it is. */
static bool exceeds_limits(size_t bytes, bool is_private)
{
    return exceeds(RLIMIT_AS, "VmSize:", bytes, "the limit on addresses (ulimit -v)") ||
           (is_private &&
            exceeds(RLIMIT_DATA, "VmData:", bytes, "the limit on private memory (ulimit -d)")) ||
           (is_private && exceeds_promises(bytes)) || exceeds_mappings();
}

const char *umsim_why_refused(int error, size_t bytes, enum umsim_asked asked)
{
    const bool is_private = asked == UMSIM_ASKED_PRIVATE;
    if (error == EFBIG) {
        snprintf(why, sizeof why,
                 "the limit on files (ulimit -f) is %llu KiB, which memory files come under, too",
                 (unsigned long long)limit_of(RLIMIT_FSIZE) / 1024);
        return why;
    }
    if (error == EMFILE || error == ENFILE) {
        snprintf(why, sizeof why, "the limit on open files (ulimit -n) is %llu",
                 (unsigned long long)limit_of(RLIMIT_NOFILE));
        return why;
    }
    if ((error == ENOMEM || error == EAGAIN) && exceeds_limits(bytes, is_private))
        return why;
    return strerror(error);
}

const char *umsim_why_no_file(int error)
{
    if (error == ENOSYS)
        return "this system has no memory files (Linux has them from 3.17 on; some sandboxes and emulators "
               "do not)";
    if (error == EPERM || error == EACCES)
        return "a sandbox forbids memory files (seccomp, SELinux)";
    return umsim_why_refused(error, 0, UMSIM_ASKED_ADDRESSES);
}

/* The C library says EAGAIN for a stack that it gets no memory for, too. */
const char *umsim_why_no_thread(int error)
{
    const rlim_t processes = limit_of(RLIMIT_NPROC), stack = limit_of(RLIMIT_STACK);
    const size_t needed = stack == RLIM_INFINITY ? (size_t)2 << 20 : (size_t)stack;
    if (error == EPERM)
        return "a sandbox forbids it (seccomp refuses clone3() with EPERM, where ENOSYS would lead the C "
               "library "
               "back to clone(); an older container runtime?)";
    if (error != EAGAIN || exceeds_limits(needed, true))
        return umsim_why_refused(error, needed, UMSIM_ASKED_PRIVATE);
    if (processes != RLIM_INFINITY)
        snprintf(why, sizeof why,
                 "the user may have %llu processes and threads (ulimit -u), or the group fewer (pids.max)",
                 (unsigned long long)processes);
    else
        snprintf(why, sizeof why, "too many processes and threads (pids.max of the control group?)");
    return why;
}

size_t umsim_private_bytes(void)
{
    const long long kib = number_in("/proc/self/status", "VmData:");
    return kib < 0 ? 0 : (size_t)kib * 1024;
}

size_t umsim_addresses_left(void)
{
    const rlim_t limit = limit_of(RLIMIT_AS);
    if (limit == RLIM_INFINITY)
        return SIZE_MAX;
    const long long used_kib = number_in("/proc/self/status", "VmSize:");
    const size_t used = used_kib < 0 ? 0 : (size_t)used_kib * 1024;
    return used < limit ? (size_t)limit - used : 0;
}

/* ---- memory cgroups ---- */

/* The folder of this process's memory cgroup, or an empty text; *is_second: cgroups of version 2. */
static void folder_of_cgroup(char *folder, size_t size, bool *is_second)
{
    char groups[4096];
    folder[0] = '\0';
    if (!read_file("/proc/self/cgroup", groups, sizeof groups))
        return;
    char *rest = NULL;
    for (char *line = strtok_r(groups, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *memory = strstr(line, ":memory:");
        if (memory) {
            snprintf(folder, size, "/sys/fs/cgroup/memory%s", memory + 8);
            *is_second = false;
        } else if (strncmp(line, "0::", 3) == 0 && !folder[0]) {
            snprintf(folder, size, "/sys/fs/cgroup%s", line + 3);
            *is_second = true;
        }
    }
}

/* A cgroup's limit holds for those below it, so all on the way up are asked. */
static size_t least_limit_of_cgroups(void)
{
    char folder[4200], path[4300], text[64];
    bool is_second = false;
    size_t least = SIZE_MAX;
    folder_of_cgroup(folder, sizeof folder, &is_second);
    while (strlen(folder) >= strlen("/sys/fs/cgroup")) {
        snprintf(path, sizeof path, "%s/%s", folder, is_second ? "memory.max" : "memory.limit_in_bytes");
        if (read_file(path, text, sizeof text) && *text >= '0' && *text <= '9' &&
            strtoull(text, NULL, 10) < least)
            least = (size_t)strtoull(text, NULL, 10);
        *strrchr(folder, '/') = '\0';
    }
    return least;
}

size_t umsim_host_memory_bytes(void)
{
    const long long kib = number_in("/proc/meminfo", "MemTotal:");
    const size_t machine = kib < 0 ? SIZE_MAX : (size_t)kib * 1024, group = least_limit_of_cgroups();
    return group < machine ? group : machine;
}

/* ---- kills for lack of memory ---- */

/* The file that counts the kills in this process's memory cgroup, or an empty text. */
static const char *counts_of_cgroup(void)
{
    static char path[4300];
    char folder[4200];
    bool is_second = false;
    if (path[0])
        return path;
    folder_of_cgroup(folder, sizeof folder, &is_second);
    if (folder[0])
        snprintf(path, sizeof path, "%s/%s", folder, is_second ? "memory.events" : "memory.oom_control");
    return path;
}

static long long of_cgroup = -1, of_system = -1;

void umsim_kills_note(void)
{
    of_cgroup = number_in(counts_of_cgroup(), "oom_kill ");
    of_system = number_in("/proc/vmstat", "oom_kill ");
}

const char *umsim_kills_since(void)
{
    if (of_cgroup >= 0 && number_in(counts_of_cgroup(), "oom_kill ") > of_cgroup)
        return "for lack of memory: its memory cgroup came to its limit";
    if (of_system >= 0 && number_in("/proc/vmstat", "oom_kill ") > of_system)
        return "while the system killed for lack of memory: most likely it was meant";
    return "by somebody, or often for lack of memory (the system's log says: dmesg)";
}
