/**
 * @file guard.h
 * @brief No page of a graded program is opened unless it may be.
 *
 * Where the system has it (seccomp's user notification, Linux 5.7), each of its mprotect() calls that opens
 * anything, and each mremap(), waits until the GPU process has looked at it: what the paging policy grants
 * goes on, what it does not fails with EPERM and is noted. So managed pages cannot be opened, touched and
 * closed again unseen. What remains, unmapping and mapping over, cannot be undone: the arenas' files have no
 * name and no descriptor. So an inspection at the end (watch.h) finds it. Without a guard there are
 * inspections all the time.
 */
#ifndef UMSIM_GUARD_H
#define UMSIM_GUARD_H

#include <stdbool.h>

/** Host process, before the fork: the way by which the guard gets what it needs. @return whether there is one
 */
bool umsim_guard_prepare(void);

/** Host process, last: puts this process and all its threads under guard, for good. @return whether it is */
bool umsim_guard_post(void);

/** @name GPU process @{ */
#define UMSIM_GUARD_STACK ((size_t)128 << 10)

/** The descriptor that the guard needs. */
int umsim_guard_socket(void);

/** Thread body. @param socket where that descriptor is now, as a pointer */
void *umsim_guard_main(void *socket);
/** @} */

#endif
