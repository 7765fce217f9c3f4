/**
 * @file sticky.h
 * @brief The sticky error that a failed kernel leaves behind.
 *
 * Once it is set, every later call returns it.
 */
#ifndef UMSIM_STICKY_H
#define UMSIM_STICKY_H

#include "../include/driver_types.h"

cudaError_t umsim_sticky_error(void);

/** Sets the error, if none is set yet. */
void umsim_sticky_set(cudaError_t error);

/** Clears the error, for cudaDeviceReset(). */
void umsim_sticky_clear(void);

#endif
