/**
 * @file deadline.h
 * @brief Waits with a deadline, by the program's clock (program_clock.h).
 *
 * A deadline is a time that the program has read from one of its clocks, and something added. The C library
 * knows the real ones only, so it is given the deadline less the skew. The skew may change meanwhile, because
 * another thread comes back from a call. Where it has fallen when the wait has ended, the rest is waited for;
 * where it may rise, the wait is made in slices, so that it is over when the clock has leapt over the
 * deadline. A condition's wait cannot be made in slices, for a signal between two of them would be lost; the
 * thread that has the clock leap wakes it.
 *
 * A clock that stands still could keep a thread from ever waking whom a kernel waits for. So a wait that is a
 * second late while a kernel polls, or 20 s, ends, and the clock is put forward.
 */
#ifndef UMSIM_DEADLINE_H
#define UMSIM_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** How a call says that the deadline has come. */
enum umsim_tells { UMSIM_TELLS_ERROR, /* returns ETIMEDOUT */ UMSIM_TELLS_ERRNO, UMSIM_TELLS_C11 };

/** A call with up to six arguments, one of which is a deadline. */
struct umsim_until {
    long (*make)(const struct umsim_until *call, const long *argument);
    const void *with; /* what `make` needs */
    long argument[6];
    int deadline; /* which argument: const struct timespec *, which may be NULL */
    int clock;    /* which argument says the clock; -1: it is told from the deadline */
    enum umsim_tells tells;
    bool is_condition; /* argument 0 is a pthread_cond_t, or a cnd_t, which is the same */
};

/** Makes the call, its deadline by the program's clock. */
long umsim_until(const struct umsim_until *call);

/** A deadline in real time, as things are now. */
struct timespec umsim_deadline_real(const struct timespec *deadline);

/**
 * Sleeps until the program's CLOCK_MONOTONIC shows `ends_ns`.
 * @return 0, or EINTR
 */
int umsim_sleep_until(int64_t ends_ns);

#endif
