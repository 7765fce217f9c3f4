/**
 * @file device.c
 * @brief Which device a kernel runs on (umsim/library.h).
 */
#include "../base/devices.h"
#include "../include/umsim/library.h"

int umsim_kernel_device(int *count)
{
    if (count)
        *count = (int)umsim_devices;
    return (int)umsim_own_device;
}
