/**
 * @file libc.c
 * @brief Looks up the C library's own functions, which the simulator's wrappers hide (libc.h).
 */
#include "libc.h"

#include <dlfcn.h>

static struct {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    ssize_t (*read)(int, void *, size_t);
    ssize_t (*write)(int, const void *, size_t);
    int (*clock_gettime)(clockid_t, struct timespec *);
    int (*nanosleep)(const struct timespec *, struct timespec *);
    int (*cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
} real;

/* In a fault handler it would be too late to look a function up at its first use. Another library's
 * constructor may run before this one, so each use also checks whether the look-up has been done. */
__attribute__((constructor)) static void look_up(void)
{
    *(void **)&real.sigaction = dlsym(RTLD_NEXT, "sigaction");
    *(void **)&real.read = dlsym(RTLD_NEXT, "read");
    *(void **)&real.write = dlsym(RTLD_NEXT, "write");
    *(void **)&real.nanosleep = dlsym(RTLD_NEXT, "nanosleep");
    *(void **)&real.cond_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    *(void **)&real.clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    if (!real.sigaction)
        look_up();
    return real.sigaction(signal_number, action, old);
}

ssize_t umsim_real_read(int fd, void *buffer, size_t bytes)
{
    if (!real.read)
        look_up();
    return real.read(fd, buffer, bytes);
}

ssize_t umsim_real_write(int fd, const void *buffer, size_t bytes)
{
    if (!real.write)
        look_up();
    return real.write(fd, buffer, bytes);
}

int umsim_real_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!real.clock_gettime)
        look_up();
    return real.clock_gettime(clock, now);
}

int umsim_real_nanosleep(const struct timespec *limit, struct timespec *left)
{
    if (!real.nanosleep)
        look_up();
    return real.nanosleep(limit, left);
}

int umsim_real_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit)
{
    if (!real.cond_timedwait)
        look_up();
    return real.cond_timedwait(condition, mutex, limit);
}

uint64_t umsim_real_clock_ns(clockid_t clock)
{
    struct timespec now;
    return umsim_real_clock_gettime(clock, &now) == 0
               ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
               : 0;
}

uint64_t umsim_real_ns(void)
{
    return umsim_real_clock_ns(CLOCK_MONOTONIC);
}
