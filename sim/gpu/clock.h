/*
 * clock.h: virtual time. Each host thread has its own; the device's engines have the timeline.
 *
 * A thread's time moves by what its API calls cost, and to the end of what it waits for. A new thread starts at the
 * latest time that any thread has seen.
 */
#ifndef UMSIM_CLOCK_H
#define UMSIM_CLOCK_H

#include <stdint.h>

/** The calling thread's time, nanoseconds since the simulator's start. */
uint64_t umsim_clock_now(void);

/** Lets time pass for the calling thread. */
void umsim_clock_advance(uint64_t ns);

/** Moves the calling thread's time forward to `ns`; earlier times change nothing. */
void umsim_clock_wait_until(uint64_t ns);

#endif
