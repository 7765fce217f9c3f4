/**
 * @file clock_waits.c
 * @brief Waits and sleeps of the program, by its own clock (base/program_clock.h).
 *
 * Limits that are given as a length (poll(), select()) stay in real time, except for sleeps.
 */
#include "clock_waits.h"
#include "../base/deadline.h"
#include "../base/program_clock.h"
#include "../base/program_threads.h"
#include "call.h"
#include "wrapper.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

/* ---- deadlines ---- */

static bool is_readable(const struct timespec *time)
{
    return umsim_is_readable(time, sizeof *time);
}

static long make_by_name(const struct umsim_until *call, const long *a)
{
    return ((umsim_real_call)(void (*)(void))call->with)(a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define NONE (-1)
/* As in wrappers.c: a function of any type stands for all. The C library's own are served where they may be
 * given managed memory. */
#define DEADLINE(name, deadline, clock, tells, is_condition)                                                 \
    long umsim_clocked_##name(long, long, long, long, long, long) __asm__(#name);                            \
    long umsim_clocked_##name(long a, long b, long c, long d, long e, long f)                                \
    {                                                                                                        \
        return umsim_until(&(struct umsim_until){make_by_name,                                               \
                                                 (const void *)umsim_libc_function(UMSIM_LIBC_##name),       \
                                                 {a, b, c, d, e, f},                                         \
                                                 deadline,                                                   \
                                                 clock,                                                      \
                                                 UMSIM_TELLS_##tells,                                        \
                                                 is_condition});                                             \
    }
#define DEADLINE_OF_SYSTEM(name, deadline)                                                                   \
    long umsim_clocked_##name(long, long, long, long, long, long) __asm__(#name);                            \
    long umsim_clocked_##name(long a, long b, long c, long d, long e, long f)                                \
    {                                                                                                        \
        return until_by_system((umsim_real_call)(void (*)(void))umsim_served_##name,                         \
                               (const long[]){a, b, c, d, e, f}, deadline);                                  \
    }
extern long umsim_served_mq_timedsend(long, long, long, long, long, long);
extern long umsim_served_mq_timedreceive(long, long, long, long, long, long);

/* The system reads the deadline, and says EFAULT where it cannot. */
static long until_by_system(umsim_real_call real, const long *a, int deadline)
{
    const struct umsim_until call = {make_by_name,
                                     (const void *)real,
                                     {a[0], a[1], a[2], a[3], a[4], a[5]},
                                     deadline,
                                     NONE,
                                     UMSIM_TELLS_ERRNO,
                                     false};
    if (!umsim_program_clock_is_modelled() || !is_readable((const void *)a[deadline]))
        return make_by_name(&call, a);
    return umsim_until(&call);
}
#include "clock_calls.def"

static long make_by_number(const struct umsim_until *call, const long *argument)
{
    (void)call;
    return umsim_real_number(SYS_futex, argument);
}

/* libstdc++'s futures, semaphores and atomics wait so. */
static long wait_at_futex(const long *argument)
{
    struct umsim_until call = {make_by_number, NULL, {0}, 3, NONE, UMSIM_TELLS_ERRNO, false};
    for (int i = 0; i < 6; i++)
        call.argument[i] = argument[i];
    return umsim_until(&call);
}

static bool has_deadline(long operation)
{
    const long command = operation & FUTEX_CMD_MASK;
    return command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI || command == FUTEX_WAIT_REQUEUE_PI;
}

bool umsim_clock_number(long number, const long *argument, long *result)
{
    if (!umsim_program_clock_is_modelled())
        return false;
    int error;
    switch (number) {
    case SYS_futex:
        if (!has_deadline(argument[1]) || !argument[3] || !is_readable((const void *)argument[3]))
            return false;
        *result = wait_at_futex(argument);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)argument[0], (struct timespec *)argument[1]);
        return true;
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)argument[0], (struct timespec *)argument[1]);
        return true;
    case SYS_clock_nanosleep:
        error = clock_nanosleep((clockid_t)argument[0], (int)argument[1],
                                (const struct timespec *)argument[2], (struct timespec *)argument[3]);
        if (error)
            errno = error;
        *result = error ? -1 : 0;
        return true;
    default:
        return false;
    }
}

/* ---- sleeps ---- */

static int64_t ns_of(const struct timespec *time)
{
    return time->tv_sec > INT64_MAX / SECOND_NS / 4 ? INT64_MAX / 4
                                                    : time->tv_sec * SECOND_NS + time->tv_nsec;
}

/* Whether a sleep differs from a real one: not if no other thread can change the skew. */
static bool may_differ(const struct timespec *time)
{
    return umsim_program_clock_is_modelled() && umsim_program_threads_are_several() && is_readable(time) &&
           time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
}

/* @return what is left, nanoseconds; 0: it slept to the end */
static int64_t sleep_for(int64_t ns)
{
    const int64_t ends = (int64_t)umsim_program_clock_ns() + ns;
    if (umsim_sleep_until(ends) == 0)
        return 0;
    const int64_t left = ends - (int64_t)umsim_program_clock_ns();
    return left > 0 ? left : 1;
}

static int slept(int64_t left, struct timespec *rest)
{
    if (left && rest)
        *rest = (struct timespec){left / SECOND_NS, left % SECOND_NS};
    return left ? EINTR : 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    UMSIM_SERVED(nanosleep);
    if (!may_differ(time))
        return real(time, rest);
    const int error = slept(sleep_for(ns_of(time)), rest);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    UMSIM_SERVED(clock_nanosleep);
    int64_t ahead;
    if (!umsim_program_clock_is_modelled() || !umsim_program_clock_ahead(clock, &ahead) || !is_readable(time))
        return real(clock, flags, time, rest);
    const bool differs = may_differ(time);
    if (differs && flags & TIMER_ABSTIME)
        return umsim_sleep_until(ns_of(time) - ahead);
    if (!differs) {
        const struct timespec until = flags & TIMER_ABSTIME ? umsim_deadline_real(time) : *time;
        return real(clock, flags, &until, rest);
    }
    return slept(sleep_for(ns_of(time)), rest);
}

int usleep(useconds_t us)
{
    const struct timespec time = {us / 1000000, (long)(us % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned sleep(unsigned seconds)
{
    const struct timespec time = {seconds, 0};
    struct timespec rest;
    const int error = errno;
    if (nanosleep(&time, &rest) == 0) {
        errno = error;
        return 0;
    }
    return (unsigned)rest.tv_sec + (rest.tv_nsec >= 500000000);
}

int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
    const int error = clock_nanosleep(CLOCK_REALTIME, 0, time, rest);
    return error == EINTR ? -1 : error ? -2 : 0;
}

/* ---- timers: an absolute time is converted as things are now ---- */

static const struct itimerspec *real_timer(const struct itimerspec *value, struct itimerspec *copy)
{
    if (!umsim_program_clock_is_modelled() || !umsim_is_readable(value, sizeof *value) ||
        !(value->it_value.tv_sec || value->it_value.tv_nsec))
        return value;
    *copy = *value;
    copy->it_value = umsim_deadline_real(&value->it_value);
    return copy;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    UMSIM_SERVED(timerfd_settime);
    struct itimerspec copy;
    return real(fd, flags, flags & TFD_TIMER_ABSTIME ? real_timer(value, &copy) : value, old);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    UMSIM_SERVED(timer_settime);
    struct itimerspec copy;
    return real(timer, flags, flags & TIMER_ABSTIME ? real_timer(value, &copy) : value, old);
}
