/**
 * @file signals_old.c
 * @brief Wrappers of the older functions for signals: System V's sigset() and its kind, BSD's sigblock() and
 * its kind, and setcontext().
 *
 * Within the C library they do not go through sigaction() and sigprocmask(), so they need wrappers of their
 * own (signals.c). For other signals than SIGSEGV they are left as they are.
 */
#include "../base/signal_mask.h"
#include "wrapper.h"

#include <ucontext.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static sigset_t only(int signal_number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    return set;
}

sighandler_t ssignal(int signal_number, sighandler_t handler)
{
    return signal(signal_number, handler);
}

/* signal() of programs that ask for System V's, or for plain ISO C. */
sighandler_t __sysv_signal(int signal_number, sighandler_t handler)
{
    UMSIM_REAL(__sysv_signal);
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND | SA_NODEFER}, old;
    if (signal_number != SIGSEGV)
        return real(signal_number, handler);
    return sigaction(SIGSEGV, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

sighandler_t sysv_signal(int signal_number, sighandler_t handler)
{
    return __sysv_signal(signal_number, handler);
}

int siginterrupt(int signal_number, int interrupts)
{
    UMSIM_REAL(siginterrupt);
    struct sigaction action;
    if (signal_number != SIGSEGV)
        return real(signal_number, interrupts);
    if (sigaction(SIGSEGV, NULL, &action) < 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(SIGSEGV, &action, NULL);
}

int sighold(int signal_number)
{
    UMSIM_REAL(sighold);
    const sigset_t set = only(SIGSEGV);
    return signal_number == SIGSEGV ? sigprocmask(SIG_BLOCK, &set, NULL) : real(signal_number);
}

int sigrelse(int signal_number)
{
    UMSIM_REAL(sigrelse);
    const sigset_t set = only(SIGSEGV);
    return signal_number == SIGSEGV ? sigprocmask(SIG_UNBLOCK, &set, NULL) : real(signal_number);
}

int sigignore(int signal_number)
{
    UMSIM_REAL(sigignore);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    return signal_number == SIGSEGV ? sigaction(SIGSEGV, &ignore, NULL) : real(signal_number);
}

/* SIG_HOLD blocks the signal; anything else unblocks it. */
sighandler_t sigset(int signal_number, sighandler_t wanted)
{
    UMSIM_REAL(sigset);
    const sigset_t set = only(SIGSEGV);
    struct sigaction action = {.sa_handler = wanted}, old;
    sigset_t before;
    if (signal_number != SIGSEGV)
        return real(signal_number, wanted);
    if (sigprocmask(wanted == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &set, &before) < 0 ||
        sigaction(SIGSEGV, wanted == SIG_HOLD ? NULL : &action, &old) < 0)
        return SIG_ERR;
    return sigismember(&before, SIGSEGV) ? SIG_HOLD : old.sa_handler;
}

/* The first 32 signals as a number. */
static int change_first(int how, unsigned wanted)
{
    sigset_t set, before;
    sigprocmask(SIG_BLOCK, NULL, &set);
    const umsim_signals later = how == SIG_SETMASK ? umsim_signals_of(&set) >> 32 << 32 : 0;
    sigemptyset(&set);
    umsim_signals_put(&set, later | wanted);
    sigprocmask(how, &set, &before);
    return (int)(unsigned)umsim_signals_of(&before);
}

int sigblock(int mask)
{
    return change_first(SIG_BLOCK, (unsigned)mask);
}

int sigsetmask(int mask)
{
    return change_first(SIG_SETMASK, (unsigned)mask);
}

int siggetmask(void)
{
    return change_first(SIG_BLOCK, 0);
}

/* A context that was made by hand may have SIGSEGV in its mask. */
static void mend(const ucontext_t *context)
{
    const umsim_signals mask = umsim_signals_of(&context->uc_sigmask);
    if (mask & UMSIM_SEGV_BIT)
        umsim_signals_put((sigset_t *)&context->uc_sigmask, umsim_signals_for_kernel(mask));
}

int setcontext(const ucontext_t *context)
{
    UMSIM_REAL(setcontext);
    mend(context);
    return real(context);
}

int swapcontext(ucontext_t *restrict here, const ucontext_t *restrict context)
{
    UMSIM_REAL(swapcontext);
    mend(context);
    return real(here, context);
}
