/**
 * @file supervisor.h
 * @brief Stops a graded program from opening a page that it may not have.
 *
 * This needs seccomp's user notification (Linux 5.7). With it, each mprotect() of the program that opens
 * anything, and each mremap(), waits until the GPU process has inspected it. A call that the paging policy
 * permits goes on; any other fails with EPERM and is noted. So the program cannot open, touch and close
 * managed pages unseen.
 *
 * Unmapping pages, or mapping others over them, remains possible. But it cannot be undone, because the
 * arenas' files have no name and no descriptor, so an inspection at the end (watch.h) finds it. Without a
 * supervisor there are inspections throughout.
 */
#ifndef UMSIM_SUPERVISOR_H
#define UMSIM_SUPERVISOR_H

#include <stdbool.h>

/** Host process, before the fork: makes the socket by which the supervisor gets its descriptor.
 * @return whether that worked */
bool umsim_supervisor_prepare(void);

/** Host process, as the last step: puts this process and all its threads under supervision, for good.
 * @return whether it is supervised */
bool umsim_supervisor_post(void);

/** @name GPU process @{ */
#define UMSIM_SUPERVISOR_STACK ((size_t)128 << 10)

/** The socket on which the supervisor receives its descriptor. */
int umsim_supervisor_socket(void);

/** The supervisor's thread.
 * @param socket where umsim_supervisor_socket() is now, as a pointer */
void *umsim_supervisor_main(void *socket);
/** @} */

#endif
