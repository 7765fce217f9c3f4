/**
 * @file is_contiguous_iterator.h
 * @brief thrust::is_contiguous_iterator.
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_IS_CONTIGUOUS_ITERATOR_H
#define UMSIM_THRUST_TYPE_TRAITS_IS_CONTIGUOUS_ITERATOR_H

#include "../detail/device_ptr.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/counting_iterator.h"
#include "../detail/discard_iterator.h"
#include "../detail/distance.h"
#include "../detail/functional.h"
#include "../detail/transforming.h"
#include "../detail/zip_iterator.h"

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
