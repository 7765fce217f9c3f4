/**
 * @file device_make_unique.h
 * @brief thrust::device_make_unique().
 */
#ifndef UMSIM_THRUST_DEVICE_MAKE_UNIQUE_H
#define UMSIM_THRUST_DEVICE_MAKE_UNIQUE_H

#include "allocate_unique.h"

#include "detail/brought_lightly.h"

#endif
