/**
 * @file signals.h
 * @brief The C library's own signal functions, past the wrappers of signals.c.
 *
 * A program that installs a SIGSEGV handler, or blocks the signal, would cut managed memory off its page
 * faults. The wrappers of sigaction(), signal(), sigprocmask() and pthread_sigmask() keep such wishes for the
 * faults that are the program's own. They reach programs that are linked with the simulator; a library opened
 * by dlopen() (from Python, say) cannot put itself in front of the C library.
 */
#ifndef UMSIM_SIGNALS_H
#define UMSIM_SIGNALS_H

#include <signal.h>

int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old);
int umsim_real_sigmask(int how, const sigset_t *set, sigset_t *old);

#endif
