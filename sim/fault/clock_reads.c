/**
 * @file clock_reads.c
 * @brief What the program's clocks show (base/program_clock.h): the functions that read one.
 *
 * libstdc++'s chrono and OpenMP's omp_get_wtime() read clock_gettime() of here, too. time() stays as it is,
 * and so does getrusage(): docs/clocks.md says why.
 */
#include "../base/program_clock.h"
#include "call.h"
#include "wrapper.h"

#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000u

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    UMSIM_SERVED(clock_gettime);
    uint64_t ns;
    if (!umsim_program_clock_is_modelled())
        return real(clock, now);
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        ns = umsim_program_clock_cpu_ns(clock == CLOCK_THREAD_CPUTIME_ID);
    else if (!umsim_program_clock_read(clock, &ns))
        return real(clock, now);
    *now = timespec_of(ns);
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    UMSIM_SERVED(gettimeofday);
    uint64_t ns;
    if (!umsim_program_clock_is_modelled() || zone || !umsim_program_clock_read(CLOCK_REALTIME, &ns))
        return real(now, zone);
    *now = (struct timeval){(time_t)(ns / SECOND_NS), (suseconds_t)(ns % SECOND_NS / 1000)};
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    UMSIM_REAL(timespec_get);
    if (!umsim_program_clock_is_modelled() || base != TIME_UTC)
        return real(now, base);
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

clock_t clock(void)
{
    UMSIM_REAL(clock);
    if (!umsim_program_clock_is_modelled())
        return real();
    return (clock_t)(umsim_program_clock_cpu_ns(false) / (SECOND_NS / CLOCKS_PER_SEC));
}

clock_t times(struct tms *used)
{
    UMSIM_SERVED(times);
    const clock_t now = real(used);
    if (!umsim_program_clock_is_modelled() || now == (clock_t)-1)
        return now;
    const long tick_ns = SECOND_NS / sysconf(_SC_CLK_TCK);
    if (used) {
        const clock_t all = (clock_t)(umsim_program_clock_cpu_ns(false) / (uint64_t)tick_ns);
        used->tms_utime = all > used->tms_stime ? all - used->tms_stime : 0;
    }
    uint64_t ns = 0;
    umsim_program_clock_read(CLOCK_BOOTTIME, &ns); /* the kernel's ticks began at some other time */
    static _Atomic clock_t first;
    static _Atomic uint64_t first_ns;
    if (!first_ns) {
        first = now;
        first_ns = ns;
    }
    return first + (clock_t)((ns - first_ns) / (uint64_t)tick_ns);
}
