/**
 * @file machine.h
 * @brief The simulated machine, as its profile describes it.
 *
 * It is set once, at the start, and then only read.
 */
#ifndef UMSIM_MACHINE_H
#define UMSIM_MACHINE_H

#include "../model/profile.h"

#include <stddef.h>
#include <stdint.h>

extern struct umsim_profile umsim_machine;

/**
 * The unit in which a multiprocessor allocates shared memory: 128 bytes (compute capability 7.0 and later).
 */
#define UMSIM_SHARED_UNIT ((size_t)128)

/**
 * How many blocks of `threads` threads and `shared` bytes of shared memory one multiprocessor holds; 0 when
 * it cannot run even one.
 */
int64_t umsim_resident_blocks(int64_t threads, size_t shared);

#endif
