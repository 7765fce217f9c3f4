/**
 * @file universal_ptr.h
 * @brief thrust::universal_ptr.
 */
#ifndef UMSIM_THRUST_UNIVERSAL_PTR_H
#define UMSIM_THRUST_UNIVERSAL_PTR_H

#include "device_ptr.h"

#endif
