/**
 * @file signals_wait.c
 * @brief Wrappers of the functions that wait for signals, or say which are pending.
 *
 * A SIGSEGV that the program believes blocked is pending as its stand-in (base/signal_mask.h). So these
 * functions are given the stand-in in its place, and what they answer is translated back. One that was sent
 * in the meantime may arrive as itself.
 *
 * What the kernel is to read or write may be managed memory: call_table.h says what.
 */
#include "../base/signal_mask.h"
#include "host_fault.h"
#include "wrapper.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <time.h>

/* The set to wait with: a mask for the time of the wait. NULL stays NULL. */
static const sigset_t *for_kernel(const sigset_t *set, sigset_t *copy)
{
    if (!set)
        return NULL;
    *copy = *set;
    umsim_signals_put(copy, umsim_signals_for_kernel(umsim_signals_of(set)));
    return copy;
}

/* Whether a wait that was interrupted has to be begun anew: the signal that interrupted it was SIGSEGV, and
 * has become the stand-in, which the wait lets through or not. */
static bool again(long result)
{
    return result < 0 && errno == EINTR && umsim_host_signal_postponed();
}

int sigsuspend(const sigset_t *set)
{
    UMSIM_REAL(sigsuspend);
    sigset_t copy;
    int result;
    umsim_host_signal_postponed();
    do
        result = real(for_kernel(set, &copy));
    while (again(result));
    return result;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *set)
{
    UMSIM_SERVED(ppoll);
    sigset_t copy;
    int result;
    umsim_host_signal_postponed();
    do
        result = real(files, count, limit, for_kernel(set, &copy));
    while (set && again(result));
    return result;
}

int pselect(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict excepts,
            const struct timespec *restrict limit, const sigset_t *restrict set)
{
    UMSIM_SERVED(pselect);
    sigset_t copy;
    int result;
    umsim_host_signal_postponed();
    do
        result = real(count, reads, writes, excepts, limit, for_kernel(set, &copy));
    while (set && again(result));
    return result;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int limit_ms, const sigset_t *set)
{
    UMSIM_SERVED(epoll_pwait);
    sigset_t copy;
    int result;
    umsim_host_signal_postponed();
    do
        result = real(epoll, events, most, limit_ms, for_kernel(set, &copy));
    while (set && again(result));
    return result;
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *limit,
                 const sigset_t *set)
{
    UMSIM_SERVED(epoll_pwait2);
    sigset_t copy;
    int result;
    umsim_host_signal_postponed();
    do
        result = real(epoll, events, most, limit, for_kernel(set, &copy));
    while (set && again(result));
    return result;
}

int sigpending(sigset_t *set)
{
    UMSIM_SERVED(sigpending);
    const int failed = real(set);
    if (!failed)
        umsim_signals_put(set, umsim_signals_for_program(umsim_signals_of(set)));
    return failed;
}

/* The set of signals to fetch: SIGSEGV as itself, too. */
static sigset_t to_fetch(const sigset_t *set)
{
    const umsim_signals wanted = umsim_signals_of(set);
    sigset_t copy = *set;
    umsim_signals_put(&copy, umsim_signals_for_kernel(wanted) | (wanted & UMSIM_SEGV_BIT));
    return copy;
}

int sigwait(const sigset_t *restrict set, int *restrict signal_number)
{
    UMSIM_SERVED(sigwait);
    const sigset_t wanted = to_fetch(set);
    const int error = real(&wanted, signal_number);
    if (!error && *signal_number == UMSIM_SIGNAL_STAND_IN)
        *signal_number = SIGSEGV;
    return error;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                 const struct timespec *restrict limit)
{
    UMSIM_SERVED(sigtimedwait);
    const sigset_t wanted = to_fetch(set);
    const int fetched = real(&wanted, info, limit);
    if (fetched == UMSIM_SIGNAL_STAND_IN && info)
        umsim_host_signal_restore(info);
    return fetched == UMSIM_SIGNAL_STAND_IN ? SIGSEGV : fetched;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

/* Tells of a SIGSEGV as of its stand-in. */
int signalfd(int file, const sigset_t *set, int flags)
{
    UMSIM_REAL(signalfd);
    sigset_t copy;
    return real(file, for_kernel(set, &copy), flags);
}
