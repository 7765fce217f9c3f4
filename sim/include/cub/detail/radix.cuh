/**
 * @file radix.cuh
 * @brief The order that CUB's radix sorts give: by some of the bits of numbers, or of the numbers in a
 * structure.
 */
#ifndef UMSIM_CUB_DETAIL_RADIX_CUH
#define UMSIM_CUB_DETAIL_RADIX_CUH

#include "../../thrust/detail/radix.h"
#include "../util_type.cuh"

#include <tuple>

namespace cub
{
namespace detail
{
using thrust::detail::is_float;
using thrust::detail::is_number;
using thrust::detail::is_signed_integer;
using thrust::detail::ordered_bits;

/* Orders by the bits [begin, end). */
template <class _Kp, bool _Descending> struct radix_less {
    int begin, end;
    __host__ __device__ bool operator()(const _Kp &__a, const _Kp &__b) const
    {
        return _Descending ? digits(__b) < digits(__a) : digits(__a) < digits(__b);
    }
    __host__ __device__ auto digits(const _Kp &__key) const
    {
        const auto __bits = ordered_bits(__key);
        using __bits_type = std::decay_t<decltype(__bits)>;
        const int __count = end - begin, __unused = (int)sizeof(_Kp) * 8 - __count;
        if (__count <= 0)
            return (__bits_type)0;
        return (__bits_type)((__bits_type)(__bits << (__unused - begin)) >> __unused);
    }
};

/* Orders by all bits of the members that a decomposer gives as a tuple of references, the first one first. */
template <class _Kp, bool _Descending, class _Decomposer> struct decomposed_less {
    _Decomposer members;
    __host__ __device__ bool operator()(const _Kp &__a, const _Kp &__b) const
    {
        return _Descending ? bits(__b) < bits(__a) : bits(__a) < bits(__b);
    }
    __host__ __device__ auto bits(const _Kp &__key) const
    {
        return std::apply([](const auto &...__member) { return std::make_tuple(ordered_bits(__member)...); },
                          members(const_cast<_Kp &>(__key)));
    }
};
} // namespace detail
} // namespace cub

namespace thrust
{
namespace detail
{
template <class _Kp, bool _Descending>
struct radix_order<::cub::detail::radix_less<_Kp, _Descending>, _Kp> : std::true_type {
    using order = ::cub::detail::radix_less<_Kp, _Descending>;
    static int bits(const order &__order)
    {
        return __order.end - __order.begin;
    }
    static auto digits(const order &__order, const _Kp &__key)
    {
        const auto __bits = __order.digits(__key);
        return (decltype(__order.digits(__key)))(_Descending ? ~__bits : __bits);
    }
};
} // namespace detail
} // namespace thrust

#endif
