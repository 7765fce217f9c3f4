/**
 * @file libc.h
 * @brief The C library's own functions, without the wrappers of fault/.
 *
 * Inside the library a plain read() is the wrapper, which serves the program's managed memory. The
 * simulator's own files and signals do not need that.
 */
#ifndef UMSIM_LIBC_H
#define UMSIM_LIBC_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/** sigaction(), read() and write() of the C library. Async-signal-safe. */
int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old);
ssize_t umsim_real_read(int fd, void *buffer, size_t bytes);
ssize_t umsim_real_write(int fd, const void *buffer, size_t bytes);

/** @name The C library's clocks and waits, past the program's clock (program_clock.h) @{ */
int umsim_real_clock_gettime(clockid_t clock, struct timespec *now);
int umsim_real_nanosleep(const struct timespec *limit, struct timespec *left);
int umsim_real_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                              const struct timespec *limit);
/** A clock in nanoseconds; 0 if there is none. Async-signal-safe. */
uint64_t umsim_real_clock_ns(clockid_t clock);
/** CLOCK_MONOTONIC. */
uint64_t umsim_real_ns(void);
/** @} */

#endif
