/**
 * @file brought_lightly.h
 * @brief What headers of iterators, types and numbers bring beside their own names: tests/parity/brings.py
 * compares.
 *
 * CUB's headers include some of them, so this brings nothing of CUB but what needs nothing.
 */
#ifndef UMSIM_THRUST_DETAIL_BROUGHT_LIGHTLY_H
#define UMSIM_THRUST_DETAIL_BROUGHT_LIGHTLY_H

#include "../../device_types.h"
#include "../../vector_functions.h"

#include "config.h"
#include "contiguous.h"
#include "device_ptr.h"
#include "distance.h"
#include "iterator_adaptor.h"
#include "relocatable.h"
#include "system_error.h"

#include "../../cub/util_debug.cuh"

/** @cond internal */
namespace thrust
{
namespace cpp
{
}
namespace mr
{
}
namespace tbb
{
}
} // namespace thrust
/** @endcond */

#endif
