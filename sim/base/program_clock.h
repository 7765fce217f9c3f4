/**
 * @file program_clock.h
 * @brief The time that a program's own clocks show (docs/clocks.md).
 *
 * Work of the host counts as it took, calls of CUDA's and what they wait for count as modelled. So all of the
 * program's clocks are the real ones and a skew, one for the whole process. While the simulator works for a
 * thread and no other thread of the program runs, the clock stands still; when the call returns, it leaps by
 * the time that the call took on the simulated machine. If other threads ran meanwhile, it has gone on by
 * what they ran, and leaps by what is missing. It never goes back.
 *
 * The virtual time of a thread (clock.h) follows: what a thread did between two calls is added at the next
 * one, so that events see the host's work, too.
 *
 * Only programs that umcc has linked have such a clock, unless UMSIM_CLOCK=real. In others all of this does
 * nothing.
 */
#ifndef UMSIM_PROGRAM_CLOCK_H
#define UMSIM_PROGRAM_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** Whether this program's clocks show modelled time. */
bool umsim_program_clock_is_modelled(void);

/** @name A call of CUDA's, or a touch of managed memory, begins and ends. They may be nested. @{ */
void umsim_program_clock_enter(void);
void umsim_program_clock_leave(void);
/** Whether the calling thread is inside a call. */
bool umsim_program_clock_is_inside(void);
/** Inside a call: from here on the thread waits for the simulator, or works for it, for long. */
void umsim_program_clock_waits(void);
/** @} */

/** @name A function of the program's begins and ends inside a call @{ */
struct umsim_host_code {
    int depth;
};
struct umsim_host_code umsim_program_clock_host_begin(void);
void umsim_program_clock_host_end(struct umsim_host_code code);
/** @} */

/** Whether the program has read its clock: then it may wait for what it will show. Async-signal-safe. */
bool umsim_program_clock_was_read(void);
/** What the clock shows, in nanoseconds of CLOCK_MONOTONIC. Async-signal-safe, as the next ones are. */
uint64_t umsim_program_clock_ns(void);
/** The same less the real time: what has to be added to real times now. */
int64_t umsim_program_clock_skew(void);
/** What `clock`, one of those that tell the time of day or since a start, shows, nanoseconds.
 * @return false: it is none of these */
bool umsim_program_clock_read(clockid_t clock, uint64_t *ns);
/** How far `clock` is ahead of CLOCK_MONOTONIC. @return false: it is none of these */
bool umsim_program_clock_ahead(clockid_t clock, int64_t *ns);
/** Has the clock show at least `ns`. */
void umsim_program_clock_reach(uint64_t ns);
/** Processor time, of the process or of the calling thread: a thread that waits for a GPU spins, so the
 * waits count as modelled. */
uint64_t umsim_program_clock_cpu_ns(bool of_thread);

/** @name The program's threads (threads.c) @{ */
void umsim_program_clock_thread_begins(void);
void umsim_program_clock_thread_ends(void);
/** The thread has nothing to do until umsim_program_clock_thread_works(). @return whether it had before */
bool umsim_program_clock_thread_idles(void);
void umsim_program_clock_thread_works(void);
/** The thread waits at a condition until the clock shows `ends_ns`; NULL: no more. A leap over that wakes it.
 */
void umsim_program_clock_wait_at(pthread_cond_t *condition, int64_t ends_ns);
/** @} */

#endif
