/**
 * @file device_reference.h
 * @brief thrust::device_reference.
 */
#ifndef UMSIM_THRUST_DEVICE_REFERENCE_H
#define UMSIM_THRUST_DEVICE_REFERENCE_H

#include "device_ptr.h"

#endif
