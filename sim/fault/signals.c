/**
 * @file signals.c
 * @brief Wrappers of sigaction() and its kind, and of sigprocmask() and its kind, that keep SIGSEGV for
 * managed memory.
 *
 * A program that installs a handler of SIGSEGV, or blocks the signal in a thread or while another handler
 * runs, would cut managed memory off from its page faults. So the program's wish for SIGSEGV is stored
 * (base/disposition.h), and where it blocks the signal another one is blocked in its place
 * (base/signal_mask.h). What is told to the program is what it asked for.
 *
 * The wrappers reach programs that are linked with the simulator. Code that they do not reach is looked after
 * at CUDA calls (umsim_managed_reassert()).
 */
#include "../base/disposition.h"
#include "../base/libc.h"
#include "../base/processes.h"
#include "../base/signal_mask.h"
#include "wrapper.h"

#include <errno.h>
#include <pthread.h>

static bool is_kept(int signal_number)
{
    return signal_number == SIGSEGV || signal_number == UMSIM_SIGNAL_STAND_IN;
}

/* Another signal's handler, with SIGSEGV in its mask, may touch managed memory. */
static int change_others(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction copy;
    if (action) {
        copy = *action;
        umsim_signals_put(&copy.sa_mask, umsim_signals_for_kernel(umsim_signals_of(&action->sa_mask)));
    }
    const int failed = umsim_real_sigaction(signal_number, action ? &copy : NULL, old);
    if (failed || !old)
        return failed;
    umsim_signals_put(&old->sa_mask, umsim_signals_for_program(umsim_signals_of(&old->sa_mask)));
    umsim_disposition_translate(old); /* in a child of vfork() */
    return 0;
}

static int change_action(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    if (umsim_in_gpu)
        return umsim_real_sigaction(signal_number, action, old);
    if (!is_kept(signal_number) || !umsim_disposition_is_ours())
        return change_others(signal_number, action, old);
    umsim_disposition_change(signal_number, action, old);
    return 0;
}

int sigaction(int signal_number, const struct sigaction *action, struct sigaction *old)
{
    return change_action(signal_number, action, old);
}

/* signal() and its kind, for SIGSEGV. */
static sighandler_t change_handler(int signal_number, sighandler_t handler, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return change_action(signal_number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

sighandler_t signal(int signal_number, sighandler_t handler)
{
    UMSIM_REAL(signal);
    return is_kept(signal_number) ? change_handler(signal_number, handler, SA_RESTART)
                                  : real(signal_number, handler);
}

/* If code that the wrappers do not reach has really blocked SIGSEGV, that becomes a belief, too. */
static void mend(umsim_signals before)
{
    if (before & UMSIM_SEGV_BIT && umsim_signals_blocked() & UMSIM_SEGV_BIT) {
        umsim_signals_change(SIG_BLOCK, UMSIM_STAND_IN_BIT);
        umsim_signals_change(SIG_UNBLOCK, UMSIM_SEGV_BIT);
    }
}

/* @return 0 or an error's number */
static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    const int saved_errno = errno;
    umsim_signals before = 0, wanted = 0;
    if (set && !umsim_in_gpu) {
        wanted = umsim_signals_for_kernel(umsim_signals_of(set)) & ~UMSIM_INTERNAL_SIGNALS;
        if (how == SIG_UNBLOCK)
            wanted |= umsim_signals_of(set) & UMSIM_SEGV_BIT;
    } else if (set) {
        wanted = umsim_signals_of(set) & ~UMSIM_INTERNAL_SIGNALS;
    }
    if (syscall(SYS_rt_sigprocmask, how, set ? &wanted : NULL, &before, sizeof before) != 0) {
        const int error = errno;
        errno = saved_errno;
        return error;
    }
    if (set && !umsim_in_gpu)
        mend(before);
    if (old)
        umsim_signals_put(old, umsim_in_gpu ? before : umsim_signals_for_program(before));
    return 0;
}

/* The kernel writes the old mask, and managed memory does not open to it (loan.h). */
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return change_mask(how, set, old);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    const int error = change_mask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *set)
{
    UMSIM_REAL(pthread_attr_setsigmask_np);
    sigset_t copy;
    if (!real || !set)
        return real ? real(attributes, set) : ENOSYS;
    copy = *set;
    umsim_signals_put(&copy, umsim_signals_for_kernel(umsim_signals_of(set)));
    return real(attributes, &copy);
}

int pthread_attr_getsigmask_np(const pthread_attr_t *attributes, sigset_t *set)
{
    UMSIM_REAL(pthread_attr_getsigmask_np);
    const int error = real ? real(attributes, set) : ENOSYS;
    if (!error)
        umsim_signals_put(set, umsim_signals_for_program(umsim_signals_of(set)));
    return error;
}
