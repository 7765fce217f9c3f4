/**
 * @file machine.h
 * @brief The machine that is simulated, as its profile says.
 *
 * Set once, at the start; read by everybody.
 */
#ifndef UMSIM_MACHINE_H
#define UMSIM_MACHINE_H

#include "../model/profile.h"

#include <stddef.h>
#include <stdint.h>

extern struct umsim_profile umsim_machine;

/** A multiprocessor hands out shared memory in units of 128 bytes (compute capability 7.0 and later). */
#define UMSIM_SHARED_UNIT ((size_t)128)

/** Blocks of `threads` threads and `shared` bytes that one multiprocessor holds; 0 when not even one can run.
 */
int64_t umsim_resident_blocks(int64_t threads, size_t shared);

#endif
