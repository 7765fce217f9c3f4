/**
 * @file sticky.c
 * @brief Stores the sticky error of a kernel, of which the first one stays (sticky.h).
 */
#include "sticky.h"

static cudaError_t sticky;

cudaError_t umsim_sticky_error(void)
{
    return sticky;
}

void umsim_sticky_set(cudaError_t error)
{
    if (!sticky)
        sticky = error;
}

void umsim_sticky_clear(void)
{
    sticky = cudaSuccess;
}
