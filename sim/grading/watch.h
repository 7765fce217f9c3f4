/**
 * @file watch.h
 * @brief Compares what a graded program has open of the simulator's memory (/proc/PID/maps) with what it may
 * have open.
 *
 * GPU process only; no heap.
 *
 * An inspection sees only the state of that moment. So it is taken when a host that follows the library has
 * just done what the last answer told it: when the state is settled and, where there is no supervisor
 * (supervisor.h), before each launch and after each wait.
 */
#ifndef UMSIM_WATCH_H
#define UMSIM_WATCH_H

#include "../record/request.h"

#include <sys/types.h>

/** Opens the list of the host's mappings, before the host has anything to hide.
 * @return whether its mappings can be read */
bool umsim_watch_open(pid_t host);

/** Whether the host may open [start, start + bytes) with this protection (mprotect(2)). The state must not
 * change meanwhile. */
bool umsim_watch_allows(uintptr_t start, size_t bytes, int protection);

/** Whether no part of [start, start + bytes) is the simulator's memory. */
bool umsim_watch_is_elsewhere(uintptr_t start, size_t bytes);

/** Takes an inspection, and writes what it finds into the ledger. The state must not change meanwhile. */
void umsim_watch_inspect(void);

#endif
