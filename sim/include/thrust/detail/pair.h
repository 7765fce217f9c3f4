/**
 * @file thrust/detail/pair.h
 * @brief thrust::pair, which is std::pair.
 */
#ifndef UMSIM_THRUST_DETAIL_PAIR_H
#define UMSIM_THRUST_DETAIL_PAIR_H

#include "../../device_types.h"
#include "../../vector_functions.h"

#include "../../cuda/detail/brought.h"

#include <utility>

namespace thrust
{
using std::make_pair;
using std::pair;
using std::swap;
} // namespace thrust

#endif
