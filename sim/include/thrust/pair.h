/**
 * @file pair.h
 * @brief thrust::pair, which is std::pair.
 */
#ifndef UMSIM_THRUST_PAIR_H
#define UMSIM_THRUST_PAIR_H

#include <utility>

namespace thrust
{
using std::make_pair;
using std::pair;
using std::swap;
} // namespace thrust

#endif
