/**
 * @file limits.h
 * @brief What device code may use, as the program has set it (cudaDeviceSetLimit).
 */
#ifndef UMSIM_LIMITS_H
#define UMSIM_LIMITS_H

#include "../include/driver_types.h"

#include <stddef.h>

/** What is set for a limit that is supported on all devices. */
size_t umsim_device_limit(enum cudaLimit number);

/** What is set. @return cudaErrorInvalidValue, cudaErrorUnsupportedLimit where there is no such limit */
cudaError_t umsim_limit_get(enum cudaLimit number, size_t *value);

/** Whether a limit may be set to `value`. @return as above; cudaErrorInvalidValue, too, for one too large */
cudaError_t umsim_limit_check(enum cudaLimit number, size_t value);

/** Sets it, rounded as the device rounds it. It has been checked. */
void umsim_limit_set(enum cudaLimit number, size_t value);

/** All as they were at the start. */
void umsim_limits_reset(void);

#endif
