/**
 * @file signals.c
 * @brief See signals.h.
 */
#include "signals.h"
#include "host_fault.h"
#include "../device/shared.h"

#include <dlfcn.h>
#include <errno.h>

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

int sigaction(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    if (signal_number != SIGSEGV || !umsim_host_handler_stands() || umsim_in_gpu)
        return umsim_real_sigaction(signal_number, action, old);
    umsim_host_handler_chain(action, old);
    return 0;
}

sighandler_t signal(int signal_number, sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, &action, &old) < 0)
        return SIG_ERR;
    return old.sa_handler;
}

/* Page faults must get through: SIGSEGV stays open once managed memory depends on it. */
static const sigset_t *without_segv(int how, const sigset_t *set, sigset_t *copy)
{
    if (!set || how == SIG_UNBLOCK || !umsim_host_handler_stands() || umsim_in_gpu)
        return set;
    *copy = *set;
    sigdelset(copy, SIGSEGV);
    return copy;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;
    return umsim_real_sigmask(how, without_segv(how, set, &copy), old);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int error = pthread_sigmask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}
