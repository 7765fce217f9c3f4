/**
 * @file distance.h
 * @brief thrust::distance(), thrust::advance().
 */
#ifndef UMSIM_THRUST_DISTANCE_H
#define UMSIM_THRUST_DISTANCE_H

#include <iterator>

namespace thrust
{
using std::advance;
using std::distance;
using std::iterator_traits;
using std::next;
using std::prev;
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "device_ptr.h"
#include "execution_policy.h"
#include "system/cuda/error.h"

#endif
