/**
 * @file skew.h
 * @brief What the program's clock (program_clock.h) is ahead of CLOCK_MONOTONIC, and whether it stands still.
 *
 * All of this is async-signal-safe, takes no lock, and may be called by any thread. Times are nanoseconds.
 * Before anything has changed it, the clock is CLOCK_MONOTONIC.
 */
#ifndef UMSIM_SKEW_H
#define UMSIM_SKEW_H

#include "program_threads.h"

#include <stdint.h>

/** What the clock shows. For a thread that runs while the clock stands still, it goes on as that thread does.
 */
int64_t umsim_skew_now(void);

/** The same less CLOCK_MONOTONIC. */
int64_t umsim_skew(void);

/** Has the clock show `ns` at least. */
void umsim_skew_raise_to(int64_t ns);

/** From here on the clock stands still; it has to be running. */
void umsim_skew_stop(void);

/** From here on it goes on, from what it shows, or from `ns` if that is later. */
void umsim_skew_go_on(int64_t ns);

/** What a running thread has seen the clock go on to, since that stood still. */
int64_t umsim_skew_gone_on_to(const struct umsim_program_thread *it);

#endif
