/**
 * @file signals.c
 * @brief Wrappers of sigaction(), signal(), sigprocmask() and pthread_sigmask() that keep SIGSEGV for managed
 * memory.
 *
 * A program that installs a SIGSEGV handler, or blocks the signal, would cut managed memory off from its page
 * faults. The wrappers store the program's handler, which then gets the faults that are the program's own.
 * They reach programs that are linked with the simulator; a library opened by dlopen() (from Python, say)
 * cannot put itself in front of the C library.
 */
#include "host_fault.h"
#include "../base/processes.h"
#include "../base/libc.h"

#include <errno.h>

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

/* Page faults must get through: SIGSEGV stays unblocked once managed memory depends on it. */
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
