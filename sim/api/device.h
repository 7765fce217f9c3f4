/**
 * @file device.h
 * @brief What the program has set on the device.
 */
#ifndef UMSIM_API_DEVICE_H
#define UMSIM_API_DEVICE_H

/** Limits and flags as they were at the start: a part of cudaDeviceReset(). With the lock. */
void umsim_device_settings_reset(void);

#endif
