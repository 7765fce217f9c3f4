/**
 * @file touches.h
 * @brief Finds host accesses to managed memory that a kernel for which nobody has waited writes, or that the
 * host writes and such a kernel reads.
 *
 * While a kernel is under way, the host's managed pages are closed, so that its first access to each is seen.
 * What the kernel does is known from the shadow words that find races (race.h): if they have changed when the
 * kernel has ended, host and kernel were not in order. Atomic and volatile accesses of the kernel are none: a
 * program may wait for them, by volatile or atomic accesses of its own. What umcc has compiled of the host's
 * code calls a hook before each access (hooks.c), which tells plain ones apart; they wait for nothing.
 *
 * An asynchronous copy or memset of managed memory counts as such a kernel until it is made; what it uses is
 * known from its call.
 *
 * Of other host code only the first access to a page is looked at, and of each place only the first access
 * since a launch; and only if the kernel runs after it. Host process only.
 */
#ifndef UMSIM_CHECK_TOUCHES_H
#define UMSIM_CHECK_TOUCHES_H

#include "beside.h"
#include "check.h"
#include "../base/access.h"

/** With the lock: a kernel is issued; an asynchronous copy of managed memory is. @return its number */
unsigned umsim_touches_issued(void);
unsigned umsim_touches_issued_moved(void);

/** What this thread touches now is in order, because its stream waits for it: it is in a host function. */
void umsim_touches_in_order(bool is_in_order);

/** In the fault handler: the host touches a managed page. */
void umsim_touches_note(const void *p, struct umsim_access access, const void *pc);

/** A hook: the host makes an access that is neither volatile nor atomic, at this place. */
void umsim_touches_plain(const void *p, bool is_write, const void *pc);

/** With the lock: a kernel has ended, as launch `slot`. @param asked by which call it was launched, and where
 */
void umsim_touches_ended(unsigned number, unsigned slot, const char *kernel, struct umsim_check_asked asked);

/** With the lock: such a copy has been made. */
void umsim_touches_moved(unsigned number, const struct umsim_moved *moved);

#endif
