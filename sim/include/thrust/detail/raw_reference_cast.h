/**
 * @file raw_reference_cast.h
 * @brief thrust::raw_reference_cast().
 */
#ifndef UMSIM_THRUST_DETAIL_RAW_REFERENCE_CAST_H
#define UMSIM_THRUST_DETAIL_RAW_REFERENCE_CAST_H

#include "../device_ptr.h"

#endif
