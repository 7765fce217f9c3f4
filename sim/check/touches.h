/**
 * @file touches.h
 * @brief Finds host accesses to managed memory that a kernel for which nobody has waited writes, or that the
 * host writes and such a kernel reads.
 *
 * While a kernel is under way, the host's managed pages are closed, so that its first access to each is seen.
 * What the kernel does is known from the shadow words that find races (race.h): if they have changed when the
 * kernel has ended, host and kernel were not in order. Atomic and volatile accesses of the kernel are none: a
 * program may wait for them.
 *
 * Only the first access to a page is looked at, and only if the kernel runs after it. Host process only.
 */
#ifndef UMSIM_CHECK_TOUCHES_H
#define UMSIM_CHECK_TOUCHES_H

#include "check.h"
#include "../base/access.h"

/** With the lock: a kernel is issued. @return its number */
unsigned umsim_touches_issued(void);

/** What this thread touches now is in order, because its stream waits for it: it is in a host function. */
void umsim_touches_in_order(bool is_in_order);

/** In the fault handler: the host touches a managed page. */
void umsim_touches_note(const void *p, struct umsim_access access, const void *pc);

/** With the lock: a kernel has ended, as launch `slot`. @param asked by which call it was launched, and where
 */
void umsim_touches_ended(unsigned number, unsigned slot, const char *kernel, struct umsim_check_asked asked);

#endif
