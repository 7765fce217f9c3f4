/**
 * @file tuple.h
 * @brief thrust::tuple, which is std::tuple.
 */
#ifndef UMSIM_THRUST_TUPLE_H
#define UMSIM_THRUST_TUPLE_H

#include "detail/config.h"
#include "detail/pair.h"

#include <tuple>

namespace thrust
{
using std::get;
using std::ignore;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
} // namespace thrust

#endif
