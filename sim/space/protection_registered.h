/**
 * @file protection_registered.h
 * @brief Registered memory in the GPU process: mapped before a launch, closed until a kernel touches it.
 *
 * GPU process only, but for the first function. The host's table (views.h) names the places, but cannot
 * change them later.
 */
#ifndef UMSIM_PROTECTION_REGISTERED_H
#define UMSIM_PROTECTION_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

/** Host, before the first fork: keeps addresses for the GPU process's table. The host maps nothing there
 * later. @return whether there are any */
bool umsim_registered_reserve(void);

/** Before a launch: maps what was registered since the last time, and unmaps what ended. */
void umsim_registered_follow(void);

/** At the start of one of several devices' processes: maps all that is registered. They do not follow the
 * list, which is one process's: they are forked anew when memory is registered, or is no longer. */
void umsim_registered_map_all(void);

/** Finds the registered memory that holds `p`, which the caller opens. Async-signal-safe.
 * @param protection what kernels may do to it */
bool umsim_registered_find(void *p, char **start, size_t *bytes, int *protection);

/** Whether all of [p, p + bytes) is in one piece of registered memory. */
bool umsim_registered_for_kernels(const void *p, size_t bytes);

/** Closes all that was opened. */
void umsim_registered_close(void);

#endif
