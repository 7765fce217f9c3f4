/**
 * @file libc.h
 * @brief The C library's own functions, without the wrappers of fault/signals.c and fault/wrappers.c.
 *
 * Inside the library a plain read() is the wrapper, which serves the program's managed memory. The
 * simulator's own files and signals do not need that.
 */
#ifndef UMSIM_LIBC_H
#define UMSIM_LIBC_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/** sigaction(), read() and write() of the C library. Async-signal-safe. */
int umsim_real_sigaction(int signal_number, const struct sigaction *action, struct sigaction *old);
ssize_t umsim_real_read(int fd, void *buffer, size_t bytes);
ssize_t umsim_real_write(int fd, const void *buffer, size_t bytes);

#endif
