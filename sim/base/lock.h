/**
 * @file lock.h
 * @brief The one lock of the host side, held by every API call while it looks at or changes the simulator's
 * state.
 */
#ifndef UMSIM_LOCK_H
#define UMSIM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

void umsim_lock(void);
void umsim_unlock(void);
/** @return whether it was free, and is this thread's now */
bool umsim_trylock(void);

/** What is waited for: that operations have run; that there is something for the service thread to do. Waking
 * that thread each time that operations have run would cost a launch more than the rest of it. */
enum umsim_condition { UMSIM_HAVE_RUN, UMSIM_TO_DO, UMSIM_CONDITIONS };

/** Holding the lock: lets it go and waits for umsim_announce(condition), at most `nanoseconds` (0: no limit).
 */
void umsim_lock_wait(enum umsim_condition condition, uint64_t nanoseconds);

/** Wakes all who wait for that. */
void umsim_announce(enum umsim_condition condition);

#endif
