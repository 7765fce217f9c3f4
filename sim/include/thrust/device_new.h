/**
 * @file device_new.h
 * @brief thrust::device_new().
 */
#ifndef UMSIM_THRUST_DEVICE_NEW_H
#define UMSIM_THRUST_DEVICE_NEW_H

#include "memory.h"

#endif
