/**
 * @file devices.h
 * @brief How many devices the program sees, and which one is current in each thread of the host.
 *
 * A machine has up to UMSIM_DEVICES_MAX devices (its profile's `peers`). CUDA_VISIBLE_DEVICES chooses among
 * them where there are several, and numbers them anew; everything above this file uses the program's numbers.
 * Each device has a GPU process of its own (docs/several-gpus.md).
 */
#ifndef UMSIM_DEVICES_H
#define UMSIM_DEVICES_H

#include "../model/profile.h"

#include <stdbool.h>

/** How many the program sees: 0 only where CUDA_VISIBLE_DEVICES names none. */
extern unsigned umsim_devices;

/** In a GPU process: which device it is. In the host: 0. */
extern unsigned umsim_own_device;

/** The calling thread's current device; a thread starts with 0. */
unsigned umsim_device(void);
/** cudaSetDevice(): the thread's choice, which is current until another one is, and when that one is no
 * longer. */
void umsim_device_choose(unsigned device);
/** Another device is current: that of the context which the driver API has made current; for a while, that
 * which a call means. @return which one was */
unsigned umsim_device_set(unsigned device);
/** The thread's choice is current again. */
void umsim_device_as_chosen(void);

/** The number that the machine gives a device. */
unsigned umsim_device_of_machine(unsigned device);

/**
 * Numbers the machine's `count` devices as CUDA_VISIBLE_DEVICES says (NULL: all, in their order). Names that
 * follow one that is not known are not looked at, as with CUDA.
 * @param is_named whether a name ("GPU-...") is that of the machine's device of this number
 */
void umsim_devices_choose(unsigned count, const char *visible,
                          bool (*is_named)(const char *name, unsigned device));

#endif
