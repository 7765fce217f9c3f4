/**
 * @file sticky.h
 * @brief The error that a kernel left behind.
 *
 * Once set it is what every later call returns.
 */
#ifndef UMSIM_STICKY_H
#define UMSIM_STICKY_H

#include "../include/driver_types.h"

cudaError_t umsim_sticky_error(void);

/** Sets it, if none is set yet. */
void umsim_sticky_set(cudaError_t error);

/** After cudaDeviceReset(). */
void umsim_sticky_clear(void);

#endif
