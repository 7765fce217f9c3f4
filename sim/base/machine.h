/**
 * @file machine.h
 * @brief The simulated machine, as its profile describes it.
 *
 * It is set once, at the start, and then only read. Devices are of one kind, or of profiles of their own
 * (`others` in the machine's profile), which differ in size and in speed.
 */
#ifndef UMSIM_MACHINE_H
#define UMSIM_MACHINE_H

#include "../model/profile.h"

#include <stddef.h>
#include <stdint.h>

/** Its first device's profile, and what holds for the machine: what is between devices, the host. */
extern struct umsim_profile umsim_machine;

/** Where the profile of the machine's device number `device` (1, 2, ...) is kept. */
struct umsim_profile *umsim_machine_other(unsigned device);

/** The profile of a device, by the program's number (devices.h). */
const struct umsim_profile *umsim_machine_of(unsigned device);

/**
 * The unit in which a multiprocessor allocates shared memory: 128 bytes (compute capability 7.0 and later).
 */
#define UMSIM_SHARED_UNIT ((size_t)128)

/**
 * How many blocks of `threads` threads and `shared` bytes of shared memory one multiprocessor of the device
 * holds; 0 when it cannot run even one.
 */
int64_t umsim_resident_blocks(unsigned device, int64_t threads, size_t shared);

#endif
