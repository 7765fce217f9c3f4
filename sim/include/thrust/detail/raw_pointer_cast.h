/**
 * @file raw_pointer_cast.h
 * @brief thrust::raw_pointer_cast().
 */
#ifndef UMSIM_THRUST_DETAIL_RAW_POINTER_CAST_H
#define UMSIM_THRUST_DETAIL_RAW_POINTER_CAST_H

#include "../device_ptr.h"

#endif
