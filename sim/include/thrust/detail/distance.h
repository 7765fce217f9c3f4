/**
 * @file thrust/detail/distance.h
 * @brief thrust::distance(), thrust::advance().
 */
#ifndef UMSIM_THRUST_DETAIL_DISTANCE_H
#define UMSIM_THRUST_DETAIL_DISTANCE_H

#include <iterator>

namespace thrust
{
using std::advance;
using std::distance;
using std::iterator_traits;
using std::next;
using std::prev;
} // namespace thrust

#endif
