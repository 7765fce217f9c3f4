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
} real;

/* In a fault handler it would be too late to look a function up at its first use. Another library's
 * constructor may run before this one, so each use also checks whether the look-up has been done. */
__attribute__((constructor)) static void look_up(void)
{
    *(void **)&real.sigaction = dlsym(RTLD_NEXT, "sigaction");
    *(void **)&real.read = dlsym(RTLD_NEXT, "read");
    *(void **)&real.write = dlsym(RTLD_NEXT, "write");
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
