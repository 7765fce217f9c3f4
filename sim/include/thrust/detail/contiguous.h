/**
 * @file contiguous.h
 * @brief thrust::is_contiguous_iterator.
 */
#ifndef UMSIM_THRUST_DETAIL_CONTIGUOUS_H
#define UMSIM_THRUST_DETAIL_CONTIGUOUS_H

#include "device_ptr.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "counting_iterator.h"
#include "discard_iterator.h"
#include "distance.h"
#include "functional.h"
#include "transforming.h"
#include "zip_iterator.h"

namespace thrust
{
/** Pointers, plain and Thrust's. @{ */
template <class _Ip>
constexpr bool is_contiguous_iterator_v = std::is_pointer_v<decltype(detail::raw(std::declval<_Ip>()))>;
template <class _Ip> using is_contiguous_iterator = std::bool_constant<is_contiguous_iterator_v<_Ip>>;
/** @} */
/** @return the plain pointer */
template <class _Ip> auto unwrap_contiguous_iterator(_Ip __i)
{
    static_assert(is_contiguous_iterator_v<_Ip>, "Thrust: not a contiguous iterator");
    return detail::raw(__i);
}
} // namespace thrust

#endif
