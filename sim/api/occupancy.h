/*
 * occupancy.h: what the program has set for a kernel. Callers hold the lock.
 */
#ifndef UMSIM_API_OCCUPANCY_H
#define UMSIM_API_OCCUPANCY_H

#include <stddef.h>

/** Dynamic shared memory that a launch of `function` may have: 48 KiB on most devices, or what
 * cudaFuncSetAttribute() said. More is cudaErrorInvalidValue. */
size_t umsim_dynamic_shared_limit(const void *function);

#endif
