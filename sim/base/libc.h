/**
 * @file libc.h
 * @brief The C library's own signal functions, past the wrappers of fault/signals.c.
 */
#ifndef UMSIM_LIBC_H
#define UMSIM_LIBC_H

#include <signal.h>

/** sigaction() and pthread_sigmask() as the C library has them. Async-signal-safe. */
int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old);
int umsim_real_sigmask(int how, const sigset_t *set, sigset_t *old);

#endif
