/**
 * @file devices.h
 * @brief What lab 0 says of a machine that has several devices; nothing, where there is one.
 */
#ifndef LAB0_DEVICES_H
#define LAB0_DEVICES_H

#include "um_lab.h"

/** How many devices this program sees. */
int device_count(void);

/** Prints the devices, and which of them can reach which one's memory. */
void report_devices(FILE *out);

/** Lets device `to` reach the memory of device `of` (cudaDeviceEnablePeerAccess), or ends that. Device 0 is
 * the current one afterwards. */
cudaError_t reach(int to, int of, bool on);

#endif
