/**
 * @file signal_mask.h
 * @brief Masks of signals, as the kernel has them and as the program sees them.
 *
 * Host pages of managed memory are opened in a handler of SIGSEGV, so no thread may really block that signal.
 * But the program may believe that it does. What it believes is kept in the thread's real mask, as another
 * signal that is blocked in SIGSEGV's place: the stand-in. So the belief goes wherever a mask goes, without a
 * word of the simulator's: into a new thread, into a handler and back, through longjmp() and siglongjmp(),
 * through setcontext(), fork() and vfork(). A SIGSEGV that was sent while the program believes it blocked is
 * sent on as the stand-in; the kernel then keeps it pending, lists it, hands it to sigwait() and delivers it.
 *
 * The stand-in is SIGSTKFLT, which no Linux kernel sends and no library uses. A program cannot block it for
 * itself.
 *
 * All of this is async-signal-safe. No libc wrapper is used, because the wrappers are the simulator's own.
 */
#ifndef UMSIM_SIGNAL_MASK_H
#define UMSIM_SIGNAL_MASK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/** A set of signals: bit n - 1 is signal n. A sigset_t of the C library begins with it. */
typedef uint64_t umsim_signals;

#define UMSIM_SIGNAL_STAND_IN SIGSTKFLT

#define UMSIM_SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))
#define UMSIM_SEGV_BIT UMSIM_SIGNAL_BIT(SIGSEGV)
#define UMSIM_STAND_IN_BIT UMSIM_SIGNAL_BIT(UMSIM_SIGNAL_STAND_IN)

static inline umsim_signals umsim_signals_of(const sigset_t *set)
{
    umsim_signals signals;
    memcpy(&signals, set, sizeof signals);
    return signals;
}

static inline void umsim_signals_put(sigset_t *set, umsim_signals signals)
{
    memcpy(set, &signals, sizeof signals);
}

/** The program's set, as it is given to the kernel. */
static inline umsim_signals umsim_signals_for_kernel(umsim_signals programs)
{
    const umsim_signals others = programs & ~(UMSIM_SEGV_BIT | UMSIM_STAND_IN_BIT);
    return programs & UMSIM_SEGV_BIT ? others | UMSIM_STAND_IN_BIT : others;
}

/** The kernel's set, as it is shown to the program. */
static inline umsim_signals umsim_signals_for_program(umsim_signals kernels)
{
    const umsim_signals others = kernels & ~UMSIM_STAND_IN_BIT;
    return kernels & UMSIM_STAND_IN_BIT ? others | UMSIM_SEGV_BIT : others;
}

/** Changes the thread's real mask. @return the mask before */
static inline umsim_signals umsim_signals_change(int how, umsim_signals signals)
{
    umsim_signals before = 0;
    syscall(SYS_rt_sigprocmask, how, &signals, &before, sizeof signals);
    return before;
}

/** The thread's real mask. */
static inline umsim_signals umsim_signals_blocked(void)
{
    umsim_signals now = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &now, sizeof now);
    return now;
}

/** The signals that the C library keeps for itself: it never lets a program block them. */
#define UMSIM_INTERNAL_SIGNALS (UMSIM_SIGNAL_BIT(32) | UMSIM_SIGNAL_BIT(33))

/** Blocks all signals, for as long as the thread holds a lock that a handler may want, too. @return the mask
 * before, for umsim_signals_change(SIG_SETMASK) */
static inline umsim_signals umsim_signals_block(void)
{
    return umsim_signals_change(SIG_SETMASK, ~UMSIM_INTERNAL_SIGNALS);
}

#endif
