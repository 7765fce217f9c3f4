/**
 * @file device_free.h
 * @brief thrust::device_free().
 */
#ifndef UMSIM_THRUST_DEVICE_FREE_H
#define UMSIM_THRUST_DEVICE_FREE_H

#include "memory.h"

#endif
