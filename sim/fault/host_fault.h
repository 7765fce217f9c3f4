/**
 * @file host_fault.h
 * @brief SIGSEGV in the host process: opens managed pages, and explains bad accesses.
 *
 * The paging policy decides about a managed page. Any other bad access of simulated memory is explained; then
 * the signal takes the course that it would have taken without the simulator.
 */
#ifndef UMSIM_HOST_FAULT_H
#define UMSIM_HOST_FAULT_H

#include <signal.h>
#include <stdbool.h>

/** Installs the handler; whoever had one keeps getting the faults that are not the simulator's. */
void umsim_host_handler_install(void);

/** @name For the wrappers of sigaction() and signal() (signals.c)
 * @{ */
/** Whether the handler stands: the program's own wishes for SIGSEGV are then kept, not installed. */
bool umsim_host_handler_stands(void);
/** The program's wish for SIGSEGV: returns the one before in `old`, takes `wanted`; either may be NULL. */
void umsim_host_handler_chain(const struct sigaction *wanted, struct sigaction *old);
/** @} */

#endif
