/*
 * watch.h: what a graded program has really open of the simulator's memory, as the kernel says (/proc/PID/maps), beside
 * what it may have. GPU process only; no heap.
 *
 * A look finds what stands at that moment. So looks are taken where the host, if the library rules it, has just followed
 * its last answer, and cannot be forestalled: before each launch, at each wait, and when the books are settled.
 */
#ifndef UMSIM_WATCH_H
#define UMSIM_WATCH_H

#include "request.h"

#include <sys/types.h>

/** Before the host has anything to hide. @return whether its mappings can be read */
bool umsim_watch_open(pid_t host);

/** Whether the host may open [start, start + bytes) with this protection (mprotect(2)). The books must not change
 *  meanwhile. */
bool umsim_watch_allows(uintptr_t start, size_t bytes, int protection);

/** Whether a look belongs before this task. */
bool umsim_watch_is_due(enum umsim_task task);

/** Looks, and writes what it finds into the ledger. The books must not change meanwhile. */
void umsim_watch_look(void);

#endif
