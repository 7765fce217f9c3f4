/**
 * @file disposition.h
 * @brief What happens at SIGSEGV: what the program asked for, while the simulator's handler really stands.
 *
 * The program's wish is what sigaction() would return to it without the simulator. Every wish is given an
 * entry, which is a function of the simulator's (fault/host_fault.c), and the entry of the present wish
 * stands in the kernel. That each wish has an entry of its own is for code that the wrappers do not reach: a
 * library that asked the kernel for the disposition, and later puts back what it got, thereby puts the
 * program's earlier wish back.
 *
 * Host process only. Everything is async-signal-safe.
 */
#ifndef UMSIM_DISPOSITION_H
#define UMSIM_DISPOSITION_H

#include <signal.h>
#include <stdbool.h>

enum { UMSIM_DISPOSITIONS = 8 };

/** A handler of the kernel's. */
typedef void (*umsim_handler)(int signal_number, siginfo_t *info, void *context);

/** Installs the entries for SIGSEGV, and `stand_in` for its stand-in. What stood before becomes the program's
 * wish. Does nothing the second time. */
void umsim_disposition_install(const umsim_handler entry[UMSIM_DISPOSITIONS], umsim_handler stand_in);

/** Whether SIGSEGV's disposition is the simulator's in this process: it is installed, and this is no child of
 * vfork(), which shares the memory but not the dispositions. */
bool umsim_disposition_is_ours(void);

/** sigaction() for SIGSEGV and for its stand-in, while umsim_disposition_is_ours(). Either pointer may be
 * NULL. */
void umsim_disposition_change(int signal_number, const struct sigaction *wanted, struct sigaction *old);

/** If `action` is one of the entries (as the kernel told it): the wish that it stands for, else unchanged. */
void umsim_disposition_translate(struct sigaction *action);

/** The program's present wish for SIGSEGV, and for its stand-in. */
const struct sigaction *umsim_disposition_wish(int signal_number);

/** The kernel has called an entry: makes its wish the present one, if somebody has put it back. */
void umsim_disposition_entered(unsigned entry);

/** Whether umsim_disposition_install() was called, in this process or in the one that it is a child of. */
bool umsim_disposition_is_installed(void);

/** Lets SIGSEGV really be ignored for an exec(), or the entry stand again. */
void umsim_disposition_ignore_really(bool ignore);

/** Lets the default action really stand, so that the next SIGSEGV ends the process. */
void umsim_disposition_give_up(int signal_number);

/** Looks at what stands in the kernel. If that is a handler which the wrappers did not see, it becomes the
 * program's wish, and an entry takes its place. Costs one system call. */
void umsim_disposition_reassert(void);

#endif
