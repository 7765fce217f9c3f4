/**
 * @file libc.c
 * @brief Looks the C library's functions up behind the wrappers.
 */
#include "libc.h"

#include <dlfcn.h>
#include <stddef.h>

typedef int (*sigaction_fn)(int, const struct sigaction *, struct sigaction *);
typedef int (*sigmask_fn)(int, const sigset_t *, sigset_t *);

int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    static sigaction_fn real;
    if (!real)
        real = (sigaction_fn)dlsym(RTLD_NEXT, "sigaction");
    return real(signal_number, action, old);
}

int umsim_real_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    static sigmask_fn real;
    if (!real)
        real = (sigmask_fn)dlsym(RTLD_NEXT, "pthread_sigmask");
    return real(how, set, old);
}

/* The first use looks the functions up; in a fault handler that would be too late. */
__attribute__((constructor)) static void look_up(void)
{
    struct sigaction action;
    sigset_t set;
    umsim_real_sigaction(SIGSEGV, NULL, &action);
    umsim_real_sigmask(SIG_BLOCK, NULL, &set);
}
