/**
 * @file occupancy.h
 * @brief What the program has set for a kernel, and the record behind a kernel's stub.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_OCCUPANCY_H
#define UMSIM_API_OCCUPANCY_H

#include "../base/library.h"
#include "../include/umsim/abi.h"

/**
 * The dynamic shared memory that a launch of a kernel may have: 48 KiB on most devices, or what
 * cudaFuncSetAttribute() has set. A launch with more returns cudaErrorInvalidValue.
 */
size_t umsim_dynamic_shared_limit(unsigned device, const struct umsim_kernel *record);

/** Forgets what was set for the kernels of a library that is gone. */
void umsim_kernels_forget(const struct umsim_library *library);

/**
 * The record of a kernel's stub (umsim/abi.h), or NULL when `stub` is not a kernel's. Defined in launch.c.
 * @param[out] bytes NULL, or the size of its parameters
 */
const struct umsim_kernel *umsim_kernel_record(const void *stub, size_t *bytes);

/**
 * The same, and the closure that the stub makes of some arguments.
 * @param closure receives it: UMSIM_CLOSURE_MAX bytes; may be NULL
 */
const struct umsim_kernel *umsim_kernel_probe(const void *stub, void **arguments, void *closure,
                                              size_t *bytes);

#endif
