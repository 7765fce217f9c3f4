/**
 * @file clock.h
 * @brief Virtual time: each host thread has its own, and the device's engines have the timeline.
 *
 * A thread's time advances by the cost of its API calls, and to the end of what it waits for. A new thread
 * starts at its creator's time, and the thread that joins it continues no earlier than it ended (threads.c).
 * A thread whose creation the simulator did not see starts at the latest time that any thread has reached. No
 * thread's time is earlier than the start of the simulator, because all threads have to wait for that.
 */
#ifndef UMSIM_CLOCK_H
#define UMSIM_CLOCK_H

#include <stdint.h>

/** The calling thread's time, nanoseconds since the simulator's start. */
uint64_t umsim_clock_now(void);

/** Advances the calling thread's time. */
void umsim_clock_advance(uint64_t ns);

/**
 * Reports that the calling thread has waited for the device until `ns`. Its time moves there, unless it is
 * later already.
 */
void umsim_clock_wait_until(uint64_t ns);
/** How often this thread came to a wait too early, and its time went on. */
uint64_t umsim_clock_stalls(void);

/** The latest time until which any thread has waited for the device. Async-signal-safe. */
uint64_t umsim_clock_waited(void);

/** Starts the calling thread's time at `ns`, its creator's time. */
void umsim_clock_begin(uint64_t ns);

/** Reports that the calling thread has waited for another thread's end, which was at `ns`. */
void umsim_clock_join(uint64_t ns);

/**
 * Reports that the simulator has started: from now on no thread's time is earlier than the calling thread's
 * time now.
 */
void umsim_clock_started(void);

#endif
