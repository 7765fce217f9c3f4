/**
 * @file sticky.h
 * @brief The sticky error that a failed kernel leaves behind.
 *
 * Once it is set, every later call returns it. A kernel's fault spoils all devices of the process, as on two
 * H200s; a reset concerns one of them.
 */
#ifndef UMSIM_STICKY_H
#define UMSIM_STICKY_H

#include "../include/driver_types.h"

/** That of the current device. */
cudaError_t umsim_sticky_error(void);

/** Sets the error of each device that has none yet. */
void umsim_sticky_set(cudaError_t error);

/** The current device has this error instead of its own, for cudaDeviceReset(). */
void umsim_sticky_replace(cudaError_t error);

#endif
