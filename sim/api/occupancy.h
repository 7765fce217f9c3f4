/**
 * @file occupancy.h
 * @brief What the program has set for a kernel.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_OCCUPANCY_H
#define UMSIM_API_OCCUPANCY_H

#include "../include/umsim/abi.h"

/**
 * Dynamic shared memory that a launch of a kernel may have: 48 KiB on most devices, or what
 * cudaFuncSetAttribute() said. More is cudaErrorInvalidValue.
 */
size_t umsim_dynamic_shared_limit(const struct umsim_kernel *record);

/** The record of a kernel's stub (umsim/abi.h); NULL when it is no kernel. launch.c has it. */
const struct umsim_kernel *umsim_kernel_record(const void *stub);

#endif
