/**
 * @file sticky.c
 * @brief Stores the sticky errors of the devices, of which the first one stays (sticky.h).
 */
#include "sticky.h"
#include "devices.h"

static cudaError_t sticky[UMSIM_DEVICES_MAX];

cudaError_t umsim_sticky_error(void)
{
    return sticky[umsim_device()];
}

void umsim_sticky_set(cudaError_t error)
{
    for (unsigned device = 0; device < UMSIM_DEVICES_MAX; device++)
        if (!sticky[device])
            sticky[device] = error;
}

void umsim_sticky_replace(cudaError_t error)
{
    sticky[umsim_device()] = error;
}
