/**
 * @file type_traits.h
 * @brief thrust::detail's traits, which programs use although they are not documented.
 */
#ifndef UMSIM_THRUST_DETAIL_TYPE_TRAITS_H
#define UMSIM_THRUST_DETAIL_TYPE_TRAITS_H

#include "config.h"
#include <type_traits>

namespace thrust
{
namespace detail
{
using std::add_const;
using std::conditional;
using std::enable_if;
using std::false_type;
using std::integral_constant;
using std::is_arithmetic;
using std::is_const;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_pointer;
using std::is_same;
using std::is_void;
using std::remove_const;
using std::remove_cv;
using std::remove_pointer;
using std::remove_reference;
using std::true_type;
template <bool _Condition, class _Then, class _Else> struct eval_if {
    using type = typename std::conditional_t<_Condition, _Then, _Else>::type;
};
template <class _Tp> struct identity_ {
    using type = _Tp;
};
} // namespace detail
} // namespace thrust

#endif
