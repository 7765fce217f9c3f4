/**
 * @file device_malloc.h
 * @brief thrust::device_malloc().
 */
#ifndef UMSIM_THRUST_DEVICE_MALLOC_H
#define UMSIM_THRUST_DEVICE_MALLOC_H

#include "memory.h"

#endif
