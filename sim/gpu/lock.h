/*
 * lock.h: the one lock of the host side, held by every API call while it looks at or changes the simulator's state.
 */
#ifndef UMSIM_LOCK_H
#define UMSIM_LOCK_H

#include <stdint.h>

void umsim_lock(void);
void umsim_unlock(void);

/** Holding the lock: lets it go and waits for somebody's umsim_announce(), at most `nanoseconds` (0: no limit). */
void umsim_lock_wait(uint64_t nanoseconds);

/** Wakes all who wait in umsim_lock_wait(). */
void umsim_announce(void);

#endif
