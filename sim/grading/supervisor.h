/**
 * @file supervisor.h
 * @brief No page of a graded program is opened unless it may be.
 *
 * Where the system has it (seccomp's user notification, Linux 5.7), each of its mprotect() calls that opens
 * anything, and each mremap(), waits until the GPU process has looked at it: what the paging policy grants
 * goes on, what it does not fails with EPERM and is noted. So managed pages cannot be opened, touched and
 * closed again unseen. What remains, unmapping and mapping over, cannot be undone: the arenas' files have no
 * name and no descriptor. So an inspection at the end (watch.h) finds it. Without a supervisor there are
 * inspections all the time.
 */
#ifndef UMSIM_SUPERVISOR_H
#define UMSIM_SUPERVISOR_H

#include <stdbool.h>

/** Host process, before the fork: the way by which the supervisor gets what it needs. @return whether there
 * is one
 */
bool umsim_supervisor_prepare(void);

/** Host process, last: puts this process and all its threads under supervision, for good. @return whether it
 * is */
bool umsim_supervisor_post(void);

/** @name GPU process @{ */
#define UMSIM_SUPERVISOR_STACK ((size_t)128 << 10)

/** The descriptor that the supervisor needs. */
int umsim_supervisor_socket(void);

/** Thread body. @param socket where that descriptor is now, as a pointer */
void *umsim_supervisor_main(void *socket);
/** @} */

#endif
