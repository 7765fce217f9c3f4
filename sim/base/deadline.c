/**
 * @file deadline.c
 * @brief Implementation of deadline.h.
 */
#include "deadline.h"
#include "libc.h"
#include "processes.h"
#include "program_clock.h"
#include "program_threads.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

#define SECOND_NS INT64_C(1000000000)
/** How late a wait may end because the clock has leapt. */
#define SLICE_NS 10000000
/** How often one looks at a clock that stands still. */
#define STANDING_NS 1000000
/** How long it may stand beyond a deadline: if the kernel under way polls, perhaps for what this thread will
 * do; and otherwise. */
#define POLLED_NS SECOND_NS
#define UNPOLLED_NS (20 * SECOND_NS)
/** A skew that has fallen by no more was read at another moment. */
#define NOISE_NS 1000
/** A time of day is after 2001, and no machine has been up for so long. */
#define TIME_OF_DAY_S 1000000000

static int64_t ns_of(const struct timespec *time)
{
    if (time->tv_sec > INT64_MAX / SECOND_NS - 1)
        return INT64_MAX / 2;
    return time->tv_sec * SECOND_NS + time->tv_nsec;
}

static struct timespec timespec_of(int64_t ns)
{
    if (ns < 0)
        ns = 0;
    return (struct timespec){ns / SECOND_NS, ns % SECOND_NS};
}

struct timespec umsim_deadline_real(const struct timespec *deadline)
{
    const int64_t ns = ns_of(deadline) - umsim_program_clock_skew();
    return timespec_of(ns > 0 ? ns : 1); /* 0 would disarm a timer */
}

/* A wait that goes on. */
struct wait {
    const struct umsim_until *call;
    int64_t deadline_ns, ahead_ns; /* by the call's clock, and how far that is ahead of CLOCK_MONOTONIC */
    int64_t over_since_ns;         /* in real time; 0: it is not */
    unsigned polls;
};

/* How long the clock may stand still beyond a deadline. Less if the kernel under way polls for something:
 * that may be for this thread. @param polls as it was when last asked */
static int64_t patience_ns(unsigned *polls)
{
    const unsigned now = umsim_processes ? atomic_load(&umsim_processes->polls_in_vain) : 0;
    const bool is_polling = now != *polls;
    *polls = now;
    return is_polling ? POLLED_NS : UNPOLLED_NS;
}

static bool is_valid(const struct timespec *deadline)
{
    return deadline->tv_sec >= 0 && deadline->tv_nsec >= 0 && deadline->tv_nsec < SECOND_NS;
}

static bool timed_out(enum umsim_tells tells, long result)
{
    if (tells == UMSIM_TELLS_ERRNO)
        return (int)result == -1 && errno == ETIMEDOUT;
    return (int)result == (tells == UMSIM_TELLS_ERROR ? ETIMEDOUT : (int)thrd_timedout);
}

static long make(const struct umsim_until *call, int64_t real_deadline_ns)
{
    const struct timespec limit = timespec_of(real_deadline_ns);
    long argument[6];
    memcpy(argument, call->argument, sizeof argument);
    argument[call->deadline] = (long)&limit;
    return call->make(call, argument);
}

static void waits_no_more(void *unused)
{
    (void)unused;
    umsim_program_clock_wait_at(NULL, 0);
}

/* A leap over the deadline wakes the thread, which then tells that it is over. */
static long wait_at_condition(const struct wait *it, int64_t real_deadline_ns)
{
    long result;
    const int64_t ends_ns = it->deadline_ns - it->ahead_ns;
    umsim_program_clock_wait_at((pthread_cond_t *)it->call->argument[0], ends_ns);
    pthread_cleanup_push(waits_no_more, NULL);
    result = make(it->call, real_deadline_ns);
    pthread_cleanup_pop(1);
    if (result == 0 && (int64_t)umsim_program_clock_ns() >= ends_ns)
        return it->call->tells == UMSIM_TELLS_ERROR ? ETIMEDOUT : (long)thrd_timedout;
    return result;
}

/* One part of the wait. @return whether it is over */
static bool wait_once(struct wait *it, long *result)
{
    const int64_t skew = umsim_program_clock_skew(), whole = it->deadline_ns - skew;
    const int64_t now = (int64_t)umsim_real_ns();
    int64_t until = whole;
    if (it->over_since_ns && until - it->ahead_ns < now + STANDING_NS)
        until = now + STANDING_NS + it->ahead_ns;
    else if (!it->call->is_condition && until - it->ahead_ns > now + SLICE_NS)
        until = now + SLICE_NS + it->ahead_ns;
    *result = it->call->is_condition ? wait_at_condition(it, until) : make(it->call, until);
    if (!timed_out(it->call->tells, *result))
        return true;
    const int error = errno;
    const int64_t left = it->deadline_ns - it->ahead_ns - (int64_t)umsim_program_clock_ns();
    const int64_t after = (int64_t)umsim_real_ns();
    if (left > NOISE_NS && until >= whole && !it->over_since_ns)
        it->over_since_ns = after;
    errno = error;
    if (left <= NOISE_NS)
        return true;
    if (!it->over_since_ns || after - it->over_since_ns < patience_ns(&it->polls))
        return false;
    umsim_program_clock_reach((uint64_t)(it->deadline_ns - it->ahead_ns));
    return true;
}

long umsim_until(const struct umsim_until *call)
{
    const struct timespec *deadline = (const struct timespec *)call->argument[call->deadline];
    if (!umsim_program_clock_is_modelled() || !deadline || !is_valid(deadline))
        return call->make(call, call->argument);
    struct wait it = {call, ns_of(deadline), 0, 0, 0};
    const clockid_t clock = call->clock >= 0                    ? (clockid_t)call->argument[call->clock]
                            : deadline->tv_sec >= TIME_OF_DAY_S ? CLOCK_REALTIME
                                                                : CLOCK_MONOTONIC;
    if (!umsim_program_clock_ahead(clock, &it.ahead_ns))
        return call->make(call, call->argument);
    /* Alone, nothing can change the skew. */
    if (!umsim_program_threads_are_several())
        return make(call, it.deadline_ns - umsim_program_clock_skew());
    long result;
    const bool was_busy = umsim_program_clock_thread_idles(); /* what the slices take is not the program's */
    while (!wait_once(&it, &result))
        ;
    if (was_busy)
        umsim_program_clock_thread_works();
    return result;
}

static int sleep_on(int64_t ends_ns)
{
    int64_t over_since = 0;
    unsigned polls = 0;
    for (;;) {
        const int64_t now = (int64_t)umsim_program_clock_ns(), real = (int64_t)umsim_real_ns();
        int64_t part = ends_ns - now;
        if (part <= 0)
            return 0;
        if (over_since && real - over_since > patience_ns(&polls)) {
            umsim_program_clock_reach((uint64_t)ends_ns);
            return 0;
        }
        part = part > SLICE_NS ? SLICE_NS : part;
        if (over_since && part < STANDING_NS)
            part = STANDING_NS;
        const struct timespec limit = timespec_of(part);
        if (umsim_real_nanosleep(&limit, NULL) != 0)
            return EINTR;
        if (!over_since && umsim_program_clock_ns() < (uint64_t)(now + part - NOISE_NS))
            over_since = (int64_t)umsim_real_ns();
    }
}

int umsim_sleep_until(int64_t ends_ns)
{
    const bool was_busy = umsim_program_clock_thread_idles();
    const int error = sleep_on(ends_ns);
    if (was_busy)
        umsim_program_clock_thread_works();
    return error;
}
