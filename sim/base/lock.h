/**
 * @file lock.h
 * @brief The one lock of the host side, which every API call holds while it reads or changes the simulator's
 * state.
 */
#ifndef UMSIM_LOCK_H
#define UMSIM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

void umsim_lock(void);
void umsim_unlock(void);
/**
 * For code that may run inside an API call, as exit() does when a call ends the process.
 * @return false: this thread held the lock before; true: it was taken, and umsim_unlock() gives it back
 */
bool umsim_lock_unless_mine(void);

/** Whether this thread holds the lock. */
bool umsim_lock_is_mine(void);

/**
 * The two conditions that threads wait for: operations have run, and the service thread has something to do.
 * They are separate because waking the service thread whenever operations have run would cost a launch more
 * than everything else in it.
 */
enum umsim_condition { UMSIM_HAVE_RUN, UMSIM_TO_DO, UMSIM_CONDITIONS };

/**
 * Releases the lock and waits for umsim_announce(condition), for at most `nanoseconds` (0: no limit). Call it
 * with the lock held.
 */
void umsim_lock_wait(enum umsim_condition condition, uint64_t nanoseconds);

/** Wakes all threads that wait for the condition. */
void umsim_announce(enum umsim_condition condition);

#endif
