/**
 * @file radix.cuh
 * @brief The order that CUB's radix sorts give: by some of the bits of numbers, or of the numbers in a
 * structure.
 */
#ifndef UMSIM_CUB_DETAIL_RADIX_CUH
#define UMSIM_CUB_DETAIL_RADIX_CUH

#include "../util_type.cuh"

#include <cstdint>
#include <tuple>

struct __half;
struct __nv_bfloat16;

namespace cub
{
namespace detail
{
template <int _Bytes> struct unsigned_of;
template <> struct unsigned_of<1> {
    using type = std::uint8_t;
};
template <> struct unsigned_of<2> {
    using type = std::uint16_t;
};
template <> struct unsigned_of<4> {
    using type = std::uint32_t;
};
template <> struct unsigned_of<8> {
    using type = std::uint64_t;
};
template <> struct unsigned_of<16> {
    using type = unsigned __int128;
};

template <class _Kp>
constexpr bool is_float =
    std::is_floating_point_v<_Kp> || std::is_same_v<_Kp, __half> || std::is_same_v<_Kp, __nv_bfloat16>;
template <class _Kp>
constexpr bool
    is_signed_integer = (std::is_integral_v<_Kp> && std::is_signed_v<_Kp>) || std::is_same_v<_Kp, __int128>;
template <class _Kp>
constexpr bool is_number = is_float<_Kp> || std::is_integral_v<_Kp> || std::is_same_v<_Kp, __int128> ||
                           std::is_same_v<_Kp, unsigned __int128>;

/* The bits of a number, as an unsigned number that is ordered as the numbers are; -0.0 and 0.0 are the same.
 */
template <class _Kp> __host__ __device__ auto ordered_bits(const _Kp &__key)
{
    static_assert(is_number<_Kp>, "cub: a radix sort orders numbers; structures need a decomposer");
    using __bits_type = typename unsigned_of<sizeof(_Kp)>::type;
    constexpr __bits_type __sign = (__bits_type)((__bits_type)1 << (sizeof(_Kp) * 8 - 1));
    __bits_type __bits;
    __builtin_memcpy(&__bits, &__key, sizeof(_Kp));
    if constexpr (is_float<_Kp>) {
        if (__bits == __sign)
            __bits = 0;
        return (__bits_type)(__bits & __sign ? ~__bits : __bits | __sign);
    } else
        return (__bits_type)(is_signed_integer<_Kp> ? __bits ^ __sign : __bits);
}

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

#endif
