/**
 * @file host_fault.h
 * @brief SIGSEGV in the host process: opens managed pages, and explains bad accesses.
 *
 * The paging policy decides about a managed page. Any other access to the simulator's memory is explained.
 * Then the signal takes the course that it would have taken without the simulator.
 */
#ifndef UMSIM_HOST_FAULT_H
#define UMSIM_HOST_FAULT_H

#include <signal.h>
#include <stdbool.h>

/** Installs the handler. A handler that the program had installed before still gets the faults that are not
 * the simulator's. */
void umsim_host_handler_install(void);

/** @name For the wrappers of sigaction() and signal() (signals.c)
 * @{ */
/** Whether the handler is installed. From then on the program's own dispositions of SIGSEGV are stored, not
 * installed. */
bool umsim_host_handler_stands(void);
/** The program's disposition of SIGSEGV: returns the previous one in `old` and stores `wanted`; either may be
 * NULL. */
void umsim_host_handler_chain(const struct sigaction *wanted, struct sigaction *old);
/** @} */

#endif
