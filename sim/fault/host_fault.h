/**
 * @file host_fault.h
 * @brief SIGSEGV in the host process: opens managed pages, and explains bad accesses.
 *
 * The paging policy decides about a managed page. Any other access to the simulator's memory is explained.
 * Then the signal takes the course that it would have taken without the simulator (base/disposition.h).
 */
#ifndef UMSIM_HOST_FAULT_H
#define UMSIM_HOST_FAULT_H

#include <signal.h>
#include <stdbool.h>

/**
 * Installs the handler. In a program that is linked with the simulator this happens before main(), else at
 * CUDA's start. A handler that the program had installed before still gets the faults that are not the
 * simulator's.
 */
void umsim_host_handler_install(void);

/**
 * Whether a SIGSEGV was sent to this thread while it believed the signal blocked, since the last question:
 * then a system call that waits was interrupted, which the program must not notice.
 */
bool umsim_host_signal_postponed(void);

/** A SIGSEGV that was fetched as its stand-in (sigwait() and its kind) becomes one again. */
void umsim_host_signal_restore(siginfo_t *info);

#endif
