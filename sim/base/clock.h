/**
 * @file clock.h
 * @brief Virtual time.
 *
 * Each host thread has its own; the device's engines have the timeline.
 *
 * A thread's time moves by what its API calls cost, and to the end of what it waits for. A new thread starts
 * at its creator's time, and whoever joins it has its end's (threads.c); one that the simulator did not see
 * come starts at the latest time that any thread has seen. None is earlier than the start of the simulator,
 * which all have to wait for.
 */
#ifndef UMSIM_CLOCK_H
#define UMSIM_CLOCK_H

#include <stdint.h>

/** The calling thread's time, nanoseconds since the simulator's start. */
uint64_t umsim_clock_now(void);

/** Lets time pass for the calling thread. */
void umsim_clock_advance(uint64_t ns);

/** The calling thread has waited for the device until `ns`: its time moves there; earlier times do not move
 * it. */
void umsim_clock_wait_until(uint64_t ns);

/** The latest time until which any thread has waited for the device. Async-signal-safe. */
uint64_t umsim_clock_waited(void);

/** The calling thread begins at `ns`, its creator's time. */
void umsim_clock_begin(uint64_t ns);

/** The calling thread has waited for another thread's end, which was at `ns`. */
void umsim_clock_join(uint64_t ns);

/** The simulator has started: no thread's time is earlier than the calling thread's now. */
void umsim_clock_started(void);

#endif
