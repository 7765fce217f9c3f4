/**
 * @file limits.h
 * @brief Limits of what device code may use, as the program has set them (cudaDeviceSetLimit).
 */
#ifndef UMSIM_LIMITS_H
#define UMSIM_LIMITS_H

#include "../include/driver_types.h"

#include <stddef.h>

/** The value of a device's limit that all devices support. */
size_t umsim_device_limit(unsigned device, enum cudaLimit number);

/**
 * Reads the value of a limit of the current device.
 * @return cudaErrorInvalidValue, or cudaErrorUnsupportedLimit where the device has no such limit
 */
cudaError_t umsim_limit_get(enum cudaLimit number, size_t *value);

/**
 * Whether a limit may be set to `value`.
 * @return as umsim_limit_get(); cudaErrorInvalidValue also for a value that is too large
 */
cudaError_t umsim_limit_check(enum cudaLimit number, size_t value);

/** Sets a limit that umsim_limit_check() has accepted, rounded as the device rounds it: the current device's.
 */
void umsim_limit_set(enum cudaLimit number, size_t value);

/** Resets all limits of the current device to their initial values. */
void umsim_limits_reset(void);

#endif
