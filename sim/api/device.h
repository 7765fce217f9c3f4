/**
 * @file device.h
 * @brief The limits and flags that the program has set on the device.
 */
#ifndef UMSIM_API_DEVICE_H
#define UMSIM_API_DEVICE_H

/**
 * Resets limits and flags to their initial values: a part of cudaDeviceReset(). The caller holds the lock.
 */
void umsim_device_settings_reset(void);

#endif
